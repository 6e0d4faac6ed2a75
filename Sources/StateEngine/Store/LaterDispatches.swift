import ImmutableData
import ImmutableJSON
import Threading

/// The actions that a store dispatches on a thread of its own, in order, so that no thread of the
/// program waits. Those that have come meanwhile are dispatched together.
final class LaterDispatches: Sendable {
  /// Gets the outcome of an action: `nil` if it was dispatched.
  typealias Completion = @Sendable (EngineError?) -> Void

  private struct State {
    var waiting = Queue<(action: Value, completion: Completion)>()
    /// Whether the thread dispatches, or will.
    var isServed = false
    var isClosed = false
  }

  /// How many actions may wait, and how many are dispatched together.
  static var limit: Int { 65_536 }
  private static var groupLimit: Int { 1000 }

  private let state = Mutex(State())
  private let queue = EffectQueue()
  private let dispatch: @Sendable ([Value]) -> [EngineError?]

  /// - Parameter dispatch: Dispatches actions one after the other, and returns their outcomes.
  init(_ dispatch: @escaping @Sendable ([Value]) -> [EngineError?]) {
    self.dispatch = dispatch
  }
}

extension LaterDispatches {
  func append(_ action: Value, _ completion: @escaping Completion) throws(EngineError) {
    let isServed = try self.state.withLock { state throws(EngineError) in
      guard !state.isClosed else { throw .closed }
      guard state.waiting.count < Self.limit else {
        throw EngineError(
          .limit, "\(Self.limit) actions wait to be dispatched; wait for their outcomes")
      }
      state.waiting.append((action, completion))
      defer { state.isServed = true }
      return state.isServed
    }
    if !isServed { self.queue.append { [weak self] in self?.dispatchAll() } }
  }

  private func dispatchAll() {
    while case let group = self.takeGroup(), !group.isEmpty {
      for (dispatch, outcome) in zip(group, self.dispatch(group.map(\.action))) {
        dispatch.completion(outcome)
      }
    }
  }

  private func takeGroup() -> [(action: Value, completion: Completion)] {
    self.state.withLock { state in
      var group: [(action: Value, completion: Completion)] = []
      while group.count < Self.groupLimit, let next = state.waiting.popFirst() {
        group.append(next)
      }
      state.isServed = !group.isEmpty
      return group
    }
  }

  /// Waits until none waits.
  func settle(milliseconds: Int32) throws(EngineError) {
    try self.queue.settle(milliseconds: milliseconds)
  }

  /// Drops the actions that wait.
  func close() {
    var dropped = self.state.withLock { state in
      state.isClosed = true
      return exchange(&state.waiting, with: Queue())
    }
    self.queue.close()
    while let next = dropped.popFirst() {
      next.completion(
        EngineError(.closed, "the store was closed before the action was dispatched"))
    }
  }

  /// Waits for the actions that are being dispatched, unless it is called inside a callback.
  func join() {
    self.queue.join()
  }
}

extension AnyStore {
  /// Dispatches an action without waiting: a thread of the store dispatches it, after those that
  /// were passed here before.
  ///
  /// - Parameter completion: Gets the outcome, once: `nil`, or what ``dispatch(_:)`` throws.
  /// - Throws: ``EngineError``: `closed`; `reentrant`; `limit` if too many actions wait.
  package func dispatchLater(
    _ action: Value, _ completion: @escaping @Sendable (EngineError?) -> Void
  ) throws(EngineError) {
    try self.enter(.dispatch)
    try self.laterDispatches.append(action, completion)
  }

  /// Dispatches an action without blocking a thread. Those of several tasks share the wait for a
  /// log that a server keeps.
  ///
  /// A task that is cancelled waits nevertheless: the action may be in the log.
  ///
  /// - Throws: ``EngineError``, as ``dispatch(_:)``; `limit` if 65,536 actions wait.
  public func dispatchAsync(_ action: Value) async throws {
    try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Void, any Error>) in
      do {
        try self.dispatchLater(action) { failure in
          if let failure { waiting.resume(throwing: failure) } else { waiting.resume() }
        }
      } catch {
        waiting.resume(throwing: error)
      }
    }
  }
}
