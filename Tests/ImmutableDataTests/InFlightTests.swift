@testable import ImmutableData
import TestSupport
import Testing

/// Random optimistic updates beside a naive fold of the actions in their final order.
@Suite struct InFlightTests {
  /// Adds an element that the state has not, if it has another one.
  private struct Add: Sendable {
    let element: Int
    let needs: Int?

    static func random(using random: inout SeededGenerator) -> Self {
      let needs = random.isOne(in: 3)
      return Self(
        element: .random(in: 0..<12, using: &random),
        needs: needs ? .random(in: 0..<12, using: &random) : nil)
    }
  }

  private typealias Changes = InFlight<[Int], Add>

  private struct Pending {
    let action: Add
    var key: String?
  }

  private static let reduce: Changes.Reduce = { state, action, _ in
    let isAllowed = action.needs.map(state.contains) ?? true
    guard isAllowed, !state.contains(action.element) else { throw Refusal(action: action.element) }
    return state + [action.element]
  }

  /// The state after all actions that are not refused, and the pending actions among them.
  private static func fold(
    _ state: [Int], _ foreign: [Add], _ pending: [Pending]
  ) -> (state: [Int], pending: [Pending]) {
    var state = state
    for action in foreign {
      state = (try? self.reduce(state, action, .reduce)) ?? state
    }
    let kept = pending.filter { pending in
      guard let next = try? self.reduce(state, pending.action, .anticipate) else { return false }
      state = next
      return true
    }
    return (state, kept)
  }

  /// Actions before the oldest change in flight are no longer pending.
  private static func settle(_ base: inout [Int], _ pending: inout [Pending]) {
    while let first = pending.first, first.key == nil {
      base = (try? self.reduce(base, first.action, .reduce)) ?? base
      pending.removeFirst()
    }
  }

  private func makePending(
    _ base: [Int], using random: inout SeededGenerator
  ) throws -> (Changes, state: [Int], [Pending]) {
    var (changes, state, pending) = (Changes(), base, [Pending]())
    for number in 0..<Int.random(in: 1..<10, using: &random) {
      let action = Add.random(using: &random)
      let key = pending.isEmpty || Bool.random(using: &random) ? "\(number % 4)" : nil
      guard let next = try? Self.reduce(state, action, .anticipate) else { continue }
      changes.append(
        .init(
          number: number, state: state, action: action, reducerKind: .anticipate,
          key: key.map { ChangeKey($0, by: 0) }))
      state = next
      pending.append(Pending(action: action, key: key))
    }
    return (changes, state, pending)
  }

  @Test(arguments: seeds(200))
  func rebaseIsAFoldOfTheFinalOrder(_ seed: Int) throws {
    var random = SeededGenerator(seed)
    var base = Array((0..<12).filter { _ in Bool.random(using: &random) })
    var (changes, state, pending) = try self.makePending(base, using: &random)
    for _ in 0..<6 {
      let foreign = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
        Add.random(using: &random)
      }
      // The order of a log: the actions of others, then the pending ones.
      Self.settle(&base, &pending)
      let expected = Self.fold(base, foreign, pending)
      base = Self.fold(base, foreign, []).state
      state = try changes.rebase(onto: base, Self.reduce)
      pending = expected.pending
      #expect(state == expected.state)

      // A roll-back afterwards is the same fold without that action.
      Self.settle(&base, &pending)
      let keys = pending.compactMap(\.key)
      guard let key = keys.randomElement(using: &random),
        let index = pending.firstIndex(where: { $0.key == key })
      else { continue }
      pending.remove(at: index)
      let rolledBack = Self.fold(base, [], pending)
      pending = rolledBack.pending
      let change = try #require(changes.oldestChange(ChangeKey(key, by: 0)))
      #expect(try changes.remove([change], ReducedStates(), Self.reduce) == rolledBack.state)
    }
  }

  @Test func anInterruptionStopsARebase() throws {
    var changes = Changes()
    changes.append(
      .init(
        number: 1, state: [], action: Add(element: 1, needs: nil), reducerKind: .anticipate,
        key: ChangeKey("a", by: 0)))
    #expect(throws: ReducerInterruption.self) {
      try changes.rebase(onto: [2]) { _, _, _ in throw ReducerInterruption(Refusal(action: 0)) }
    }
  }
}
