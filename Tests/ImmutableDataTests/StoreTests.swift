import ImmutableData
import Testing

@Suite struct StoreTests {
  @Test func selectsTheInitialState() {
    let store = makeSumStore(7)
    #expect(store.state == 7)
    #expect(store.select { $0 * 2 } == 14)
  }

  @Test func dispatchReplacesTheState() throws {
    let store = makeSumStore()
    try store.dispatch(action: 2)
    try store.dispatch(action: 3)
    #expect(store.state == 5)
  }

  @Test func aFailingReducerLeavesTheStateAndItsErrorIsRethrown() throws {
    let refusal = Refusal(action: -1)
    let store = Store<Int, Int>(initialState: 1) { _, _ in throw refusal }
    let error = #expect(throws: Refusal.self) { try store.dispatch(action: 1) }
    #expect(error === refusal)
    #expect(store.state == 1)
  }

  @Test func aStoreIsUsableAfterAFailure() throws {
    let store = makeSumStore()
    #expect(throws: Refusal.self) { try store.dispatch(action: -1) }
    try store.dispatch(action: 4)
    #expect(store.state == 4)
  }

  @Test func aSelectorMaySelectAndDispatch() throws {
    let store = makeSumStore(1)
    let seen = store.select { state in
      try? store.dispatch(action: 10)
      return (state, store.state)
    }
    #expect(seen == (1, 11))
  }

  @Test func oldStatesAreReleased() throws {
    final class State: Sendable {}
    weak var old: State?
    let store = Store<State, Int>(initialState: State()) { _, _ in State() }
    old = store.state
    #expect(old != nil)
    try store.dispatch(action: 0)
    #expect(old == nil)
  }

  @Test func statesAreReleasedWithoutLocks() throws {
    final class State: Sendable {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
      deinit { self.run() }
    }
    let log = makeSumStore()
    let store = Store<State?, Bool>(initialState: nil) { _, _ in nil }
    let holder = Store<State?, Bool>(
      initialState: State {
        try? store.dispatch(action: true)
        try? log.dispatch(action: 1)
      }
    ) { _, _ in nil }
    try holder.dispatch(action: true)
    #expect(log.state == 1)
  }
}

@Suite struct ThunkTests {
  @Test func aThunkGetsTheStoreTwice() throws {
    let store = makeSumStore()
    try store.dispatch { dispatcher, selector in
      #expect(dispatcher === store)
      #expect(selector === store)
      try dispatcher.dispatch(action: selector.state + 5)
    }
    #expect(store.state == 5)
  }

  @Test func anAsynchronousThunkGetsTheStoreTwice() async throws {
    let store = makeSumStore()
    try await store.dispatch { dispatcher, selector in
      await Task.yield()
      try dispatcher.dispatch(action: selector.state + 5)
    }
    #expect(store.state == 5)
  }

  @Test func theErrorOfAThunkIsRethrown() async throws {
    let store = makeSumStore()
    let refusal = Refusal(action: 0)
    let error = #expect(throws: Refusal.self) { try store.dispatch { _, _ in throw refusal } }
    #expect(error === refusal)
    let asynchronous = await #expect(throws: Refusal.self) {
      try await store.dispatch { _, _ in
        await Task.yield()
        throw refusal
      }
    }
    #expect(asynchronous === refusal)
  }

  @Test func aThunkItselfIsNotStreamed() async throws {
    let store = makeSumStore()
    let stream = store.makeStream()
    try store.dispatch { dispatcher, _ in try dispatcher.dispatch(action: 1) }
    try store.dispatch(action: 2)
    #expect(try await read(2, of: stream).map(\.action) == [1, 2])
  }
}
