/// A JSON Pointer could not be read, or leads nowhere in a value.
public struct JSONPointerError: Error, Hashable {
  public enum Code: Hashable, Sendable {
    /// The text is no pointer, or it asks for something that the value cannot have there: a member
    /// of a scalar, an element of an array by what is no index, a value without its whole.
    case invalid

    /// No member of that name, no element of that index.
    case notFound

    /// What would be made is beyond ``ValueLimits``.
    case limit
  }

  public let code: Code

  /// What was wrong and where, such as `nothing at "/a/b": "/a" has no member "b"`.
  public let message: String
}

extension JSONPointerError: CustomStringConvertible {
  public var description: String {
    self.message
  }
}
