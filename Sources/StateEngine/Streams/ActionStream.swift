import ImmutableData
import ImmutableJSON

/// A stream of a store's actions, each with the states before and after it. For a thread, not for a
/// task.
///
/// Created by ``AnyStore/makeStream(_:)``. It ends with its store, or when it is closed.
public final class ActionStream: Sendable {
  private let reader: any ActionStreamReader
  private let refuseReentrancy: @Sendable () throws -> Void

  init(_ reader: any ActionStreamReader, refuseReentrancy: @escaping @Sendable () throws -> Void) {
    self.reader = reader
    self.refuseReentrancy = refuseReentrancy
  }
}

extension ActionStream {
  /// An action, and the states before and after it.
  public struct Element: Sendable {
    private let storeAction: any StoreAction
    private let old: any Snapshot
    private let new: any Snapshot

    init(_ action: any StoreAction, old: any Snapshot, new: any Snapshot) {
      self.storeAction = action
      self.old = old
      self.new = new
    }

    public var action: Value {
      self.storeAction.json
    }

    /// The state before the action. O(1) for a store of a JSON value; the state of a domain is
    /// encoded on each access.
    ///
    /// - Throws: ``EngineError`` if the state of a domain cannot be encoded.
    public var oldState: Value {
      get throws(EngineError) {
        try EngineError.catching(self.old.value)
      }
    }

    /// The state after the action, as ``oldState``.
    public var newState: Value {
      get throws(EngineError) {
        try EngineError.catching(self.new.value)
      }
    }
  }
}

extension ActionStream {
  /// Reads the oldest action. Waits for one, except inside a callback.
  ///
  /// - Parameter milliseconds: The timeout; `nil` for none.
  /// - Throws: ``EngineError``: `reentrant` in a reducer of the store.
  public func next(milliseconds: Int32? = nil) throws(EngineError) -> StreamResult<Element> {
    try EngineError.catching {
      try self.refuseReentrancy()
      return self.reader.next(milliseconds: milliseconds)
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
  func next(milliseconds: Int32?) -> StreamResult<ActionStream.Element>
  var dropped: Int { get }
  var descriptor: Int32? { get }
  func close()
}

/// A reader that erases the types of states and actions.
struct ModelStreamReader<Model: StateModel>: ActionStreamReader {
  typealias StateTimeline = Timeline<Model.State, Model.Action>

  let reader: StreamReader<(action: Model.Action, oldState: StateTimeline, newState: StateTimeline)>

  func next(milliseconds: Int32?) -> StreamResult<ActionStream.Element> {
    self.reader.next(milliseconds: milliseconds).map { element in
      ActionStream.Element(
        element.action, old: Model.snapshot(of: element.oldState.shown),
        new: Model.snapshot(of: element.newState.shown))
    }
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
