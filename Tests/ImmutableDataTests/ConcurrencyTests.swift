import ImmutableData
import TestSupport
import Testing

@Suite struct ConcurrencyTests {
  @Test func noDispatchIsLostAndReadersNeverSeeAnOlderState() {
    let store = makeSumStore()
    let older = Recorder<Int>()
    onThreads(8) { thread in
      var last = 0
      for _ in 0..<5_000 {
        if thread.isMultiple(of: 2) {
          try? store.dispatch(action: 1)
        } else {
          let state = store.state
          if state < last {
            older.append(state)
          }
          last = state
        }
      }
    }
    #expect(store.state == 20_000)
    #expect(older.all.isEmpty)
  }

  @Test func streamsBeginAndEndDuringDispatches() {
    let store = makeSumStore()
    onThreads(8) { thread in
      for _ in 0..<500 {
        if thread < 4 {
          try? store.dispatch(action: 1)
        } else {
          _ = store.makeStream()
          _ = store.makeStream(capacity: 1, overflow: .dropOldest)
        }
      }
    }
    #expect(store.state == 2_000)
  }
}
