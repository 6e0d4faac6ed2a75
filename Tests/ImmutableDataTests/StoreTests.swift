import ImmutableData
import TestSupport
import Testing

/// A state whose deinitializer calls a function.
private final class WatchedState: Sendable {
  private let onDeinit: @Sendable () -> Void

  init(_ onDeinit: @escaping @Sendable () -> Void) {
    self.onDeinit = onDeinit
  }

  deinit {
    self.onDeinit()
  }
}

private final class StoreReference: @unchecked Sendable {
  weak var store: Store<WatchedState?, Int>?
}

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

  /// The deinitializer of a state uses the store. If a lock were held, it would wait forever.
  @Test func statesAreReleasedWithoutLocks() throws {
    let (reference, reduced) = (StoreReference(), Recorder<Int>())
    let store = Store<WatchedState?, Int>(
      initialState: WatchedState { try? reference.store?.dispatch(action: 2) }
    ) { _, action in
      reduced.append(action)
      return nil
    }
    reference.store = store
    try store.dispatch(action: 1)
    #expect(reduced.all == [1, 2])
  }

  /// So are the states of the actions that a stream drops.
  @Test func droppedStatesAreReleasedWithoutLocks() throws {
    let (reference, reduced) = (StoreReference(), Recorder<Int>())
    let store = Store<WatchedState?, Int>(
      initialState: WatchedState { try? reference.store?.dispatch(action: 3) }
    ) { _, action in
      reduced.append(action)
      return nil
    }
    reference.store = store
    let reader = store.makeReader(capacity: 1, overflow: .dropOldest)
    try store.dispatch(action: 1)
    #expect(reduced.all == [1])
    try store.dispatch(action: 2)
    #expect(reduced.all == [1, 2, 3])
    #expect(reader.dropped == 2)
  }

  /// So are those that the history drops: beyond its limit, and what was undone.
  @Test func statesOfTheHistoryAreReleasedWithoutLocks() throws {
    let (reference, reduced) = (StoreReference(), Recorder<Int>())
    let watched = { @Sendable (action: Int) in
      WatchedState { try? reference.store?.dispatch(action: action) }
    }
    let store = Store<WatchedState?, Int>(
      initialState: watched(10), history: HistoryOptions(limit: 1)
    ) { _, action in
      reduced.append(action)
      return action == 3 ? watched(30) : nil
    }
    reference.store = store
    try store.dispatch(action: 1)
    #expect(reduced.all == [1])
    try store.dispatch(action: 2)
    #expect(reduced.all == [1, 2, 10])
    try store.dispatch(action: 3)
    try store.undo()
    #expect(reduced.all == [1, 2, 10, 3])
    try store.dispatch(action: 4)
    #expect(reduced.all == [1, 2, 10, 3, 4, 30])
  }

  @Test func aLazyBatchMayUseTheStore() throws {
    let store = makeSumStore()
    try store.dispatch(action: 1)
    try store.dispatch(batch: (0..<2).lazy.map { _ in store.state + 1 })
    #expect(store.state == 5)
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
      #expect(dispatcher === store)
      #expect(selector === store)
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
