/// A text is not valid JSON, or exceeds a limit.
public struct JSONParseError: Error, Hashable {
  public enum Code: Hashable, Sendable {
    /// The text is not JSON, or a key contains U+0000.
    case invalid

    /// The value exceeds ``ValueLimits``, or a number does not fit in a ``Value``.
    case limit
  }

  public let code: Code

  /// A message such as `':' expected near '1'`.
  public let message: String

  /// The line on which parsing stopped, counted from 1; 0 if the error has no position.
  public let line: Int

  /// The column of the last character read, in code points, counted from 1; 0 if the error has no
  /// position.
  public let column: Int

  /// The number of bytes up to and including the last one read.
  public let offset: Int
}

extension JSONParseError: CustomStringConvertible {
  public var description: String {
    self.line == 0
      ? self.message : "\(self.message) (line \(self.line), column \(self.column))"
  }
}

extension JSONParseError {
  /// Creates the error for a value beyond a limit, without a position.
  init(_ error: ValueLimitError) {
    self.init(code: .limit, message: error.description, line: 0, column: 0, offset: 0)
  }

  /// Creates the error for a key that contains U+0000, without a position.
  init(_ error: ObjectKeyError) {
    self.init(code: .invalid, message: error.description, line: 0, column: 0, offset: 0)
  }
}
