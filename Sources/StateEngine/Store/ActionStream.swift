import ImmutableData
import ImmutableJSON
import Threading

extension AnyStore {
  /// Opens a stream of the actions that are dispatched from now on.
  public func makeStream(_ options: StreamOptions = .init()) throws(EngineError) -> ActionStream {
    try self.enter(.makeStream)
    let stream = ActionStream(self.implementation.makeStream(options), options, of: self)
    // If another thread closed this store meanwhile, it may have missed the stream.
    guard !self.isClosed.load(ordering: .acquiring) else { throw .closed }
    return stream
  }
}

/// A stream of a store's actions, each with the states before and after it. For a thread, not for a
/// task.
///
/// Created by ``AnyStore/makeStream(_:)``. It ends with its store, or when it is closed.
public final class ActionStream: Sendable {
  /// An action with the states before and after it. They are encoded when they are read; O(1) for a
  /// store of a JSON value. They can be read after the store was closed.
  public struct Element: Sendable {
    fileprivate let commit: AnyCommit
    fileprivate let encoding: any CommitEncoding.Type
    fileprivate let last: LastState

    public var action: Value {
      get throws(EngineError) {
        try EngineError.catching { try self.encoding.action(of: self.commit) }
      }
    }

    public var oldState: Value {
      get throws(EngineError) {
        if let value = self.last.value(after: self.commit.number - 1) { return value }
        return try EngineError.catching(self.encoding.oldState(of: self.commit).value)
      }
    }

    public var newState: Value {
      get throws(EngineError) {
        if let value = self.last.value(after: self.commit.number) { return value }
        let value = try EngineError.catching(self.encoding.newState(of: self.commit).value)
        self.last.set(value, after: self.commit.number)
        return value
      }
    }
  }

  private let stream: CommitStream
  private let options: StreamOptions
  private let encoding: any CommitEncoding.Type
  private let last = LastState()
  private weak let store: AnyStore?

  init(_ stream: CommitStream, _ options: StreamOptions, of store: AnyStore) {
    self.stream = stream
    self.options = options
    self.encoding = store.implementation.encoding
    self.store = store
  }
}

extension ActionStream {
  /// Reads the oldest action. Waits for one, except inside a callback.
  ///
  /// - Parameter milliseconds: The timeout; `nil` for none.
  /// - Throws: ``EngineError``: `reentrant` in a reducer of the store.
  public func next(milliseconds: Int32? = nil) throws(EngineError) -> StreamResult<Element> {
    try self.enter()
    let deadline = milliseconds.map { Deadline(milliseconds: $0) }
    var last: Int?
    while true {
      let next = self.stream.next(until: deadline).map {
        Element(commit: $0, encoding: self.encoding, last: self.last)
      }
      guard case .element(let element) = next, !self.options.types.isEmpty else { return next }
      // The type of an effect's action may have been unknown when it was committed.
      if try self.options.includes(element.action) { return next }
      guard deadline?.hasPassed == true else { continue }
      // What was committed until now is read in any case.
      last = last ?? self.store?.commits.number
      if element.commit.number >= last ?? 0 { return .timedOut }
    }
  }

  /// The number of actions dropped so far, with the overflow policy `dropOldest`.
  ///
  /// - Throws: ``EngineError``: `reentrant` in a reducer of the store.
  public var dropped: Int {
    get throws(EngineError) {
      try self.enter()
      return self.stream.dropped
    }
  }

  /// A file descriptor that is readable while ``next(milliseconds:)`` would not wait. It stays open
  /// until this stream is released.
  ///
  /// - Throws: ``EngineError``: `limit` if the process has none left; `reentrant` in a reducer of
  ///   the store.
  public var descriptor: Int32 {
    get throws(EngineError) {
      try self.enter()
      guard let descriptor = self.stream.descriptor else { throw .noDescriptor }
      return descriptor
    }
  }

  /// Closes the stream. Threads that wait for an action, or for space to add one, continue. In a
  /// reducer of the store this is an error: the dispatch fails, and the stream stays open.
  ///
  /// - Returns: Whether the stream was closed.
  @discardableResult
  public func close() -> Bool {
    guard (try? self.enter()) != nil else { return false }
    self.stream.close()
    return true
  }

  private func enter() throws(EngineError) {
    try self.store?.enter(.makeStream, evenIfClosed: true)
  }
}

/// The options of a stream: which actions it contains, and how many it buffers.
public struct StreamOptions: Sendable {
  /// The maximum number of unread actions in the buffer.
  public var capacity = 1024

  /// What happens to an action when the buffer is full.
  public var overflow = OverflowPolicy.fail

  /// The types of actions in the stream; empty for all.
  public var types: [ActionPattern] = []

  /// Whether ``AnyStore/flush(milliseconds:)`` waits until the reader has handled the actions.
  public var flush = false

  public init() {}
}

extension StreamOptions {
  private static var schema: Schema {
    .object([
      .init("capacity", .integer, isRequired: false, "How many actions are buffered at most."),
      .init(
        "overflow", .oneOf(OverflowPolicy.allNames), isRequired: false, "What a full buffer does."),
      .init("flush", .boolean, isRequired: false, "Whether a flush waits for the reader."),
      .init("types", .array(.string), isRequired: false, "The types of actions in the stream."),
    ])
  }

  /// Reads options that are a JSON object.
  public init(_ options: Value) throws(EngineError) {
    try Self.schema.check(options, "options")
    self.init()
    self.capacity = try options.capacityOption ?? self.capacity
    self.overflow = OverflowPolicy(options["overflow"]) ?? self.overflow
    self.flush = options["flush"]?.bool ?? self.flush
    self.types = options["types"]?.strings.map(ActionPattern.init) ?? self.types
  }

  func includes(_ action: Value) -> Bool {
    self.types.isEmpty || ActionPattern.any(of: self.types, matches: action)
  }
}
