import ImmutableJSON
import TestSupport
import Testing
import Threading

@testable import StateEngine

/// When the effects of a rule begin, and how they end: with keys, times and a manual clock.
@Suite struct EffectScheduleTests {
  private let store: AnyStore
  private let events = Recorder<String>()
  private let tasks = Recorder<EffectTask>()

  init() throws {
    self.store = try Self.makeStore(["clock": "manual"], self.events, self.tasks)
  }

  /// The payload of an action is what its rule asks for. The types of other actions are recorded.
  private static func makeStore(
    _ options: Value, _ events: Recorder<String>, _ tasks: Recorder<EffectTask>
  ) throws -> AnyStore {
    let store = try AnyStore(state: 0, options: options) { state, action in
      if let type = action["type"]?.string, type != "ask" { events.append(type) }
      return state
    }
    try store.setRule { action, _, _ in
      action["type"] == "ask" ? try RequestedEffect.effects(from: action["payload"] ?? .null) : []
    }
    try store.setEffect("work") { task in
      events.append("start \(task.arguments)")
      tasks.append(task)
    }
    return store
  }

  private static func ask(_ number: Int64, _ schedule: Value, in store: AnyStore) throws {
    var members: [(String, Value)] = [
      ("effect", "work"), ("arguments", .integer(number)), ("success", "done"),
      ("failure", "failed"),
    ]
    guard case .object(let schedule) = schedule else { return }
    members += schedule.map { ($0.key, $0.value) }
    try store.dispatch(["type": "ask", "payload": [.object(JSONObject(members))]])
  }

  private func ask(_ number: Int64, _ schedule: Value) throws {
    try Self.ask(number, schedule, in: self.store)
  }

  @Test func aDelayWithTheLatestIsADebounce() throws {
    let schedule: Value = ["key": "search", "delay": 300]
    try self.ask(1, schedule)
    try self.store.advance(milliseconds: 299)
    try self.ask(2, schedule)
    try self.store.advance(milliseconds: 299)
    #expect(self.events.all == [])
    try self.store.advance(milliseconds: 1)
    #expect(self.events.all == ["start 2"])
  }

  /// Each begins the next one at once.
  @Test func effectsThatBeginEachOtherAreStopped() throws {
    let store = try AnyStore(state: 0, options: ["clock": "manual", "depth": 1]) { state, _ in
      state
    }
    try store.setEffect("again") { try? $0.resolve() }
    try store.setRule { _, _, _ in
      try RequestedEffect.effects(from: [["effect": "again", "success": "again"]])
    }
    try store.dispatch(["type": "again"])
    let error = failure { () throws(EngineError) in try store.advance(milliseconds: 0) }
    #expect(error?.code == .limit)
    #expect(
      error?.message
        == "effects begin each other without end: 1000 steps ran at one moment of the clock; "
        + "give one a \"delay\", or raise the option \"depth\"")
    #expect(failure { () throws(EngineError) in try store.settle() } == error)
  }

  @Test func anIntervalIsAThrottle() throws {
    let schedule: Value = ["key": "save", "interval": 100]
    for number in 1...3 as ClosedRange<Int64> {
      try self.ask(number, schedule)
      try self.store.advance(milliseconds: 10)
    }
    #expect(self.events.all == ["start 1"])
    // It was not cancelled by those that wait.
    try self.tasks.all.first?.resolve()
    try self.store.advance(milliseconds: 70)
    #expect(self.events.all == ["start 1", "done", "start 3"])
  }

  @Test func theNextOfAQueueBeginsAfterTheOutcome() throws {
    for number in 1...3 as ClosedRange<Int64> {
      try self.ask(number, ["key": "q", "mode": "queue"])
    }
    #expect(
      failure { () throws(EngineError) in try self.store.settle(milliseconds: 0) }?.code == .timeout
    )
    for _ in 1...3 {
      try self.tasks.all.last?.resolve()
      try? self.store.settle(milliseconds: 0)
    }
    #expect(self.events.all == ["start 1", "done", "start 2", "done", "start 3", "done"])
  }

  @Test func pausesGrowUpToTheirMaximum() throws {
    try self.ask(
      1, ["retry": ["times": 4, "delay": 100, "factor": 2, "max": 300], "timeout": 50])
    for pause in [100, 200, 300] as [Int32] {
      try self.store.advance(milliseconds: 0)
      let count = self.tasks.all.count
      try self.tasks.all.last?.reject("no")
      try self.store.advance(milliseconds: pause - 1)
      #expect(self.tasks.all.count == count)
      try self.store.advance(milliseconds: 1)
      #expect(self.tasks.all.count == count + 1)
    }
    // This attempt takes too long, and the next one is the last.
    try self.store.advance(milliseconds: 50 + 300)
    #expect(self.tasks.all.count == 5)
    try self.tasks.all.last?.reject("no")
    try self.store.settle()
    #expect(self.events.all.last == "failed")
  }

  @Test func whatIsAnsweredCanBeCancelledUntilItIsDispatched() throws {
    try self.ask(1, ["key": "a", "cancelled": "stopped"])
    try self.store.advance(milliseconds: 0)
    try self.tasks.all.first?.resolve()
    try self.store.dispatch(["type": "ask", "payload": [["cancel": "a"]]])
    try self.store.settle()
    #expect(self.events.all == ["start 1", "stopped"])
  }

  @Test func aLateAnswerIsCounted() throws {
    try self.ask(1, ["key": "a"])
    try self.store.advance(milliseconds: 0)
    try self.ask(2, ["key": "a"])
    let task = try #require(self.tasks.all.first)
    #expect(task.isCancelled && !task.hasEnded)
    #expect(failure { () throws(EngineError) in try task.resolve() }?.code == .closed)
    #expect(task.hasEnded)
    #expect(try self.store.statistics()["lateOutcomes"] == 1)
  }

  @Test func aCancellationIsToldOnce() throws {
    let released = Recorder<Int>()
    try self.ask(1, ["key": "a"])
    try self.store.advance(milliseconds: 0)
    let first = try #require(self.tasks.all.first)
    try first.onCancel(release: { released.append(1) }) { self.events.append("told 1") }
    try self.ask(2, ["key": "a"])
    try self.store.advance(milliseconds: 0)
    #expect(first.hasEnded)
    let second = try #require(self.tasks.all.last)
    try self.store.dispatch(["type": "ask", "payload": [["cancel": "a"]]])
    // It was cancelled before.
    try second.onCancel(release: { released.append(2) }) { self.events.append("told 2") }
    #expect(second.hasEnded)
    #expect(self.events.all == ["start 1", "told 1", "start 2", "told 2"])
    #expect(released.all == [1, 2])
    #expect(failure { () throws(EngineError) in try second.onCancel {} }?.code == .closed)
  }

  @Test func closingCancelsAll() throws {
    try self.ask(1, [:])
    try self.ask(2, ["key": "a"])
    try self.ask(3, ["delay": 10])
    try self.store.advance(milliseconds: 0)
    for (number, task) in self.tasks.all.enumerated() {
      try task.onCancel { self.events.append("told \(number + 1)") }
    }
    self.store.close()
    #expect(Set(self.events.all.suffix(2)) == ["told 1", "told 2"])
    #expect(self.events.all.count == 4)
  }

  /// With the clock of the system, and so on threads of the store.
  @Test func delaysPassByThemselves() throws {
    let events = Recorder<String>()
    let store = try Self.makeStore([:], events, self.tasks)
    defer { store.close() }
    try store.setEffect("work") { task in
      events.append("start \(task.arguments)")
      if task.arguments == 2 { try? task.resolve() }
    }
    try Self.ask(1, ["timeout": 1, "retry": ["times": 1, "delay": 1]], in: store)
    try Self.ask(2, ["key": "a", "delay": 1], in: store)
    try store.settle()
    // An attempt that begins late may take too long before its function is called.
    #expect(events.all.filter { $0 != "start 1" }.sorted() == ["done", "failed", "start 2"])
  }

  @Test func theClockSaysTheTimesOfCommits() throws {
    let store = try AnyStore(
      state: 0, options: ["clock": "manual", "history": ["group": ["within": 1000]]]
    ) { _, action in action["payload"] ?? 0 }
    for number in 1...3 as ClosedRange<Int64> {
      try store.dispatch(["type": "set", "payload": .integer(number)])
      try store.advance(milliseconds: number == 1 ? 999 : 1001)
    }
    #expect(try store.undo(1) == 1)
    #expect(try store.state() == 2)
  }

  @Test(
    arguments: [
      ([["effect": "e", "mode": "first"]], "effects/0/mode: it is about effects of one key"),
      ([["effect": "e", "interval": 5]], "effects/0/interval: it is about effects of one key"),
      ([["effect": "e", "key": "k", "mode": "last"]], "effects/0/mode"),
      ([["effect": "e", "delay": -1]], "effects/0/delay: -1 is not a number of milliseconds"),
      ([["effect": "e", "timeout": 1.5]], "effects/0/timeout"),
      ([["effect": "e", "retry": ["times": 1001]]], "effects/0/retry/times: 1001 is not between"),
      ([["effect": "e", "retry": ["delay": 5]]], "effects/0/retry"),
      ([["effect": "e", "retry": ["times": 1, "factor": 0.5]]], "effects/0/retry/factor"),
      ([["cancel": "k", "effect": "e"]], "effects/0"),
      ([["cancel": 7]], "effects/0/cancel"),
    ] as [(Value, String)])
  func aWrongScheduleIsRefused(_ effects: Value, _ message: String) {
    let error = failure { () throws(EngineError) in
      _ = try RequestedEffect.effects(from: effects)
    }
    #expect(error?.code == .invalidArgument && error?.message.hasPrefix(message) == true)
  }

  @Test func aClockOfTheSystemIsNotMoved() throws {
    let store = try AnyStore(state: 0) { state, _ in state }
    let error = failure { () throws(EngineError) in try store.advance(milliseconds: 1) }
    #expect(error?.code == .invalidArgument)
    #expect(
      failure { () throws(EngineError) in try self.store.receive() }?.code == .invalidArgument)
    #expect(
      failure { () throws(EngineError) in try self.store.advance(milliseconds: -1) }?.code
        == .invalidArgument)
    #expect(
      failure { () throws(EngineError) in
        _ = try AnyStore(state: 0, options: ["clock": "moved"]) { state, _ in state }
      }?.code == .invalidArgument)
  }

  @Test func anEffectCannotMoveTheClock() throws {
    let codes = Recorder<EngineError.Code?>()
    let store = self.store
    try store.setEffect("work") { task in
      codes.append(failure { () throws(EngineError) in try store.advance(milliseconds: 1) }?.code)
      try? task.resolve()
    }
    try self.ask(1, [:])
    try store.advance(milliseconds: 0)
    #expect(codes.all == [.reentrant])
  }
}
