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
    return size.isWithinLimits ? nil : self.exactExceededLimit
  }

  /// Whether an array with only this value is within the limits. O(1), so it may be `false`
  /// although the array is.
  package var fitsInArray: Bool {
    var size = SubtreeSize.none
    size.add(self.size)
    return size.enclosed.isWithinLimits
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

extension Value {
  /// The units of work that ``exceededLimit`` takes: none within the bounds, else one for each KB
  /// of text. O(1).
  var measuringWork: Int {
    self.size.isWithinLimits ? 0 : self.textSizeBound / 6 / 1024 + 1
  }

  /// The number of values in this one, itself included. Shared parts count each time. O(1).
  ///
  /// Exact below `UInt32.max`, where it saturates.
  public var valueCount: Int {
    Int(self.size.values)
  }

  /// An upper bound of the size of the JSON text, in bytes. O(1).
  package var textSizeBound: Int {
    Int(clamping: self.size.text)
  }

  /// An estimate of the memory of this value in bytes, as if it shared no structure. O(1).
  package var estimatedMemory: Int {
    self.size.estimatedMemory
  }
}

/// A value would exceed a limit.
public struct ValueLimitError: Error, Hashable {
  /// The kind of a limit.
  public enum Kind: Hashable, Sendable {
    case depth
    case values
    case text
  }

  public let kind: Kind

  /// The limit, in levels, values or bytes.
  public let limit: Int

  public init(_ kind: Kind, limit: Int) {
    self.kind = kind
    self.limit = limit
  }
}

extension ValueLimitError: CustomStringConvertible {
  /// A message such as `the value would nest deeper than 2048 levels`.
  public var description: String {
    switch self.kind {
    case .depth: "the value would nest deeper than \(self.limit) levels"
    case .values: "the value would have more than \(counted(self.limit, "value"))"
    case .text: "the text of the value would have more than \(counted(self.limit, "byte"))"
    }
  }
}
