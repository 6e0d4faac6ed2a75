/// Text could not be read as JSON.
public struct JSONReadError: Error, Hashable {
  public enum Code: Hashable, Sendable {
    /// It is not JSON, or has a U+0000 in a key.
    case invalid

    /// It may be JSON, but is beyond ``ValueLimits``, or has a larger number than a ``Value`` holds.
    case limit
  }

  public let code: Code

  /// What was wrong, such as `':' expected near '1'`.
  public let message: String

  /// The line on which reading stopped, counted from 1.
  public let line: Int

  /// The column of the last character that was read, in code points, counted from 1.
  public let column: Int

  /// The number of bytes up to and including the last one that was read.
  public let offset: Int
}

extension JSONReadError: CustomStringConvertible {
  public var description: String {
    "\(self.message) (line \(self.line), column \(self.column))"
  }
}

extension JSONReadError {
  /// What was read is beyond a limit. It has no place.
  init(_ error: ValueLimitError) {
    self.init(code: .limit, message: error.description, line: 0, column: 0, offset: 0)
  }

  /// A key that is no text has U+0000 in it. It has no place.
  init(_ error: ObjectKeyError) {
    self.init(code: .invalid, message: error.description, line: 0, column: 0, offset: 0)
  }
}
