import ImmutableJSON
import StateEngine
import TestSupport
import Testing
import Threading

/// A domain whose state calls `onCompare` when it is compared.
private enum ComparingDomain: Domain {
  struct State: Codable, Sendable {
    var count = Count(value: 0)
  }

  struct Count: Codable, Equatable, Sendable {
    var value: Int

    @TaskLocal static var onCompare: @Sendable () -> Void = {}

    static func == (left: Self, right: Self) -> Bool {
      self.onCompare()
      return left.value == right.value
    }
  }

  enum Action: Codable, Sendable { case increment }

  static let name = "comparing"
  static let summary = "A count."
  static let initialState = State()
  static var stateSchema: Schema {
    .object([.init("count", .object([.init("value", .integer, "The count.")]), "The count.")])
  }
  static var actions: [ActionDescription<Action>] { [.init("increment", "Adds one.")] }
  static var selectors: [SelectorDescription<State>] {
    [
      .init("selectCount", "The count.", output: .integer, reads: [StatePart(\.count)]) {
        $0.count.value
      }
    ]
  }

  static func reduce(_ state: State, _ action: Action) throws -> State {
    State(count: Count(value: state.count.value + 1))
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)

  func increment() -> Int {
    self.count.withLock { count in
      count += 1
      return count
    }
  }
}

@Suite struct StateComparisonTests {
  /// The engine compares states without holding a lock; otherwise this would deadlock.
  @Test func aComparisonMayUseTheStore() throws {
    let store = try AnyStore(ComparingDomain.self)
    let (deliveries, other) = (DeliveryRecorder(), DeliveryRecorder())
    try store.observe("selectCount") { deliveries.append($0) }
    let ended = try store.observe("selectCount") { other.append($0) }
    let compared = Counter()
    try ComparingDomain.Count.$onCompare.withValue({
      guard compared.increment() == 1 else { return }
      ended.cancel()
      #expect((try? store.select("selectCount")) == 1)
      #expect((try? store.statistics()) != nil)
      #expect((try? store.observe("selectCount") { other.append($0) }) != nil)
    }) {
      try store.dispatch(["type": "increment"])
    }
    #expect(compared.increment() > 1)
    #expect(deliveries.texts == ["0", "1"])
    // From the cancelled observation, and from the one that began meanwhile.
    #expect(other.texts == ["0", "1"])
  }
}
