extension Value {
  /// Whether both values are equal JSON, with numbers compared numerically at any depth: 1 equals
  /// 1.0, and 0.0 equals -0.0. (RFC 6902, section 4.6.)
  ///
  /// `==` distinguishes these. Skips shared subtrees.
  public func isEquivalent(to other: Value) -> Bool {
    self.compare(other, .equivalent)
  }

  /// The same as ``isEquivalent(to:)``, within a budget. Charges one unit for each pair of values,
  /// and the bytes of strings.
  public func isEquivalent(
    to other: Value, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Bool {
    var comparison = ValueComparison(.equivalent)
    return try comparison.areEqual(self, other, &budget)
  }

  /// The same as `==`, within a budget. Charges as ``isEquivalent(to:_:)`` does.
  public func isEqual(
    to other: Value, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Bool {
    var comparison = ValueComparison(.exact)
    return try comparison.areEqual(self, other, &budget)
  }

  /// The implementation of `==` for arrays and objects.
  func isEqual(to other: Value) -> Bool {
    self.compare(other, .exact)
  }

  private func compare(_ other: Value, _ numbers: ValueComparison.Numbers) -> Bool {
    var comparison = ValueComparison(numbers)
    // Never exhausted in the lifetime of a process.
    var budget = WorkBudget(.max)
    return (try? comparison.areEqual(self, other, &budget)) ?? false
  }
}
