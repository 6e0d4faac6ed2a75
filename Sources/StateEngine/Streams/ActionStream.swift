import ImmutableData
import ImmutableJSON

/// A stream of a store's actions, each with the state before it. For a thread, not for a task.
///
/// Created by ``AnyStore/makeStream(_:)``. It ends with its store, or when it is closed.
public final class ActionStream: Sendable {
  public typealias Element = (oldState: Value, action: Value)

  private let reader: any ActionStreamReader
  private let refuseReentrancy: @Sendable () throws -> Void

  init(_ reader: any ActionStreamReader, refuseReentrancy: @escaping @Sendable () throws -> Void) {
    self.reader = reader
    self.refuseReentrancy = refuseReentrancy
  }
}

extension ActionStream {
  /// Reads the oldest action. Waits for one, except inside a callback.
  ///
  /// The state of a domain is encoded here, by the reader. O(1) for a store of a JSON value.
  ///
  /// - Parameter milliseconds: The timeout; `nil` for none.
  /// - Throws: ``EngineError``: `reentrant` in a reducer of the store.
  public func next(milliseconds: Int32? = nil) throws(EngineError) -> StreamResult<Element> {
    try EngineError.catching {
      try self.refuseReentrancy()
      return try self.reader.next(milliseconds: milliseconds)
    }
  }

  /// Reads the oldest action as ``next(milliseconds:)`` does, without encoding the state before it.
  public func nextAction(milliseconds: Int32? = nil) throws(EngineError) -> StreamResult<Value> {
    try EngineError.catching {
      try self.refuseReentrancy()
      return try self.reader.nextAction(milliseconds: milliseconds)
    }
  }

  /// The number of actions dropped so far, with the overflow policy `dropOldest`.
  ///
  /// - Throws: ``EngineError``: `reentrant` in a reducer of the store.
  public var dropped: Int {
    get throws(EngineError) {
      try EngineError.catching(self.refuseReentrancy)
      return self.reader.dropped
    }
  }

  /// A file descriptor that is readable while ``next(milliseconds:)`` would not wait. It stays open
  /// until this stream is released.
  ///
  /// - Throws: ``EngineError``: `limit` if the process has none left; `reentrant` in a reducer of
  ///   the store.
  public var descriptor: Int32 {
    get throws(EngineError) {
      try EngineError.catching(self.refuseReentrancy)
      guard let descriptor = self.reader.descriptor else { throw .noDescriptor }
      return descriptor
    }
  }

  /// Closes the stream. Threads that wait for an action, or for space to add one, continue. In a
  /// reducer of the store this is an error: the dispatch fails, and the stream stays open.
  ///
  /// - Returns: Whether the stream was closed.
  @discardableResult
  public func close() -> Bool {
    guard (try? self.refuseReentrancy()) != nil else { return false }
    self.reader.close()
    return true
  }
}

/// A reader of a store's stream, with the types of state and action erased.
protocol ActionStreamReader: Sendable {
  func next(milliseconds: Int32?) throws -> StreamResult<ActionStream.Element>
  func nextAction(milliseconds: Int32?) throws -> StreamResult<Value>
  var dropped: Int { get }
  var descriptor: Int32? { get }
  func close()
}

/// A reader that converts states and actions to JSON.
struct JSONStreamReader<State: Sendable, Action: Sendable>: ActionStreamReader {
  let reader: StreamReader<(oldState: State, action: Action)>
  let encodeState: @Sendable (State) throws -> Value
  let encodeAction: @Sendable (Action) -> Value

  func next(milliseconds: Int32?) throws -> StreamResult<ActionStream.Element> {
    try self.reader.next(milliseconds: milliseconds).map { element in
      (try self.encodeState(element.oldState), self.encodeAction(element.action))
    }
  }

  func nextAction(milliseconds: Int32?) throws -> StreamResult<Value> {
    self.reader.next(milliseconds: milliseconds).map { self.encodeAction($0.action) }
  }

  var dropped: Int {
    self.reader.dropped
  }

  var descriptor: Int32? {
    self.reader.descriptor
  }

  func close() {
    self.reader.close()
  }
}
