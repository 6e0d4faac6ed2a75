import ImmutableData
import ImmutableJSON
import StateEngine
import TestSupport
import Testing

/// A game that asks the program for a timer, a random number, the time and a dialog.
enum DiceDomain: Domain {
  struct State: Codable, Sendable, Equatable {
    var log: [String] = []
  }

  enum Action: Codable, Sendable {
    case ask(effect: String)
    case log(entry: String)
  }

  struct Roll: Codable, Sendable, Equatable {
    var sides: Int
  }

  static let timer = ProgramEffect<Int, NoValue>(
    "timer", "Waits for some milliseconds.", arguments: .integer)
  static let roll = ProgramEffect<Roll, Int>(
    "roll", "Rolls a die.", arguments: .object([.init("sides", .integer, "How many sides.")]),
    result: .integer)
  static let clock = ProgramEffect<NoValue, Double>("clock", "The time.", result: .number)
  static let dialog = ProgramEffect<String, Bool?>(
    "dialog", "Asks the user.", arguments: .string, result: .nullable(.boolean))

  struct Session: Effects {
    func effect(
      of action: Action, from oldState: State, to newState: State
    ) -> Effect<State, Action>? {
      guard case .ask(let effect) = action else { return nil }
      return { context in
        switch effect {
        case "timer": try context.perform(timer, 100) { try $0.log("timer", $1.map { _ in "" }) }
        case "roll": try context.perform(roll, Roll(sides: 6)) { try $0.log("roll", $1) }
        case "clock": try context.perform(clock, NoValue()) { try $0.log("clock", $1) }
        case "unlisted":
          try context.perform(ProgramEffect<Int, NoValue>("unlisted", ""), 1) { _, _ in }
        case "throwing": try context.perform(timer, 100) { _ = try $1.get() }
        default: try context.perform(dialog, "Again?") { try $0.log("dialog", $1) }
        }
      }
    }
  }

  static let name = "dice"
  static let summary = "A game."
  static let initialState = State()
  static var stateSchema: Schema { .any }
  static var actions: [ActionDescription<Action>] {
    [
      .init("ask", "Asks for an effect.", payload: [.init("effect", .string, "Its name.")]),
      .init("log", "Adds to the log.", payload: [.init("entry", .string, "The entry.")]),
    ]
  }
  static var selectors: [SelectorDescription<State>] {
    [.init("selectLog", "All entries.", output: .array(.string)) { $0.log }]
  }
  static var programEffects: [ProgramEffectDescription] {
    [timer.description, roll.description, clock.description, dialog.description]
  }

  static func reduce(_ state: State, _ action: Action) throws -> State {
    guard case .log(let entry) = action else { return state }
    return State(log: state.log + [entry])
  }

  static func makeEffects(
    _ options: Value, _ fetcher: Fetcher
  ) throws -> (any Effects<State, Action>)? {
    Session()
  }
}

extension EffectContext<DiceDomain.State, DiceDomain.Action> {
  fileprivate func log(_ name: String, _ outcome: Result<some Any, ProgramTaskError>) throws {
    switch outcome {
    case .success(let value): try self.dispatch(.log(entry: "\(name) \(value)"))
    case .failure(let error): try self.dispatch(.log(entry: "\(name) failed: \(error)"))
    }
  }
}

@Suite struct ProgramEffectTests {
  private let store: AnyStore

  init() throws {
    self.store = try AnyStore(DiceDomain.self)
  }

  private func ask(_ names: String...) throws {
    for name in names {
      try self.store.dispatch(["type": "ask", "payload": ["effect": .string(name)]])
    }
  }

  private func checkLog(_ expected: String...) throws {
    #expect(
      try self.store.select("selectLog") == .array(JSONArray(expected.map(Value.string))))
  }

  @Test func theProgramPerformsTypedEffects() throws {
    try self.store.setEffect(DiceDomain.roll) { roll, answer in
      #expect(roll == DiceDomain.Roll(sides: 6))
      try? answer.resolve(4)
    }
    try self.store.setEffect(DiceDomain.clock) { _, answer in try? answer.resolve(12.5) }
    try self.store.setEffect(DiceDomain.timer) { milliseconds, answer in
      #expect(milliseconds == 100)
      try? answer.resolve()
    }
    try self.store.setEffect(DiceDomain.dialog) { question, answer in
      #expect(question == "Again?")
      try? answer.resolve(nil)
    }
    try self.ask("roll", "clock", "timer", "dialog")
    try self.store.settle()
    try self.checkLog("roll 4", "clock 12.5", "timer ", "dialog nil")
    let statistics = try self.store.statistics()
    #expect(statistics["effects"] == 8)
    #expect(statistics["effectsInFlight"] == 0)
    #expect(statistics["requestsInFlight"] == 0)
    #expect(statistics["optimisticUpdates"] == nil)
    #expect(statistics["failedEffects"] == 0)
  }

  /// A dialog stays open while other effects begin and end.
  @Test func aPendingEffectDelaysNoOther() throws {
    let dialogs = Recorder<EffectTask>()
    let timers = Recorder<EffectTask>()
    try self.store.setEffect("dialog") { dialogs.append($0) }
    try self.store.setEffect("timer") { timers.append($0) }
    let rolls = Recorder<EffectTask>()
    try self.store.setEffect("roll") {
      try? $0.resolve(1)
      rolls.append($0)
    }
    try self.ask("dialog", "timer", "roll")
    rolls.wait(for: 1)
    let timeout = failure { () throws(EngineError) in try self.store.settle(milliseconds: 1) }
    #expect(timeout?.code == .timeout)
    #expect(try self.store.statistics()["effectsInFlight"] == 2)
    try #require(timers.first()).resolve()
    try #require(dialogs.first()).resolve(true)
    try self.store.settle()
    try self.checkLog("roll 1", "timer ", "dialog Optional(true)")
  }

  @Test func failuresHaveMessages() throws {
    try self.store.setEffect("roll") { try? $0.resolve("six") }
    try self.store.setEffect("clock") { try? $0.reject("no clock here") }
    try self.store.setEffect(ProgramEffect<[Int], NoValue>("dialog", "Not the declared type.")) {
      _, answer in try? answer.resolve()
    }
    try self.ask("roll", "clock", "dialog", "timer")
    try self.store.settle()
    try self.checkLog(
      "roll failed: the effect \"roll\": result: expected an integer, found a string",
      "clock failed: no clock here",
      "dialog failed: the effect \"dialog\": arguments: expected an array, found a string",
      "timer failed: the program has not set a function for the effect \"timer\"")
  }

  @Test func anEffectEndsOnce() throws {
    let tasks = Recorder<EffectTask>()
    try self.store.setEffect("roll") { tasks.append($0) }
    try self.ask("roll")
    let task = try #require(tasks.first())
    let won = Recorder<Int>()
    onThreads(4) { _ in
      if failure({ () throws(EngineError) in try task.resolve(3) }) == nil { won.append(1) }
    }
    #expect(won.all == [1])
    #expect(
      failure { () throws(EngineError) in try task.reject("late") }
        == EngineError(
          .closed, "the effect has ended: it was answered or cancelled, or its store was closed"))
    try self.store.settle()
    try self.checkLog("roll 3")
  }

  @Test func closeEndsEffectsAndReleasesFunctions() throws {
    let tasks = Recorder<EffectTask>()
    let released = Recorder<String>()
    try self.store.setEffect("roll", release: { released.append("roll") }) { tasks.append($0) }
    try self.store.setEffect("dialog", release: { released.append("dialog") }) { _ in }
    try self.ask("roll")
    let task = try #require(tasks.first())
    try self.store.removeEffect("dialog")
    #expect(released.all == ["dialog"])
    self.store.close()
    #expect(released.all == ["dialog", "roll"])
    #expect(failure { () throws(EngineError) in try task.resolve(1) }?.code == .closed)
    #expect(
      failure { () throws(EngineError) in try self.store.setEffect("roll") { _ in } }?.code
        == .closed)
  }

  /// Inside the function of an effect, nothing waits for that function.
  @Test func aFunctionCanReplaceItself() throws {
    let released = Recorder<Int>()
    let store = self.store
    try self.store.setEffect("roll", release: { released.append(1) }) { [weak store] task in
      try? store?.setEffect("roll", release: { released.append(2) }) { try? $0.resolve(2) }
      #expect(released.all.isEmpty)
      try? task.resolve(1)
    }
    try self.ask("roll", "roll")
    try self.store.settle()
    try self.checkLog("roll 1", "roll 2")
    #expect(released.all == [1])
  }

  @Test func aNameMustNotBeEmpty() {
    #expect(
      failure { () throws(EngineError) in try self.store.setEffect("") { _ in } }
        == EngineError(.invalidArgument, "the name of an effect must not be empty"))
  }

  /// A store with the program's own reducer accepts every name.
  @Test func onlyEffectsOfTheDomainHaveFunctions() throws {
    #expect(
      failure { () throws(EngineError) in try self.store.setEffect("rol") { _ in } }
        == EngineError(.invalidArgument, "unknown effect \"rol\"; did you mean \"roll\"?"))
    #expect(
      failure { () throws(EngineError) in try self.store.removeEffect("rol") }?.code
        == .invalidArgument)
    let pen = try AnyStore(PenDomain.self)
    #expect(
      failure { () throws(EngineError) in try pen.setEffect("roll") { _ in } }
        == EngineError(
          .invalidArgument,
          "unknown effect \"roll\": this store asks the program for no effects"))
    try AnyStore(state: 0) { state, _ in state }.setEffect("rol") { _ in }
  }

  @Test func anEffectThatIsNotListedIsNotPerformed() throws {
    let errors = Recorder<EngineError>()
    try self.store.setEffectErrorHandler { errors.append($0) }
    try self.ask("unlisted")
    try self.store.settle()
    #expect(
      errors.all == [
        EngineError(
          .invalidArgument,
          "an effect after \"ask\": programEffects of the domain does not list the effect "
            + "\"unlisted\"; add its description")
      ])
  }

  /// The completion of a typed effect that throws names the effect.
  @Test func aFailedCompletionNamesTheEffect() throws {
    let errors = Recorder<EngineError>()
    try self.store.setEffectErrorHandler { errors.append($0) }
    try self.store.setEffect("timer") { try? $0.reject("no timer") }
    try self.ask("throwing")
    try self.store.settle()
    #expect(errors.all == [EngineError(.io, "the effect \"timer\": no timer")])
  }

  @Test func theDescriptionListsTheEffects() throws {
    let registry = try DomainRegistry([DiceDomain.self, PenDomain.self])
    guard case .array(let domains) = registry.descriptions else {
      Issue.record("no array")
      return
    }
    #expect(
      domains[0]["effects"] == [
        [
          "name": "timer", "summary": "Waits for some milliseconds.",
          "arguments": ["type": "integer"],
        ],
        [
          "name": "roll", "summary": "Rolls a die.", "arguments": DiceDomain.rollSchema,
          "result": ["type": "integer"],
        ],
        ["name": "clock", "summary": "The time.", "result": ["type": "number"]],
        [
          "name": "dialog", "summary": "Asks the user.", "arguments": ["type": "string"],
          "result": ["anyOf": [["type": "boolean"], ["type": "null"]]],
        ],
      ])
    #expect(domains[1]["effects"] == nil)
  }

  /// A typed store without JSON has the same effects.
  @Test func aListenerPerformsEffects() throws {
    let store = Store<DiceDomain.State, DiceDomain.Action>(
      initialState: .init(), reducer: DiceDomain.reduce)
    let functions = EffectFunctions()
    functions.set(DiceDomain.roll) { _, answer in try? answer.resolve(5) }
    let listener = EffectListener(functions: functions) { DiceDomain.Session() }
    listener.listen(to: store)
    try store.dispatch(action: .ask(effect: "roll"))
    try store.dispatch(action: .ask(effect: "clock"))
    try listener.settle()
    #expect(
      Set(store.state.log) == [
        "roll 5", "clock failed: the program has not set a function for the effect \"clock\"",
      ])
  }
}

extension DiceDomain {
  fileprivate static var rollSchema: Value {
    Schema.object([.init("sides", .integer, "How many sides.")]).json
  }
}
