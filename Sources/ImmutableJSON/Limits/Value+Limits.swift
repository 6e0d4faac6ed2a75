extension Value {
  /// Checks that this value is within ``ValueLimits``. Everything that makes a value for a caller
  /// does so.
  ///
  /// O(1). The bytes of long strings and the depth of removed parts are overestimated: where that
  /// estimate is beyond a limit, the true size is computed, in O(n) at most.
  public func checkLimits() throws(ValueLimitError) {
    if let error = self.exceededLimit { throw error }
  }

  /// Whether ``checkLimits()`` throws.
  public var isBeyondLimits: Bool {
    self.exceededLimit != nil
  }

  /// What ``checkLimits()`` throws. Null, booleans and numbers are within every limit.
  public var exceededLimit: ValueLimitError? {
    let size: SubtreeSize
    switch self {
    case .null, .bool, .integer, .real: return nil
    default: size = self.size
    }
    if size.depth <= ValueLimits.depth, size.values <= ValueLimits.values,
      size.text <= UInt64(ValueLimits.text) + 1
    {
      return nil
    }
    return self.trulyExceededLimit
  }

  /// The same, for a value whose bounds are beyond a limit.
  @inline(never)
  private var trulyExceededLimit: ValueLimitError? {
    let bound = self.size
    if bound.depth > ValueLimits.depth, SizeProbe.depth(of: self) > ValueLimits.depth {
      return ValueLimitError(.depth, limit: ValueLimits.depth)
    }
    let (values, text) = (ValueLimits.values, ValueLimits.text)
    if bound.values != .max, bound.values > values {
      return ValueLimitError(.values, limit: values)
    }
    guard let size = SizeProbe.size(of: self, ifTextIsBeyond: UInt64(text) + 1) else { return nil }
    if size.values > values {
      return ValueLimitError(.values, limit: values)
    }
    return size.text > UInt64(text) + 1 ? ValueLimitError(.text, limit: text) : nil
  }
}
