import ImmutableData

/// What stands in for a store, as a program writes it for its tests: isolated to the main actor.
@MainActor
package final class MainActorStore<State: Sendable, Action: Sendable> {
  private var current: State
  private let reducer: Reducer<State, Action>
  private var continuations: [AsyncStream<(oldState: State, action: Action)>.Continuation] = []

  package init(_ state: State, reducer: @escaping Reducer<State, Action>) {
    self.current = state
    self.reducer = reducer
  }

  deinit {
    for continuation in self.continuations { continuation.finish() }
  }
}

extension MainActorStore: Dispatcher {
  package func dispatch(action: Action) throws {
    let old = self.current
    self.current = try self.reducer(old, action)
    for continuation in self.continuations { continuation.yield((old, action)) }
  }

  package func dispatch(
    thunk: @Sendable (MainActorStore, MainActorStore) throws -> Void
  ) rethrows {
    try thunk(self, self)
  }

  package func dispatch(
    thunk: @Sendable (MainActorStore, MainActorStore) async throws -> Void
  ) async rethrows {
    try await thunk(self, self)
  }
}

extension MainActorStore: Selector {
  package func select<T>(_ selector: @Sendable (State) -> T) -> T where T: Sendable {
    selector(self.current)
  }
}

extension MainActorStore: Streamer {
  package func makeStream() -> AsyncStream<(oldState: State, action: Action)> {
    let (stream, continuation) = AsyncStream.makeStream(of: (oldState: State, action: Action).self)
    self.continuations.append(continuation)
    return stream
  }
}
