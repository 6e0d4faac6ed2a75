import ImmutableJSON

/// An error of the engine.
///
/// The code is for programs and is stable. The message is for people and may change: it says what
/// was wrong, where, and what to do.
public struct EngineError: Error, Hashable {
  public enum Code: Hashable, Sendable, CaseIterable {
    /// An option or argument that is unknown or of a wrong type, or a name that is not UTF-8.
    case invalidArgument
    /// Text that is not JSON.
    case invalidJSON
    /// JSON that is not an action of the domain.
    case invalidAction
    case unknownDomain
    case unknownSelector
    /// An expression that cannot be compiled or evaluated.
    case invalidSelector
    /// The reducer rejected the action.
    case reducerFailed
    /// A reducer used its own store or dispatched to any store; a rule, or the comparison or filter
    /// of an observer, dispatched; or `settle` was called inside a callback or an effect.
    case reentrant
    /// A limit was exceeded: nesting, values, text, input, work, the range of a number, the body or
    /// headers of a response, a stream's capacity, the number of effects, the depth of dispatches
    /// in observers, or the file descriptors or fork handlers of the process.
    case limit
    /// The store was closed or released, the listener was cancelled, or the request or effect has
    /// ended.
    case closed
    /// A JSON Pointer points to no value, no function is set for an effect or request, or a record
    /// does not exist.
    case notFound
    /// A wait reached its timeout.
    case timeout
    /// A file could not be opened, read or written, an effect or request was rejected, or a server
    /// failed.
    case io
    /// The content of a file is damaged.
    case corrupt
    /// A server that keeps a log cannot be reached now, or does not answer.
    case unavailable
    /// A server refuses a call for good: without permission, for example.
    case refused
    /// A log is not the one that the store has read.
    case diverged
    /// An entry of a log needs another version of the program.
    case outdated
  }

  public var code: Code
  public var message: String

  /// Why a function of the program refused: the number that a reducer, a selector or a
  /// rule gave; otherwise 0.
  public var programCode: Int32 = 0

  /// The position of the error; 0 if it has none. Line and column count code points from 1.
  ///
  /// For JSON that is invalid, nests too deep or has a number out of range, this is the last
  /// character that was read, and `offset` is the number of bytes up to its end. For an expression,
  /// it is the beginning of the faulty part, and `offset` is the number of bytes before it.
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

  static var released: EngineError {
    EngineError(.closed, "the store was released; retain it while its effects run")
  }

  static var cancelledListener: EngineError {
    EngineError(.closed, "the listener was cancelled; listen to the store again")
  }

  package static var noDatabase: EngineError {
    EngineError(.invalidArgument, "the store has no database to back up; save its state instead")
  }

  static var noForkHandlers: EngineError {
    EngineError(
      .limit,
      "the process had no memory for fork handlers (pthread_atfork), so a child could wait forever"
        + "; restart it")
  }

  static var noDescriptor: EngineError {
    EngineError(.limit, "the process has no file descriptors left; close some, or raise its limit")
  }

  /// A value would exceed ``ValueLimits``.
  package init(_ error: ValueLimitError) {
    self.init(.limit, error.description)
  }

  /// Runs `body`, and converts the error that it throws.
  static func catching<Result>(_ body: () throws -> Result) throws(EngineError) -> Result {
    do {
      return try body()
    } catch {
      throw EngineError(error)
    }
  }
}
