import ImmutableJSON

extension Elements {
  /// Evaluates `each` on the elements that satisfy the condition, and drops nulls. Charges in
  /// advance for the elements and for the nodes evaluated on each, and afterward for the new
  /// elements.
  func filtered(
    by condition: Condition, _ each: Projected, _ scope: Scope
  ) throws(ExpressionError) -> Elements {
    try scope.charge(3 * self.count)
    var filter = Filter(condition, each, scope)
    var result: ContiguousArray<Value> = []
    try self.forEachBatch { (batch, slots) throws(ExpressionError) in
      _ = try filter.append(outputsOf: batch, slots, to: &result)
    }
    try scope.chargeCreating(elements: result.count)
    return .array(result)
  }
}

/// Evaluates a filter, or a projection, on batches of elements.
struct Filter {
  private let condition: Condition?
  private let each: Projected
  private let scope: Scope
  private var costs: ConditionCosts

  /// - Parameter condition: `nil` for a projection.
  init(_ condition: Condition?, _ each: Projected, _ scope: Scope) {
    self.condition = condition
    self.each = each
    self.scope = scope
    self.costs = ConditionCosts(isDetailed: each.path == nil)
    scope.prepareLookups()
  }

  /// Appends the outputs of elements, without nulls, and charges for their nodes.
  ///
  /// - Returns: The slots of the elements with an output.
  mutating func append(
    outputsOf batch: ValueBatch, _ slots: SlotSet, to outputs: inout ContiguousArray<Value>
  ) throws(ExpressionError) -> SlotSet {
    guard let matches = self.matches(batch, slots) else {
      return try self.append(oneByOne: batch, slots, to: &outputs)
    }
    if let path = self.each.path {
      let units = self.costs.total + path.units * matches.count
      guard units <= self.scope.remaining else {
        return try self.append(oneByOne: batch, slots, to: &outputs)
      }
      try self.scope.charge(units)
      return self.scope.collect(path, of: batch, matches, into: &outputs)
    }
    // An evaluation can fail in other ways than a charge, so their order matters.
    return try slots.filter { (slot) throws(ExpressionError) in
      try self.scope.charge(self.costs.units(of: slot))
      guard matches.contains(SlotSet(slot: slot)) else { return false }
      return try self.append(outputOf: batch.value(at: slot), to: &outputs)
    }
  }

  /// Charges for the nodes of elements.
  ///
  /// - Returns: The slots of the elements that match, without nulls if they are the outputs.
  mutating func matches(
    charging batch: ValueBatch, _ slots: SlotSet
  ) throws(ExpressionError) -> SlotSet {
    var outputs: ContiguousArray<Value> = []
    guard let path = self.each.path, let matches = self.matches(batch, slots) else {
      return try self.append(outputsOf: batch, slots, to: &outputs)
    }
    try self.scope.charge(self.costs.total + path.units * matches.count)
    guard path.fields.isEmpty, !matches.isEmpty else { return matches }
    return matches.intersection(batch.slotsWithoutNulls)
  }

  /// The slots of the elements that match; `nil` if they must be tested one by one.
  private mutating func matches(_ batch: ValueBatch, _ slots: SlotSet) -> SlotSet? {
    guard let condition else { return slots }
    return condition.test.flatMap { self.scope.matches($0, batch, slots, &self.costs) }
  }

  private func append(
    oneByOne batch: ValueBatch, _ slots: SlotSet, to outputs: inout ContiguousArray<Value>
  ) throws(ExpressionError) -> SlotSet {
    try slots.filter { (slot) throws(ExpressionError) in
      let value = batch.value(at: slot)
      if let condition, !(try condition.node.evaluate(value, self.scope).isTrue) { return false }
      return try self.append(outputOf: value, to: &outputs)
    }
  }

  private func append(
    outputOf element: Value, to outputs: inout ContiguousArray<Value>
  ) throws(ExpressionError) -> Bool {
    let value = try self.each.node.evaluate(element, self.scope)
    if case .null = value { return false }
    outputs.append(value)
    return true
  }
}
