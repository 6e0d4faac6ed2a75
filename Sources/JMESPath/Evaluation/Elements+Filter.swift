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
    try self.forEachBatch { (batch, slots) throws(ExpressionError) in
      try filter.add(batch, slots)
    }
    try scope.chargeCreating(elements: filter.result.count)
    return .array(filter.result)
  }
}

/// Filters batches of elements.
private struct Filter {
  private(set) var result: ContiguousArray<Value> = []
  private let condition: Condition
  private let each: Projected
  private let scope: Scope
  private var costs: ConditionCosts

  init(_ condition: Condition, _ each: Projected, _ scope: Scope) {
    self.condition = condition
    self.each = each
    self.scope = scope
    self.costs = ConditionCosts(isDetailed: each.path == nil)
    scope.prepareLookups()
  }

  mutating func add(_ batch: ValueBatch, _ slots: SlotSet) throws(ExpressionError) {
    guard let test = self.condition.test,
      let matches = self.scope.matches(test, batch, slots, &self.costs)
    else { return try self.addOneByOne(batch, slots) }
    if let path = self.each.path {
      let units = self.costs.total + path.units * matches.count
      guard units <= self.scope.remaining else { return try self.addOneByOne(batch, slots) }
      try self.scope.charge(units)
      self.scope.collect(path, of: batch, matches, into: &self.result)
    } else {
      // An evaluation can fail in other ways than a charge, so their order matters.
      try slots.forEach { (slot) throws(ExpressionError) in
        try self.scope.charge(self.costs.units(of: slot))
        guard matches.contains(SlotSet(slot: slot)) else { return }
        try self.append(batch.value(at: slot))
      }
    }
  }

  private mutating func addOneByOne(
    _ batch: ValueBatch, _ slots: SlotSet
  ) throws(ExpressionError) {
    try slots.forEach { (slot) throws(ExpressionError) in
      let value = batch.value(at: slot)
      guard try self.condition.node.evaluate(value, self.scope).isTrue else { return }
      try self.append(value)
    }
  }

  private mutating func append(_ element: Value) throws(ExpressionError) {
    let value = try self.each.node.evaluate(element, self.scope)
    if case .null = value { return }
    self.result.append(value)
  }
}
