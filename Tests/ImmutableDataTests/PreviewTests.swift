import ImmutableData
import Synchronization
import Testing
import Threading

/// Reducing actions without committing the state.
@Suite struct PreviewTests {
  private struct Refusal: Error {}

  @Test func nothingIsCommitted() throws {
    let store = Store<Int, Int>(initialState: 1) { state, action in
      guard action > 0 else { throw Refusal() }
      return state + action
    }
    let numbers = Mutex<[Int]>([])
    let subscription = store.subscribe { commit in numbers.withLock { $0.append(commit.number) } }
    let preview = try store.preview([2, 3], in: .current)
    #expect(preview.oldState == 1)
    #expect(preview.newState == 6)
    let error = #expect(throws: BatchError.self) { try store.preview([2, 0], in: .current) }
    #expect(error?.index == 1)
    #expect(try store.preview([], in: .current).newState == 1)
    #expect(store.state == 1)
    try store.dispatch(action: 5)
    #expect(store.state == 6)
    #expect(numbers.withLock { $0 } == [1])
    withExtendedLifetime(subscription) {}
  }
}
