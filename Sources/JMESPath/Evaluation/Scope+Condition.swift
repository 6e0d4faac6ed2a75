import ImmutableJSON

// A test of a batch charges nothing. It returns `nil` if its cost may exceed the budget, or depends
// on more than the lengths of texts. Then the elements are tested one by one.
extension Scope {
  /// The slots of the elements for which a condition holds.
  func matches(
    _ test: Condition.Test, _ batch: ValueBatch, _ slots: SlotSet, _ costs: inout ConditionCosts
  ) -> SlotSet? {
    costs.reset()
    let matches = self.test(test, batch, slots, &costs)
    return costs.total <= self.remaining ? matches : nil
  }

  private func test(
    _ test: Condition.Test, _ batch: ValueBatch, _ slots: SlotSet, _ costs: inout ConditionCosts
  ) -> SlotSet? {
    switch test {
    case .truth(let path):
      return self.slots(slots, ofTrue: path, in: batch, &costs)
    case .comparison(let comparison, let left, let right):
      costs.add(2 + left.units + right.units, for: slots)
      return self.slots(slots, where: comparison, left, right, in: batch, &costs)
    case .not(let test):
      costs.add(1, for: slots)
      return self.test(test, batch, slots, &costs).map { slots.subtracting($0) }
    case .all(let tests):
      costs.add(tests.count, for: slots)
      var rest = slots
      for test in tests {
        guard let matches = self.test(test, batch, rest, &costs) else { return nil }
        rest = matches
      }
      return rest
    case .any(let tests):
      costs.add(tests.count, for: slots)
      var rest = slots
      for test in tests {
        guard let matches = self.test(test, batch, rest, &costs) else { return nil }
        rest.subtract(matches)
      }
      return slots.subtracting(rest)
    }
  }

  private func slots(
    _ slots: SlotSet, ofTrue path: FieldPath, in batch: ValueBatch, _ costs: inout ConditionCosts
  ) -> SlotSet {
    costs.add(path.units, for: slots)
    return withUnsafeTemporaryAllocation(of: BorrowedValue.self, capacity: ValueColumn.capacity) {
      let column = ValueColumn($0)
      self.read(path, of: batch, slots, into: column)
      return slots.filter { column[$0].isTrue }
    }
  }

  private func slots(
    _ slots: SlotSet, where comparison: Comparison, _ left: Condition.Operand,
    _ right: Condition.Operand, in batch: ValueBatch, _ costs: inout ConditionCosts
  ) -> SlotSet? {
    let capacity = ValueColumn.capacity
    return withUnsafeTemporaryAllocation(of: BorrowedValue.self, capacity: 2 * capacity) { memory in
      let columns = (
        ValueColumn(UnsafeMutableBufferPointer(rebasing: memory[..<capacity])),
        ValueColumn(UnsafeMutableBufferPointer(rebasing: memory[capacity...]))
      )
      return left.withValues(of: batch, slots, self, columns.0) { left in
        right.withValues(of: batch, slots, self, columns.1) { right in
          comparison.slots(slots, where: left, right, self.remaining, &costs)
        }
      }
    }
  }

  /// Appends the values at a path in elements of a batch, without nulls. Requires lookups.
  ///
  /// - Returns: The slots of the elements with a value.
  @discardableResult
  func collect(
    _ path: FieldPath, of batch: ValueBatch, _ slots: SlotSet,
    into result: inout ContiguousArray<Value>
  ) -> SlotSet {
    guard !slots.isEmpty else { return [] }
    return withUnsafeTemporaryAllocation(of: BorrowedValue.self, capacity: ValueColumn.capacity) {
      let column = ValueColumn($0)
      self.read(path, of: batch, slots, into: column)
      return slots.filter { slot in
        if case .null = column[slot] { return false }
        result.append(column[slot].value)
        return true
      }
    }
  }
}

extension Condition.Operand {
  /// The cost for each element.
  fileprivate var units: Int {
    if case .path(let path) = self { path.units } else { 0 }
  }

  /// Calls `body` with the values of this operand for elements of a batch.
  fileprivate func withValues<Result>(
    of batch: ValueBatch, _ slots: SlotSet, _ scope: Scope, _ column: ValueColumn,
    _ body: (OperandValues) -> Result
  ) -> Result {
    switch self {
    case .path(let path):
      scope.read(path, of: batch, slots, into: column)
      return body(OperandValues(column: column, mask: ValueColumn.capacity - 1))
    case .constant(let node):
      return withUnsafePointer(to: node.constant(scope)) { value in
        column[0] = BorrowedValue(value)
        return body(OperandValues(column: column, mask: 0))
      }
    }
  }
}

extension Node {
  /// The value of a literal or a variable.
  fileprivate func constant(_ scope: Scope) -> Value {
    switch self {
    case .literal(let value): value
    case .argument(let index): scope.arguments[index]
    case .local(let level): scope.locals[level]
    default: .null
    }
  }
}
