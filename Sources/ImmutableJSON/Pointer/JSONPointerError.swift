/// A JSON Pointer is invalid, or does not resolve in a value.
public struct JSONPointerError: Error, Hashable {
  public enum Code: Hashable, Sendable {
    /// The text is not a pointer, or the value cannot have anything at that location: a member of a
    /// scalar, or an array element whose token is not an index. Also the removal of the root, and a
    /// new key that contains U+0000.
    case invalid

    /// There is no member with that key, or no element with that index.
    case notFound

    /// The result would exceed ``ValueLimits``.
    case limit
  }

  public let code: Code

  /// A message such as `nothing at "/a/b": "/a" has no member "b"`.
  public let message: String
}

extension JSONPointerError: CustomStringConvertible {
  public var description: String {
    self.message
  }
}
