import ImmutableData
import Testing

// Code as written for version 0.3 of the Swift project ImmutableData, where everything is isolated
// to the main actor. It must compile here unchanged, and behave the same.

private struct CounterState: Sendable {
  var value = 0
}

private enum CounterAction: Sendable {
  case didTapIncrementButton
}

private enum CounterReducer {
  @Sendable static func reduce(state: CounterState, action: CounterAction) throws -> CounterState {
    CounterState(value: state.value + 1)
  }
}

@MainActor private final class Listener {
  private weak var store: AnyObject?
  private var task: Task<Void, any Error>?
  private(set) var received: [Int] = []

  func listen(
    to store: some ImmutableData.Dispatcher<CounterState, CounterAction>
      & ImmutableData.Selector<CounterState>
      & ImmutableData.Streamer<CounterState, CounterAction> & AnyObject
  ) {
    guard self.store !== store else { return }
    self.store = store
    let stream = store.makeStream()
    self.task?.cancel()
    self.task = Task { [weak self] in
      for try await (oldState, action) in stream {
        guard let self else { return }
        try await self.onReceive(from: store, oldState: oldState, action: action)
      }
    }
  }

  private func onReceive(
    from store: some ImmutableData.Dispatcher<CounterState, CounterAction>
      & ImmutableData.Selector<CounterState>,
    oldState: CounterState, action: CounterAction
  ) async throws {
    self.received.append(oldState.value)
    if store.state.value < 3 {
      try await store.dispatch { dispatcher, selector in
        await Task.yield()
        try await dispatcher.dispatch(action: .didTapIncrementButton)
      }
    }
  }

  func finish() async throws {
    try await self.task?.value
  }
}

/// Performs effects off the main actor. Its thunks fit every store.
private actor Session {
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  func increment<Dispatcher, Selector>() -> @Sendable (Dispatcher, Selector) async throws -> Void
  where
    Dispatcher: ImmutableData.Dispatcher<CounterState, CounterAction>,
    Selector: ImmutableData.Selector<CounterState>
  {
    { dispatcher, selector in
      try await self.increment(dispatcher, selector)
    }
  }

  private func increment(
    _ dispatcher: some ImmutableData.Dispatcher<CounterState, CounterAction>,
    _ selector: some ImmutableData.Selector<CounterState>
  ) async throws {
    while await selector.state.value < self.limit {
      try await dispatcher.dispatch(action: .didTapIncrementButton)
    }
  }
}

@MainActor private final class StoreTestDouble: Sendable {
  typealias State = CounterState
  typealias Action = CounterAction

  var state = CounterState(value: 7)
  var parameterAction: [Action] = []
}

extension StoreTestDouble: ImmutableData.Dispatcher {
  func dispatch(action: Action) throws {
    self.parameterAction.append(action)
    self.state.value += 1
  }

  func dispatch(thunk: @Sendable (StoreTestDouble, StoreTestDouble) throws -> Void) rethrows {
    try thunk(self, self)
  }

  func dispatch(
    thunk: @Sendable (StoreTestDouble, StoreTestDouble) async throws -> Void
  ) async rethrows {
    try await thunk(self, self)
  }
}

extension StoreTestDouble: ImmutableData.Selector {
  func select<T>(_ selector: @Sendable (State) -> T) -> T where T: Sendable {
    selector(self.state)
  }
}

extension StoreTestDouble: ImmutableData.Streamer {
  func makeStream() -> AsyncStream<(oldState: State, action: Action)> {
    AsyncStream { continuation in
      continuation.yield((oldState: CounterState(value: 1), action: .didTapIncrementButton))
      continuation.finish()
    }
  }
}

@Suite struct ReferenceSourceTests {
  @Test @MainActor func aListenerDispatchesForTheActionsThatItReceives() async throws {
    let listener = Listener()
    var store: Store? = Store(initialState: CounterState(), reducer: CounterReducer.reduce)
    let stream: AsyncStream<(oldState: CounterState, action: CounterAction)>? = store?.makeStream()
    if let store {
      listener.listen(to: store)
      try store.dispatch(action: .didTapIncrementButton)
    }
    let actions = try await read(3, of: #require(stream))
    #expect(actions.map(\.oldState.value) == [0, 1, 2])
    store = nil
    // The listener's task holds the store, as in the reference, until it is cancelled.
    while listener.received.count < 3 {
      await Task.yield()
    }
    #expect(listener.received == [0, 1, 2])
  }

  @Test @MainActor func aTestDoubleOnTheMainActorStandsInForAStore() async throws {
    let (listener, double, session) = (Listener(), StoreTestDouble(), Session(limit: 9))
    listener.listen(to: double)
    try await listener.finish()
    #expect(listener.received == [1])
    #expect(double.select { $0.value } == 7)
    try await double.dispatch(thunk: session.increment())
    #expect(double.parameterAction.count == 2)
  }

  @Test func aThunkDispatchesToAStoreFromAnyActor() async throws {
    let store = Store(initialState: CounterState(), reducer: CounterReducer.reduce)
    let session = Session(limit: 3)
    try await store.dispatch(thunk: session.increment())
    #expect(store.state.value == 3)
  }

  @Test func aReducerHasAType() throws {
    let reducer: ImmutableData.Reducer<CounterState, CounterAction> = CounterReducer.reduce
    let twice: Reducer<CounterState, CounterAction> = { try reducer(reducer($0, $1), $1) }
    let store = Store(initialState: CounterState(), reducer: twice)
    try store.dispatch(action: .didTapIncrementButton)
    #expect(store.state.value == 2)
  }

  @Test func awaitIsAllowedWhereTheReferenceNeedsIt() async throws {
    let store = Store(initialState: CounterState(), reducer: CounterReducer.reduce)
    try await MainActor.run {
      try store.dispatch(action: .didTapIncrementButton)
    }
    #expect(store.select { $0.value } == 1)
  }
}
