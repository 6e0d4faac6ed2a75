import ImmutableJSON
import StateEngine
import TestSupport
import Testing
import Threading

/// Observers that dispatch in a circle.
@Suite struct CausalDepthTests {
  private final class Gate: Sendable {
    private let isOpen = Mutex(false)
    private let opening = Condition()

    func open() {
      self.isOpen.withLock { $0 = true }
      self.opening.broadcast()
    }

    func wait() {
      self.isOpen.wait(for: self.opening) { $0 }
    }
  }

  private let failures = Recorder<EngineError>()

  private func dispatch(_ type: Value, to store: AnyStore) {
    do {
      try store.dispatch(["type": type])
    } catch {
      self.failures.append(error)
    }
  }

  /// A store that counts the actions of each type.
  private static func makeStore(_ options: Value? = nil) throws -> AnyStore {
    let store = try AnyStore(state: ["ping": 0, "pong": 0], options: options) { state, action in
      guard case .string(let type) = action["type"], case .integer(let count) = state[type] else {
        return state
      }
      return try state.merging(patch: .object([type: .integer(count + 1)]))
    }
    for name in ["ping", "pong"] { try store.define(name, name) }
    return store
  }

  /// An observer of each of two counts makes the other one grow.
  private func observe(_ store: AnyStore, and other: AnyStore) throws {
    var options = ObservationOptions()
    options.initial = false
    try store.observe("ping", [:], options) { _ in self.dispatch("pong", to: other) }
    options.label = "the second"
    try other.observe("pong", [:], options) { _ in self.dispatch("ping", to: store) }
  }

  @Test func theErrorNamesTheObserversAndTheActions() throws {
    let store = try Self.makeStore(["depth": 20])
    try self.observe(store, and: store)
    try store.dispatch(["type": "ping"])
    #expect(try store.state() == ["ping": 11, "pong": 10])
    #expect(self.failures.all.map(\.code) == [.limit])
    #expect(
      self.failures.all.first?.message
        == "observers dispatch in a circle, 20 deep; compare before you dispatch, or raise the "
        + #"option "depth"; the last: "the second" after "pong", "ping" after "ping""#)
  }

  @Test func aCircleThroughTwoStoresNamesBoth() throws {
    let (first, second) = (try Self.makeStore(["depth": 9]), try Self.makeStore(["depth": 9]))
    try self.observe(first, and: second)
    try first.dispatch(["type": "ping"])
    #expect(self.failures.all.count == 1)
    let message = self.failures.all.first?.message ?? ""
    #expect(message.contains("\"the second\" after \"pong\""))
    #expect(message.contains("\"ping\" after \"ping\""))
    #expect(try first.query("ping") == 5)
    #expect(try second.query("pong") == 5)
  }

  /// The observers of one store dispatch to another one while other threads deliver there.
  @Test func theDepthFollowsToTheThreadThatDelivers() throws {
    let (first, second) = (try Self.makeStore(["depth": 100]), try Self.makeStore(["depth": 100]))
    try self.observe(first, and: second)
    onThreads(4) { index in
      for _ in 0..<5 {
        try? (index % 2 == 0 ? first : second).dispatch(["type": index % 2 == 0 ? "ping" : "pong"])
      }
    }
    // Each of the 20 dispatches began a chain, and each chain ended.
    #expect(self.failures.all.count == 20)
    guard case .integer(let pings) = try first.query("ping"),
      case .integer(let pongs) = try second.query("pong")
    else {
      Issue.record("no numbers")
      return
    }
    #expect(pings + pongs == 20 * 101)
  }

  /// The initial output of an observation that a callback begins while another thread delivers.
  @Test func theDepthFollowsWorkThatIsHandedOver() throws {
    let (first, second) = (try Self.makeStore(), try Self.makeStore(["depth": 1]))
    let (isDelivering, hasObserved) = (Gate(), Gate())
    var options = ObservationOptions()
    options.initial = false
    try second.observe("pong", [:], options) { delivery in
      if case .value(2) = delivery.content { return self.dispatch("pong", to: second) }
      isDelivering.open()
      hasObserved.wait()
    }
    try first.observe("ping", [:], options) { _ in
      // Its initial output is delivered by the other thread, and is part of this delivery.
      _ = try? second.observe("ping") { _ in self.dispatch("pong", to: second) }
      hasObserved.open()
    }
    onThreads(2) { index in
      if index == 0 {
        try? second.dispatch(["type": "pong"])
      } else {
        isDelivering.wait()
        try? first.dispatch(["type": "ping"])
      }
    }
    #expect(self.failures.all.map(\.code) == [.limit])
    #expect(try second.query("pong") == 2)
  }

  /// Each poll delivers only what waits at its beginning, so a circle ends none.
  @Test func aPollBeginsAnew() throws {
    let store = try Self.makeStore(["depth": 1])
    var options = ObservationOptions()
    (options.initial, options.when) = (false, .queued)
    try store.observe("ping", [:], options) { _ in self.dispatch("ping", to: store) }
    try store.dispatch(["type": "ping"])
    for _ in 0..<10 { #expect(try store.poll() == 1) }
    #expect(self.failures.all.isEmpty)
    #expect(try store.query("ping") == 11)
  }

  @Test(arguments: [
    (#"{"depth":0}"#, "options/depth: expected a number of at least 1, found 0"),
    (
      #"{"depth":1000001}"#, "options/depth: expected a number of at most 1000000, found 1000001"
    ),
    (#"{"depth":"1"}"#, "options/depth: expected an integer, found a string"),
  ])
  func anInvalidDepthIsRefused(_ options: String, _ message: String) {
    let error = #expect(throws: EngineError.self) { try Self.makeStore(Value(json: options)) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == message)
  }
}
