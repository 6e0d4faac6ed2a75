import ImmutableData
import StateEngine
import TestSupport
import Testing

/// The effects of what stands in for a store.
@Suite @MainActor struct StandInEffectTests {
  struct Refusal: Error {}

  /// Adds up to a number, and records each effect.
  private struct Adding: Effects {
    let seen: AsyncStream<String>.Continuation

    func effect(of action: Int, from oldState: Int, to newState: Int) -> Effect<Int, Int>? {
      { context in
        guard try context.state < 3 else { return _ = self.seen.yield("\(oldState) \(newState)") }
        try context.dispatch(1)
        do {
          try context.dispatch(-1)
        } catch is Refusal {
          self.seen.yield("refused")
        }
      }
    }
  }

  private let store = MainActorStore<Int, Int>(0) { state, action in
    guard action > 0 else { throw Refusal() }
    return state + action
  }

  @Test func effectsDispatchOnTheMainActor() async throws {
    let (stream, seen) = AsyncStream.makeStream(of: String.self)
    let listener = EffectListener { Adding(seen: seen) }
    listener.listen(to: self.store)
    try self.store.dispatch(action: 1)
    var lines = stream.makeAsyncIterator()
    #expect(await lines.next() == "refused")
    #expect(await lines.next() == "refused")
    #expect(await lines.next() == "2 3")
    let message =
      "the effects of this listener dispatch on the main actor, which would wait for itself; "
      + "settle on another thread"
    #expect(throws: EngineError(.reentrant, message)) { try listener.settle() }
    try await Task.detached { try listener.settle() }.value
    #expect(listener.failedEffects == 0)
    listener.cancel()
    try self.store.dispatch(action: 1)
    try listener.settle()
    #expect(self.store.state == 4)
  }
}
