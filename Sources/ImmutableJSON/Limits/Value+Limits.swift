extension Value {
  /// Checks that this value is within ``ValueLimits``. The throwing functions that create a value
  /// do so; literals, and changes of a ``JSONArray`` or ``JSONObject``, do not.
  ///
  /// O(1) for ordinary values. The cached bounds overestimate the text of strings and the depth
  /// after removals; if a bound exceeds a limit, the exact size is computed in O(n) before failing.
  public func checkLimits() throws(ValueLimitError) {
    if let error = self.exceededLimit { throw error }
  }

  /// Whether ``checkLimits()`` throws.
  public var exceedsLimits: Bool {
    self.exceededLimit != nil
  }

  /// The error that ``checkLimits()`` throws. Null, booleans and numbers are within every limit.
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
    return self.exactExceededLimit
  }

  /// The same as ``exceededLimit``, for a value whose bounds exceed a limit.
  @inline(never)
  private var exactExceededLimit: ValueLimitError? {
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
