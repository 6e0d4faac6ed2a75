import Foundation
import StateEngine
import Testing

/// A domain that counts its live states.
private enum TokenDomain: Domain {
  final class Token: Codable, Sendable {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var count = 0

    static var living: Int {
      self.lock.withLock { self.count }
    }

    init() {
      Self.lock.withLock { Self.count += 1 }
    }

    init(from decoder: any Decoder) throws {
      Self.lock.withLock { Self.count += 1 }
    }

    deinit {
      Self.lock.withLock { Self.count -= 1 }
    }
  }

  struct State: Codable, Sendable {
    var token = Token()
  }

  enum Action: Codable, Sendable {
    case write, begin, succeed, fail
  }

  static let name = "token"
  static let summary = "Nothing but an identity."
  static var initialState: State { State() }
  static var stateSchema: Schema { .any }
  static var selectors: [SelectorDescription<State>] { [] }

  static var actions: [ActionDescription<Action>] {
    ["write", "begin", "succeed", "fail"].map { .init($0, "Makes a state.") }
  }

  static let optimisticUpdates = OptimisticUpdates<State, Action> { action, _ in
    switch action {
    case .write: nil
    case .begin: .begins("key")
    case .succeed: .succeeds("key")
    case .fail: .fails("key")
    }
  }

  static func reduce(_ state: State, _ action: Action) -> State {
    State()
  }
}

@Suite struct OptimisticUpdateMemoryTests {
  /// States are retained from the oldest change in flight on.
  @Test func statesAreFreedWhenNothingIsInFlight() throws {
    let store = try AnyStore(TokenDomain.self, options: ["optimistic": true])
    let rows = [
      ("write", 1), ("begin", 2), ("write", 3), ("begin", 4), ("write", 5), ("succeed", 4),
      ("write", 5), ("succeed", 1), ("begin", 2), ("write", 3), ("fail", 1), ("begin", 2),
      ("begin", 3), ("fail", 3), ("write", 4), ("succeed", 1),
    ]
    for (number, (type, living)) in rows.enumerated() {
      try store.dispatch(["type": .string(type)])
      #expect(TokenDomain.Token.living == living, "\(type) \(number)")
    }
  }
}
