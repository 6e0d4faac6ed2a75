extension Value {
  /// Whether both are the same JSON, numbers being the same if they are numerically: 1 is 1.0, and
  /// 0.0 is -0.0, at any depth.
  ///
  /// `==` tells these apart. Parts that both share are not looked at. RFC 6902, section 4.6.
  public func isEquivalent(to other: Value) -> Bool {
    self.compare(other, .equivalent)
  }

  /// Whether both are the same JSON, as far as a budget lets it look. Charges a unit for each pair
  /// of values, and the bytes of strings.
  public func isEquivalent(
    to other: Value, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Bool {
    var comparison = ValueComparison(.equivalent)
    return try comparison.areEqual(self, other, &budget)
  }

  /// Whether both write the same bytes, as far as a budget lets it look. Charges as
  /// ``isEquivalent(to:_:)`` does.
  public func isEqual(
    to other: Value, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Bool {
    var comparison = ValueComparison(.identical)
    return try comparison.areEqual(self, other, &budget)
  }

  /// The same as `==`, by the way that goes into arrays and objects.
  func isEqual(to other: Value) -> Bool {
    self.compare(other, .identical)
  }

  private func compare(_ other: Value, _ numbers: ValueComparison.Numbers) -> Bool {
    var comparison = ValueComparison(numbers)
    // Counts to no end that a process lives to see.
    var budget = WorkBudget(.max)
    return (try? comparison.areEqual(self, other, &budget)) ?? false
  }
}
