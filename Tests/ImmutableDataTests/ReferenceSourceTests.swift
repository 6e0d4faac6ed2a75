import ImmutableData
import Testing

// Code as written for the reference, where everything is isolated to the main actor. It must compile
// here unchanged, and behave the same.

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
        try dispatcher.dispatch(action: .didTapIncrementButton)
      }
    }
  }

  func finish() async throws {
    try await self.task?.value
  }
}

private final class StoreTestDouble: ImmutableData.Dispatcher, ImmutableData.Selector,
  ImmutableData.Streamer
{
  typealias State = CounterState
  typealias Action = CounterAction

  func dispatch(action: CounterAction) throws {}

  func dispatch(thunk: @Sendable (StoreTestDouble, StoreTestDouble) throws -> Void) rethrows {
    try thunk(self, self)
  }

  func dispatch(
    thunk: @Sendable (StoreTestDouble, StoreTestDouble) async throws -> Void
  ) async rethrows {
    try await thunk(self, self)
  }

  func select<T>(_ selector: @Sendable (CounterState) -> T) -> T where T: Sendable {
    selector(CounterState(value: 7))
  }

  func makeStream() -> AsyncStream<(oldState: CounterState, action: CounterAction)> {
    AsyncStream { $0.finish() }
  }
}

@Suite struct ReferenceSourceTests {
  @Test @MainActor func aListenerDispatchesWhatFollows() async throws {
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

  @Test func aTestDoubleStandsInForAStore() async throws {
    let double = StoreTestDouble()
    #expect(double.state.value == 7)
    #expect(double.select { $0.value } == 7)
    try double.dispatch(action: .didTapIncrementButton)
    for await _ in double.makeStream() {}
  }

  @Test func awaitIsAllowedWhereTheReferenceNeedsIt() async throws {
    let store = Store(initialState: CounterState(), reducer: CounterReducer.reduce)
    try await MainActor.run {
      try store.dispatch(action: .didTapIncrementButton)
    }
    #expect(store.select { $0.value } == 1)
  }
}
