import TestSupport
import Testing
import Threading

@testable import ImmutableData

/// Where a store makes the edits that its reducer returns.
@Suite struct EditsTests {
  /// A number behind a reference, which edits change in place if nobody else has it.
  private struct Counter: Sendable {
    final class Box: Sendable {
      let number: Int
      init(_ number: Int) { self.number = number }
    }
    var box = Box(0)
  }

  private final class Amount: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  /// Whether each edit was made in place.
  private let inPlace = Recorder<Bool>()

  private func makeStore(
    history: HistoryPolicy? = nil, log: (any CommitLog)? = nil
  ) -> Store<Counter, Int> {
    Store(initialState: Counter(), history: history, log: log) { [inPlace] state, edits in
      inPlace.append(isKnownUniquelyReferenced(&state.box))
      let number = state.box.number + unsafeDowncast(edits, to: Amount.self).number
      state = Counter(box: Counter.Box(number))
    } reduce: { state, action in
      Amount(action)
    }
  }

  @Test func inPlaceWithoutReaders() throws {
    let store = self.makeStore()
    for _ in 0..<3 { try store.dispatch(action: 2) }
    #expect(store.state.box.number == 6)
    #expect(self.inPlace.all == [true, true, true])
  }

  @Test func inPlaceInABatchAfterItsFirstAction() throws {
    let store = self.makeStore()
    try store.dispatch(batch: [1, 2, 3])
    #expect(store.state.box.number == 6)
    // The current state is there until the batch is published.
    #expect(self.inPlace.all == [false, true, true])
  }

  @Test func inACopyForAReader() throws {
    let store = self.makeStore()
    let states = Recorder<[Int]>()
    let subscription = store.subscribe { commit in
      states.append([commit.oldState.box.number, commit.newState.box.number])
    }
    try store.dispatch(action: 2)
    try store.dispatch(action: 3)
    #expect(states.all == [[0, 2], [2, 5]])
    #expect(self.inPlace.all == [false, false])
    subscription.cancel()
    try store.dispatch(action: 1)
    #expect(self.inPlace.all.last == true)
  }

  @Test func inACopyForASnapshot() throws {
    let store = self.makeStore()
    let snapshot = store.state
    try store.dispatch(action: 2)
    #expect(self.inPlace.all == [false])
    #expect(snapshot.box.number == 0)
  }

  @Test func inACopyForAHistory() throws {
    let store = self.makeStore(
      history: HistoryPolicy { _, _ in
        true
      } haveSameType: { _, _ in
        false
      })
    try store.dispatch(action: 2)
    #expect(self.inPlace.all == [false])
    #expect(try store.undo() == 1)
    #expect(store.state.box.number == 0)
  }

  /// The log has the text, and needs no states.
  @Test func inPlaceWithALogAlone() throws {
    let log = TextLog()
    let store = self.makeStore(log: log)
    let text = Array("{}".utf8)
    try text.withUnsafeBytes { try store.dispatch(2, in: .current, text: $0) }
    #expect(self.inPlace.all == [true])
    try store.dispatch(3, in: .current, from: .log(time: 7))
    #expect(self.inPlace.all == [true, true])
    try store.dispatch(action: 4)
    #expect(self.inPlace.all == [true, true, false])
    // Not the entry that comes from it.
    #expect(log.numbers.all == [1, 3])
  }
}

/// A log that remembers the numbers of its entries.
private final class TextLog: CommitLog {
  let numbers = Recorder<Int>()

  var time: Int64 { 0 }
  var isShared: Bool { false }
  var writer: Int { 0 }

  func beginTurn(in scope: CallScope) {}

  func endTurn() {}

  func waitForRoom() {}

  func encode(_ commits: [AnyCommit]) -> LogEntry? {
    commits.last.map { LogEntry(.actions, number: $0.number, time: 0, text: []) }
  }

  func encode(_ text: UnsafeRawBufferPointer, number: Int, time: Int64) -> LogEntry? {
    LogEntry(.actions, number: number, time: time, text: Array(text))
  }

  func encode(_ marks: HistoryMarks, number: Int) -> LogEntry {
    LogEntry(.history, number: number, time: 0, text: [])
  }

  func append(_ entry: LogEntry) {
    self.numbers.append(entry.number)
  }

  var sharesAppends: Bool { false }

  func append(_ entries: [LogEntry]) {
    for entry in entries { self.append(entry) }
  }

  func hasArrived(_ append: Int) -> Bool { false }

  func doubting(_ error: any Error) -> any Error { error }

  func wait(upTo number: Int?, in scope: CallScope) {}

  func waitThroughFailures() -> Bool { true }
}
