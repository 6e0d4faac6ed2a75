import ImmutableJSON

/// Why the engine refused.
///
/// The code is for programs and does not change. The message is for people: what was wrong, where,
/// and what to do.
public struct EngineError: Error, Hashable {
  public enum Code: Hashable, Sendable, CaseIterable {
    /// An unknown or ill-typed option or argument, or a name that is no text.
    case invalidArgument
    /// Text that is not JSON.
    case invalidJSON
    /// JSON that is no action of the domain.
    case invalidAction
    case unknownDomain
    case unknownSelector
    /// An expression that cannot be read or evaluated.
    case invalidSelector
    /// The reducer refused the action.
    case reducerFailed
    /// A reducer used its own store.
    case reentrant
    /// More than is held: nesting, the range of a number, the length of a text.
    case limit
    /// The store was closed.
    case closed
    /// Nothing is where a JSON Pointer points.
    case notFound
    /// What was waited for did not come in time.
    case timeout
    /// A file could not be opened, read or written.
    case io
    /// A file does not hold what was written to it.
    case corrupt
  }

  public var code: Code
  public var message: String

  /// The last character of JSON that was read, for ``Code/invalidJSON`` and ``Code/limit``: line and
  /// column, in code points from 1, and the number of bytes up to its end. For
  /// ``Code/invalidSelector`` and an argument that is missing, where the part of the expression
  /// begins that is at fault, with the number of bytes before it. Otherwise 0.
  public var line = 0
  public var column = 0
  public var offset = 0

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension EngineError: CustomStringConvertible {
  public var description: String {
    self.message
  }
}

extension EngineError {
  static var closed: EngineError {
    EngineError(.closed, "the store was closed; open another one")
  }

  /// For a call that was under way when the process forked, in the child.
  static var inherited: EngineError {
    EngineError(
      .closed,
      "the store belongs to the process that this one was forked from; open one in this process")
  }

  static var noDescriptor: EngineError {
    EngineError(.limit, "the process has no file descriptors left; close some, or raise its limit")
  }

  /// A value would be beyond ``ValueLimits``.
  package init(_ error: ValueLimitError) {
    self.init(.limit, error.description)
  }

  /// Runs `body`, whatever it throws.
  static func catching<Result>(_ body: () throws -> Result) throws(EngineError) -> Result {
    do {
      return try body()
    } catch {
      throw EngineError(error)
    }
  }
}
