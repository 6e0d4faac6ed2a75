import ImmutableData
import TestSupport
import Testing

@Suite struct BatchTests {
  @Test func allActionsTakeEffect() throws {
    let store = makeSumStore()
    try store.dispatch(batch: [1, 2, 3])
    #expect(store.state == 6)
  }

  @Test func anEmptyBatchChangesNothing() throws {
    let store = makeSumStore(9)
    try store.dispatch(batch: [])
    #expect(store.state == 9)
  }

  @Test(arguments: [([-1], 0), ([1, 2, -3], 2), ([1, -2, -3], 1)])
  func noActionTakesEffectIfOneFails(_ actions: [Int], _ index: Int) throws {
    let store = makeSumStore(5)
    let error = #expect(throws: BatchError.self) { try store.dispatch(batch: actions) }
    #expect(error?.index == index)
    #expect((error?.underlying as? Refusal)?.action == actions[index])
    #expect(store.state == 5)
  }

  @Test func theErrorIsASentence() {
    let store = makeSumStore()
    let error = #expect(throws: BatchError.self) { try store.dispatch(batch: [1, -2]) }
    #expect(
      error.map { "\($0)" } == "action 2: \(Refusal(action: -2)); the batch was not applied")
  }

  @Test func streamsGetEachActionWithTheStateBeforeIt() async throws {
    let store = makeSumStore(10)
    let stream = store.makeStream()
    #expect(throws: BatchError.self) { try store.dispatch(batch: [1, -1]) }
    try store.dispatch(batch: [1, 2, 3])
    let elements = try await read(3, of: stream)
    #expect(elements.map(\.oldState) == [10, 11, 13])
    #expect(elements.map(\.action) == [1, 2, 3])
  }

  @Test func intermediateStatesAreNotVisible() throws {
    let store = makeSumStore()
    let intermediate = Recorder<Int>()
    onThreads(4) { thread in
      if thread < 2 {
        for _ in 0..<2_000 {
          try? store.dispatch(batch: [1, 1, 1])
        }
      } else {
        for _ in 0..<4_000 {
          let state = store.state
          if state % 3 != 0 { intermediate.append(state) }
        }
      }
    }
    #expect(store.state == 12_000)
    #expect(intermediate.all.isEmpty)
  }

  @Test func withoutActionsNothingIsCommitted() throws {
    let store = makeSumStore()
    let log = Recorder<Int>()
    let subscription = store.subscribe { log.append($0.number) }
    try store.dispatch(batch: [])
    #expect(store.commits.number == 0)
    try store.dispatch(action: 1)
    #expect(log.all == [1])
    withExtendedLifetime(subscription) {}
  }

  /// A reader that begins while a batch is reduced gets all of its commits.
  @Test func aReaderMayBeginDuringTheReduction() throws {
    let box = Recorder<StreamReader<Int, Int>>()
    let calls = Recorder<Int>()
    let holder = WeakStore()
    let store = Store<Int, Int>(initialState: 0) { state, action in
      calls.append(action)
      if box.all.isEmpty {
        onThreads(1) { _ in
          if let reader = holder.store?.makeReader() { box.append(reader) }
        }
      }
      return state + action
    }
    holder.store = store
    try store.dispatch(batch: [1, 2])
    #expect(store.state == 3)
    #expect(calls.all == [1, 2, 1, 2])
    let reader = try #require(box.all.first)
    for (number, states) in [(1, [0, 1]), (2, [1, 3])] {
      guard case .element(let commit) = reader.next(milliseconds: 0) else {
        Issue.record("no commit")
        return
      }
      #expect(commit.number == number)
      #expect([commit.oldState, commit.newState] == states)
    }
  }
}

private final class WeakStore: @unchecked Sendable {
  weak var store: Store<Int, Int>?
}
