extension Value {
  /// Whether both are the same JSON, numbers being the same if they are numerically: 1 is 1.0, and
  /// 0.0 is -0.0, at any depth.
  ///
  /// `==` tells these apart. Parts that both share are not looked at. RFC 6902, section 4.6.
  public func isEquivalent(to other: Value) -> Bool {
    switch (self, other) {
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)):
      // Not by Double(integer), which rounds beyond 53 bits.
      Int64(exactly: real) == integer
    case (.real(let left), .real(let right)):
      left == right
    case (.array(let left), .array(let right)):
      left.isIdentical(to: right)
        || left.count == right.count && left.elementsEqual(right) { $0.isEquivalent(to: $1) }
    case (.object(let left), .object(let right)):
      left.isIdentical(to: right)
        || left.count == right.count
          && left.elementsEqual(right) {
            $0.key.utf8.elementsEqual($1.key.utf8) && $0.value.isEquivalent(to: $1.value)
          }
    default:
      self == other
    }
  }
}

extension Value {
  /// Whether both are the same JSON, as far as a budget lets it look. Charges a unit for each pair
  /// of values, and the bytes of strings.
  public func isEquivalent(
    to other: Value, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Bool {
    try budget.charge()
    switch (self, other) {
    case (.string(let left), .string(let right)):
      try budget.charge(bytes: min(left.utf8.count, right.utf8.count))
      return self == other
    case (.array(let left), .array(let right)):
      if left.isIdentical(to: right) { return true }
      guard left.count == right.count else { return false }
      for (left, right) in zip(left, right) {
        guard try left.isEquivalent(to: right, &budget) else { return false }
      }
      return true
    case (.object(let left), .object(let right)):
      if left.isIdentical(to: right) { return true }
      guard left.count == right.count else { return false }
      for (left, right) in zip(left, right) {
        try budget.charge(bytes: left.key.utf8.count)
        guard left.key.utf8.elementsEqual(right.key.utf8),
          try left.value.isEquivalent(to: right.value, &budget)
        else { return false }
      }
      return true
    default:
      return self.isEquivalent(to: other)
    }
  }
}
