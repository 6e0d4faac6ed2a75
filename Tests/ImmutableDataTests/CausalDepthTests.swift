import ImmutableData
import Testing

/// Subscribers that dispatch in a circle.
@Suite struct CausalDepthTests {
  private final class Outcomes: @unchecked Sendable {
    var errors: [CausalDepthError] = []
  }

  private let outcomes = Outcomes()

  private func dispatch(_ action: Int, to store: Store<Int, Int>) {
    do {
      try store.dispatch(action: action)
    } catch {
      if let error = error as? CausalDepthError { self.outcomes.errors.append(error) }
    }
  }

  private static func makeStore() -> Store<Int, Int> {
    Store(initialState: 0, history: HistoryOptions()) { $0 + $1 }
  }

  @Test func aCircleEnds() throws {
    let store = Self.makeStore()
    let subscription = store.subscribe { [store] _ in self.dispatch(1, to: store) }
    defer { subscription.cancel() }
    try store.dispatch(action: 1)
    #expect(store.state == 1001)
    #expect(self.outcomes.errors.map(\.limit) == [1000])
    // The next dispatch begins at 0 again.
    try store.dispatch(action: 1)
    #expect(store.state == 2002)
    #expect(
      self.outcomes.errors.last?.description
        == "observers dispatch in a circle, 1000 deep; compare before you dispatch, or raise the "
        + "option \"depth\"; the last: a subscriber")
  }

  /// Each delivery leads to two dispatches, so the chains stay short.
  @Test func aCircleThatBranchesEnds() throws {
    // Chains of 12 would be 8,191 dispatches.
    let store = Store<Int, Int>(initialState: 0, depth: 12) { $0 + $1 }
    let subscriptions = (0..<2).map { _ in
      store.subscribe { [store] _ in self.dispatch(1, to: store) }
    }
    defer { for subscription in subscriptions { subscription.cancel() } }
    try store.dispatch(action: 1)
    #expect((1_200...2_500).contains(store.state))
    #expect(self.outcomes.errors.first?.waiting == 1_201)
    #expect(
      self.outcomes.errors.first?.description.hasPrefix(
        "observers dispatch in a circle, and 1201 actions wait for them; compare") == true)
  }

  /// One delivery may lead to many dispatches.
  @Test func manyDispatchesInOneObserverAreNoCircle() throws {
    let store = Store<Int, Int>(initialState: 0, depth: 50) { $0 + $1 }
    let subscription = store.subscribe { [store] commit in
      guard commit.oldState == 0 else { return }
      for _ in 0..<5_000 { self.dispatch(1, to: store) }
    }
    defer { subscription.cancel() }
    try store.dispatch(action: 1)
    #expect(store.state == 5_001)
    #expect(self.outcomes.errors.isEmpty)
  }

  @Test func aCircleThroughTwoStoresEnds() throws {
    let (first, second) = (Self.makeStore(), Self.makeStore())
    let subscriptions = [
      first.subscribe { _ in self.dispatch(1, to: second) },
      second.subscribe { _ in self.dispatch(1, to: first) },
    ]
    defer { for subscription in subscriptions { subscription.cancel() } }
    try first.dispatch(action: 1)
    #expect(first.state + second.state == 1001)
    #expect(self.outcomes.errors.count == 1)
  }

  @Test func aCircleOfUndoAndRedoEnds() throws {
    let store = Self.makeStore()
    let subscription = store.subscribe { [store] commit in
      do {
        if commit.newState == 0 { try store.redo() } else { try store.undo() }
      } catch {
        if let error = error as? CausalDepthError { self.outcomes.errors.append(error) }
      }
    }
    defer { subscription.cancel() }
    try store.dispatch(action: 1)
    #expect(self.outcomes.errors.count == 1)
  }

  /// Each dispatch of a loop inside a subscriber has the same depth.
  @Test func manyDispatchesOfOneSubscriberAreNoCircle() throws {
    let store = Self.makeStore()
    let subscription = store.subscribe { [store] commit in
      guard commit.number == 1 else { return }
      for _ in 0..<2000 { self.dispatch(1, to: store) }
    }
    defer { subscription.cancel() }
    try store.dispatch(action: 1)
    #expect(store.state == 2001)
    #expect(self.outcomes.errors.isEmpty)
  }
}
