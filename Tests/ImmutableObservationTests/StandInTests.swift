import ImmutableData
import ImmutableObservation
import TestSupport
import Testing

/// An observer of what stands in for a store.
@Suite @MainActor struct StandInTests {
  private let calls = Recorder<String>()
  private var store = MainActorStore<Int, Int>(1) { state, action in state + action }

  private func makeObserver() -> Observer<Int, Int, Int> {
    Observer(
      filter: { [calls] old, action in
        calls.append("filter \(old) \(action)")
        return action != 0
      },
      outputSelector: ObserverSelector { [calls] in
        calls.append("select \($0)")
        return $0
      })
  }

  @Test func itPublishesTheCurrentStateOncePerReading() async throws {
    let observer = self.makeObserver()
    observer.listen(to: self.store)
    observer.listen(to: self.store)
    var outputs = observer.makeStream().makeAsyncIterator()
    #expect(await outputs.next() == 1)
    for action in [0, 2, 3] { try self.store.dispatch(action: action) }
    // Not before the task of the observer runs.
    #expect(observer.output == 1)
    #expect(await outputs.next() == 6)
    try self.store.dispatch(action: 4)
    #expect(await outputs.next() == 10)
    // Whether it read the state once more before the last action depends on the order of the tasks.
    #expect(self.calls.all.starts(with: ["select 1", "filter 1 0", "filter 1 2", "select 6"]))
    #expect(self.calls.all.contains("select 10"))
  }

  @Test func itStopsWhenItListensToAStore() async throws {
    let observer = self.makeObserver()
    observer.listen(to: self.store)
    let other = Store<Int, Int>(initialState: 20) { $0 + $1 }
    observer.listen(to: other)
    var outputs = observer.makeStream().makeAsyncIterator()
    try self.store.dispatch(action: 2)
    try other.dispatch(action: 2)
    #expect(await outputs.next() == 22)
    #expect(!self.calls.all.contains("filter 1 2"))
  }

  @Test mutating func itDoesNotRetainTheStore() {
    let observer = self.makeObserver()
    observer.listen(to: self.store)
    weak let old = self.store
    self.store = MainActorStore(0) { state, _ in state }
    #expect(old == nil)
    #expect(observer.output == 1)
  }
}
