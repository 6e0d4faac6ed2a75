import ImmutableJSON

/// The values that a projection visits.
enum Elements {
  /// The values of an array or object.
  case all(ValueSequence)

  /// The values, except nulls, of an array or object that contains nulls.
  ///
  /// - Parameter count: The number of values that are not null.
  case nonNull(ValueSequence, count: Int)

  /// The outputs of a projection that keeps them.
  case kept(KeptList)

  /// The elements of an array that is not created unless a later step needs it.
  case array(ContiguousArray<Value>)

  var count: Int {
    switch self {
    case .all(let values): values.underestimatedCount
    case .nonNull(_, let count): count
    case .kept(let list): list.values.underestimatedCount
    case .array(let values): values.count
    }
  }
}

extension Elements {
  /// Calls `body` with each batch of the elements, and the slots of the elements in it.
  func forEachBatch(
    _ body: (ValueBatch, SlotSet) throws(ExpressionError) -> Void
  ) throws(ExpressionError) {
    switch self {
    case .all(let values):
      try withExtendedLifetime(values) { () throws(ExpressionError) in
        var batches = ValueBatches(values)
        while let batch = batches.next() {
          try body(batch, batch.slots)
        }
      }
    case .nonNull(let values, _):
      try withExtendedLifetime(values) { () throws(ExpressionError) in
        var batches = ValueBatches(values)
        while let batch = batches.next() {
          try body(batch, batch.slotsWithoutNulls)
        }
      }
    case .kept(let list):
      try Elements.all(list.values).forEachBatch(body)
    case .array(let values):
      try values.withUnsafeBufferPointer { (values) throws(ExpressionError) in
        var batches = ValueBatches(values)
        while let batch = batches.next() {
          try body(batch, batch.slots)
        }
      }
    }
  }

  /// Calls `body` with each element.
  func forEach(_ body: (Value) throws(ExpressionError) -> Void) throws(ExpressionError) {
    try self.forEachBatch { (batch, slots) throws(ExpressionError) in
      try slots.forEach { (slot) throws(ExpressionError) in try body(batch.value(at: slot)) }
    }
  }

  /// A new array of the elements.
  var values: ContiguousArray<Value> {
    switch self {
    case .all(let values): ContiguousArray(values)
    case .nonNull(let values, let count): values.nonNulls(count)
    case .kept(let list): ContiguousArray(list.values)
    case .array(let values): values
    }
  }
}

extension ValueSequence {
  /// The values that are not null.
  fileprivate func nonNulls(_ count: Int) -> ContiguousArray<Value> {
    var result: ContiguousArray<Value> = []
    result.reserveCapacity(count)
    self.forEach { value in
      if case .null = value { return }
      result.append(value)
    }
    return result
  }

  /// The number of values that are not null.
  fileprivate var nonNullCount: Int {
    withExtendedLifetime(self) {
      var count = 0
      var batches = ValueBatches(self)
      while let batch = batches.next() {
        count += batch.slotsWithoutNulls.count
      }
      return count
    }
  }
}

extension Elements {
  /// Evaluates `each` on the elements, and drops nulls. Charges in advance for the elements and for
  /// the nodes evaluated on each, and afterward for the new elements.
  func projected(_ each: Projected, _ scope: Scope) throws(ExpressionError) -> Elements {
    try scope.charge(2 * self.count)
    let result =
      if let path = each.path {
        try self.members(path, scope)
      } else {
        try self.evaluated(each.node, scope)
      }
    try scope.chargeCreating(elements: result.count)
    return result
  }

  private func members(_ path: FieldPath, _ scope: Scope) throws(ExpressionError) -> Elements {
    switch self {
    case .all(let values) where path.fields.isEmpty:
      let count = values.nonNullCount
      return count == self.count ? self : .nonNull(values, count: count)
    case .nonNull where path.fields.isEmpty:
      return self
    default:
      try scope.charge(path.units * self.count)
      scope.prepareLookups()
      var result: ContiguousArray<Value> = []
      result.reserveCapacity(self.count)
      try self.forEachBatch { (batch, slots) throws(ExpressionError) in
        scope.collect(path, of: batch, slots, into: &result)
      }
      return .array(result)
    }
  }

  private func evaluated(_ each: Node, _ scope: Scope) throws(ExpressionError) -> Elements {
    scope.prepareLookups()
    var result: ContiguousArray<Value> = []
    result.reserveCapacity(self.count)
    try self.forEach { (value) throws(ExpressionError) in
      let value = try each.evaluate(value, scope)
      if case .null = value { return }
      result.append(value)
    }
    return .array(result)
  }

  /// Flattens the arrays among the elements by one level. Charges in advance for the elements, and
  /// for the new elements before it adds them.
  func flattened(_ scope: Scope) throws(ExpressionError) -> Elements {
    try scope.charge(self.count)
    var result: ContiguousArray<Value> = []
    result.reserveCapacity(self.count)
    try self.forEach { (value) throws(ExpressionError) in
      if case .array(let inner) = value {
        try scope.chargeCreating(elements: inner.count)
        result.append(contentsOf: inner)
      } else {
        try scope.chargeCreating(elements: 1)
        result.append(value)
      }
    }
    return .array(result)
  }
}
