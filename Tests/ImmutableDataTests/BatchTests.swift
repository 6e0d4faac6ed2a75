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
    let writer: @Sendable () -> Void = {
      for _ in 0..<2_000 {
        try? store.dispatch(batch: [1, 1, 1])
      }
    }
    let odd = makeSumStore()
    onThreads(4) { thread in
      if thread < 2 {
        writer()
      } else {
        for _ in 0..<4_000 where store.state % 3 != 0 {
          try? odd.dispatch(action: 1)
        }
      }
    }
    #expect(store.state == 12_000)
    #expect(odd.state == 0)
  }
}
