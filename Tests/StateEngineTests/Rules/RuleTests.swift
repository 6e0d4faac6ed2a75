import ImmutableJSON
import StateEngine
import TestSupport
import Testing
import Threading

/// Rules: a store with a reducer of the program asks for effects.
@Suite struct RuleTests {
  private let store: AnyStore
  private let errors = Recorder<EngineError>()

  init() throws {
    self.store = try AnyStore(state: [], options: ["optimistic": true]) { state, action in
      if action["type"] == "refused" { throw EngineError(.reducerFailed, "no") }
      guard case .array(let log) = state else { return state }
      return .array(JSONArray(Array(log) + [action]))
    }
    let errors = self.errors
    try self.store.setEffectErrorHandler { errors.append($0) }
  }

  /// Asks for what the payload of an action says.
  private func askForPayloads() throws {
    try self.store.setRule { action, _, _ in
      action["type"] == "ask" ? try RequestedEffect.effects(from: action["payload"] ?? .null) : []
    }
  }

  private func ask(_ effects: Value) throws {
    try self.store.dispatch(["type": "ask", "payload": effects])
    try self.store.settle()
  }

  private func lastAction() throws -> Value? {
    guard case .array(let log) = try self.store.state() else { return nil }
    return log.count > 0 ? log[log.count - 1] : nil
  }

  @Test func outcomesBecomeActions() throws {
    try self.askForPayloads()
    try self.store.setEffect("echo") { try? $0.resolve($0.arguments) }
    try self.ask([["effect": "echo", "arguments": [1, 2], "success": "echoed"]])
    #expect(try self.lastAction() == ["type": "echoed", "payload": [1, 2]])
    try self.ask([["effect": "echo", "success": ["type": "echoed", "meta": ["id": 7]]]])
    #expect(try self.lastAction() == ["type": "echoed", "payload": .null, "meta": ["id": 7]])
    try self.ask([["effect": "none", "failure": "failed"]])
    #expect(
      try self.lastAction() == [
        "type": "failed",
        "payload": ["reason": "the program has not set a function for the effect \"none\""],
      ])
    #expect(self.errors.all == [])
    let statistics = try self.store.statistics()
    #expect(statistics["effects"] == 3)
    #expect(statistics["failedEffects"] == 0)
  }

  /// Streams get an action as it is committed, then rules, then observers in the order in which
  /// they began, whichever was set first.
  @Test func theOrderOfReadersIsFixed() throws {
    let log = Recorder<String>()
    try self.store.define("count", "length(@)")
    for number in 1...2 {
      try self.store.observe("count", [:], ObservationOptions(["initial": false])) { _ in
        log.append("observer \(number)")
      }
    }
    let stream = try self.store.makeStream()
    try self.store.setRule { action, _, _ in
      let isRead = if case .element = try stream.next(milliseconds: 0) { "read" } else { "missing" }
      log.append("rule: \(isRead)")
      return []
    }
    try self.store.observe("count", [:], ObservationOptions(["initial": false])) { _ in
      log.append("observer 3")
    }
    try self.store.dispatch(["type": "a"])
    #expect(log.all == ["rule: read", "observer 1", "observer 2", "observer 3"])
    try self.store.dispatch(batch: [["type": "a"], ["type": "b"]])
    #expect(
      log.all.dropFirst(4) == [
        "rule: read", "rule: read", "observer 1", "observer 2", "observer 3",
      ])
  }

  @Test func effectsOfOneActionBeginInTheirOrder() throws {
    let begun = Recorder<Value>()
    try self.askForPayloads()
    try self.store.setEffect("e") {
      begun.append($0.arguments); try? $0.resolve()
    }
    try self.ask(
      .array(JSONArray((0..<100).map { ["effect": "e", "arguments": .integer(Int64($0))] })))
    #expect(begun.all == (0..<100).map { .integer(Int64($0)) })
  }

  /// The rule sees each action of a batch with the states before and after it. The reducer does not
  /// run again.
  @Test func aRuleSeesEachActionOfABatch() throws {
    let reductions = Recorder<Int>()
    let store = try AnyStore(state: 0) { state, action in
      reductions.append(0)
      guard case .integer(let number) = state else { return state }
      return .integer(number + 1)
    }
    let seen = Recorder<[Value]>()
    try store.setRule { action, old, new in
      seen.append([action["type"] ?? .null, old, new])
      return []
    }
    try store.dispatch(batch: [["type": "a"], ["type": "b"], ["type": "c"]])
    try store.dispatch(["type": "d"])
    #expect(seen.all == [["a", 0, 1], ["b", 1, 2], ["c", 2, 3], ["d", 3, 4]])
    #expect(reductions.all.count == 4)
  }

  /// A rollback reduces later actions again; they do not ask again.
  @Test func anOptimisticReplayDoesNotAskAgain() throws {
    let asked = Recorder<Value>()
    try self.store.setRule { action, _, _ in
      asked.append(action["type"] ?? .null)
      return []
    }
    try self.store.dispatch(["type": "a", "meta": ["optimistic": ["begin": "k"]]])
    try self.store.dispatch(["type": "b"])
    try self.store.dispatch(["type": "c", "meta": ["optimistic": ["fail": "k"]]])
    #expect(asked.all == ["a", "b", "c"])
    guard case .array(let log) = try self.store.state() else {
      Issue.record("no array")
      return
    }
    #expect(log.map { $0["type"] } == ["b", "c"])
  }

  /// An effect confirms or rolls back the change that asked for it.
  @Test func anOutcomeEndsAnOptimisticUpdate() throws {
    try self.store.setRule { action, _, _ in
      guard action["type"] == "save" else { return [] }
      return try RequestedEffect.effects(from: [
        ["effect": "save", "failure": ["type": "failed", "meta": ["optimistic": ["fail": "k"]]]]
      ])
    }
    try self.store.setEffect("save") { try? $0.reject("disk full") }
    try self.store.dispatch(["type": "save", "meta": ["optimistic": ["begin": "k"]]])
    try self.store.settle()
    #expect(
      try self.store.state() == [
        [
          "type": "failed", "payload": ["reason": "disk full"],
          "meta": ["optimistic": ["fail": "k"]],
        ]
      ])
  }

  private static let wrongShapes: [(effects: Value, message: String)] = [
    (
      ["effect": "e"],
      "a rule returns an array of effects such as [{\"effect\":\"timer\"}], not an object"
    ),
    ([3], "effects/0: expected an object, found an integer"),
    ([["effect": "e"], [:]], "effects/1: the member \"effect\" is missing"),
    ([["effect": .null]], "effects/0/effect: expected a string, found null"),
    (
      [["effect": "e", "sucess": "s"]],
      "effects/0: unknown member \"sucess\"; did you mean \"success\"?"
    ),
    (
      [["effect": "e", "success": 1]],
      "effects/0/success: expected an action type or an object such as "
        + "{\"type\":\"…\",\"meta\":{…}}, not an integer"
    ),
    (
      [["effect": "e", "failure": ["meta": 1]]],
      "effects/0/failure: the action has no \"type\" that is a string"
    ),
    (
      [["effect": "e", "success": ["type": "s", "payload": 1]]],
      "effects/0/success: unknown member \"payload\"; the action has \"type\" and \"meta\", and "
        + "no payload of its own"
    ),
    (
      .array(JSONArray(repeatElement(["effect": "e"], count: 1_025))),
      "a rule asked for 1025 effects after one action; the limit is 1024 effects"
    ),
  ]

  @Test(arguments: 0..<Self.wrongShapes.count)
  func aWrongShapeIsReported(_ index: Int) throws {
    let (effects, message) = Self.wrongShapes[index]
    try self.askForPayloads()
    try self.ask(effects)
    #expect(self.errors.all.map(\.message) == [message])
    #expect(try self.store.statistics()["failedEffects"] == 1)
    #expect(try self.lastAction()?["type"] == "ask")
  }

  @Test func tooManyEffectsAfterAnActionAreReported() throws {
    let begun = Recorder<EffectTask>()
    try self.store.setEffect("e") {
      begun.append($0)
      try? $0.resolve()
    }
    try self.store.setRule { _, _, _ in Array(repeating: RequestedEffect("e"), count: 1_025) }
    try self.store.dispatch(["type": "a"])
    try self.store.settle()
    #expect(begun.all.isEmpty)
    #expect(
      self.errors.all == [
        EngineError(
          .limit, "a rule asked for 1025 effects after one action; the limit is 1024 effects")
      ])
  }

  @Test func failuresWithoutAnActionAreReported() throws {
    try self.askForPayloads()
    try self.store.setEffect("no") { try? $0.reject("cancelled") }
    try self.store.setEffect("yes") { try? $0.resolve() }
    try self.ask([["effect": "no"]])
    try self.ask([["effect": "none"]])
    try self.ask([["effect": "yes", "success": "refused"]])
    #expect(
      self.errors.all == [
        EngineError(.io, "the effect \"no\": cancelled"),
        EngineError(.notFound, "the program has not set a function for the effect \"none\""),
        EngineError(.reducerFailed, "the effect \"yes\": the action \"refused\": no"),
      ])
    try self.store.removeEffectErrorHandler()
    try self.ask([["effect": "none"]])
    #expect(self.errors.all.count == 3)
    #expect(try self.store.statistics()["failedEffects"] == 4)
  }

  @Test func aRejectionWithoutAReasonHasAMessage() throws {
    try self.askForPayloads()
    try self.store.setEffect("no") { try? $0.reject("") }
    try self.ask([["effect": "no"]])
    #expect(
      self.errors.all == [
        EngineError(.io, "the effect \"no\": it was rejected without a reason")
      ])
  }

  @Test func aSimilarNameIsSuggested() throws {
    try self.askForPayloads()
    try self.store.setEffect("confirm") { try? $0.resolve() }
    try self.store.setEffect("confirn") { try? $0.resolve() }
    try self.store.removeEffect("confirn")
    try self.ask([["effect": "confrim"]])
    #expect(
      self.errors.all.map(\.message) == [
        "the program has not set a function for the effect \"confrim\"; did you mean \"confirm\"?"
      ])
  }

  /// The effect stays in flight, so that it can end in another way.
  @Test func aDeepResultIsRefused() throws {
    let deep = (0..<2_048).reduce(Value.null) { value, _ in [value] }
    let tasks = Recorder<EffectTask>()
    try self.askForPayloads()
    try self.store.setEffect("deep") { tasks.append($0) }
    try self.store.dispatch([
      "type": "ask", "payload": [["effect": "deep", "success": "s", "failure": "f"]],
    ])
    let task = try #require(tasks.first())
    #expect(
      failure { () throws(EngineError) in try task.resolve(deep) }
        == EngineError(.limit, "the value would nest deeper than 2048 levels"))
    #expect(!task.hasEnded)
    try task.reject("too deep")
    try self.store.settle()
    #expect(try self.lastAction() == ["type": "f", "payload": ["reason": "too deep"]])
    #expect(failure { () throws(EngineError) in try task.resolve(deep) }?.code == .closed)
    #expect(self.errors.all == [])
  }

  /// The rule fails even if it ignores the error.
  @Test func aRuleCannotDispatch() throws {
    let other = try AnyStore(state: 0) { state, _ in state }
    let refused = Recorder<EngineError?>()
    let store = self.store
    try self.store.setRule { [weak store] _, _, _ in
      for store in [store, other] {
        refused.append(
          failure { () throws(EngineError) in try store?.dispatch(["type": "again"]) })
      }
      return [RequestedEffect("none")]
    }
    try self.store.dispatch(["type": "a"])
    try self.store.settle()
    let error = EngineError(
      .reentrant,
      "a rule dispatched an action; return an effect whose outcome is the action instead")
    #expect(refused.all == [error, error])
    #expect(self.errors.all == [error])
    #expect(try self.store.state() == [["type": "a"]])
    try other.dispatch(["type": "b"])
  }

  @Test func tooManyEffectsInFlightAreRejected() throws {
    let tasks = Recorder<EffectTask>()
    try self.askForPayloads()
    try self.store.setEffect("wait") { tasks.append($0) }
    let many = Value.array(JSONArray(repeatElement(["effect": "wait"], count: 1_024)))
    for _ in 0..<64 {
      try self.store.dispatch(["type": "ask", "payload": many])
    }
    tasks.wait(for: 65_536)
    try self.store.dispatch([
      "type": "ask", "payload": [["effect": "wait", "failure": "failed"]],
    ])
    for task in tasks.all { try task.resolve() }
    try self.store.settle()
    #expect(
      try self.lastAction()?["payload"]?["reason"]
        == "65536 effects are in flight, which is the limit; wait until some have ended")
  }

  /// A chain that asks forever ends when the store is closed.
  @Test func anEndlessChainEndsWithTheStore() throws {
    let count = Recorder<Int>()
    let store = try AnyStore(state: .null) { state, _ in state }
    try store.setEffect("again") {
      if count.all.count < 100 { count.append(0) }
      try? $0.resolve()
    }
    try store.setRule { _, _, _ in [RequestedEffect("again", success: "a")] }
    try store.dispatch(["type": "a"])
    count.wait(for: 100)
    store.close()
    #expect(try store.statistics()["failedEffects"] == 0)
  }

  @Test func aRuleIsReplacedAndRemoved() throws {
    let released = Recorder<Int>()
    let calls = Recorder<Int>()
    for number in 1...2 {
      try self.store.setRule(release: { released.append(number) }) { _, _, _ in
        calls.append(number)
        return []
      }
    }
    #expect(released.all == [1])
    try self.store.dispatch(["type": "a"])
    try self.store.removeRule()
    #expect(released.all == [1, 2])
    try self.store.dispatch(["type": "a"])
    #expect(calls.all == [2])
    let store = self.store
    try self.store.setRule(release: { released.append(3) }) { [weak store] _, _, _ in
      try store?.removeRule()
      #expect(released.all.count == 2)
      return []
    }
    try self.store.dispatch(["type": "a"])
    #expect(released.all == [1, 2, 3])
    try self.store.setRule(release: { released.append(4) }) { _, _, _ in [] }
    self.store.close()
    #expect(released.all == [1, 2, 3, 4])
    #expect(failure { () throws(EngineError) in try store.removeRule() }?.code == .closed)
  }

  /// Once a rule is set, it or its successor sees each action once, whichever thread began the
  /// subscription.
  @Test func concurrentRulesSeeEachActionOnce() throws {
    for _ in 0..<100 {
      let store = try AnyStore(state: .null) { state, _ in state }
      let seen = Recorder<Value>()
      onThreads(2) { number in
        try? store.setRule { action, _, _ in
          seen.append(action["payload"] ?? .null)
          return []
        }
        try? store.dispatch(["type": "a", "payload": .integer(Int64(number))])
      }
      #expect(seen.all.count == 2)
      #expect(Set(seen.all) == [0, 1])
    }
  }

  @Test func theRuleOfADomainIsPartOfTheDomain() throws {
    let store = try AnyStore(PenDomain.self)
    #expect(
      failure { () throws(EngineError) in try store.setRule { _, _, _ in [] } }
        == EngineError(
          .invalidArgument,
          "the effects of a domain are part of the domain; set a rule for a store with your own "
            + "reducer"))
  }

  /// Random values near the right shape: each is accepted or refused as a simple check says.
  @Test func randomEffectsAreAcceptedOrRefused() throws {
    var random = SeededGenerator(20)
    var accepted = 0
    for _ in 0..<4_000 {
      let effects = random.effects()
      do {
        let decoded = try RequestedEffect.effects(from: effects)
        accepted += 1
        #expect(isValid(effects))
        if case .array(let elements) = effects { #expect(decoded.count == elements.count) }
      } catch {
        #expect(!isValid(effects))
        #expect(!error.message.isEmpty)
      }
    }
    #expect((200..<3_800).contains(accepted))
  }
}

private func isValid(_ effects: Value) -> Bool {
  guard case .array(let elements) = effects else { return effects == .null }
  return elements.allSatisfy { element in
    guard case .object(let members) = element, case .string = members["effect"] else {
      return false
    }
    return members.allSatisfy { member in
      switch (member.key, member.value) {
      case ("effect", _), ("arguments", _): return true
      case ("success", .null), ("success", .string), ("failure", .null), ("failure", .string):
        return true
      case ("success", .object(let action)), ("failure", .object(let action)):
        guard case .string = action["type"] else { return false }
        return action.allSatisfy { ["type", "meta"].contains($0.key) }
      default: return false
      }
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func effects() -> Value {
    if self.isOne(in: 10) { return self.scalar() }
    let count = Int.random(in: 0..<4, using: &self)
    return .array(JSONArray((0..<count).map { _ in self.effect() }))
  }

  private mutating func effect() -> Value {
    if self.isOne(in: 20) { return self.scalar() }
    var members: [(String, Value)] = []
    if !self.isOne(in: 20) { members.append(("effect", self.isOne(in: 20) ? .null : "e")) }
    for name in ["arguments", "success", "failure"] where self.isOne(in: 2) {
      members.append((name, self.isOne(in: 6) ? self.scalar() : self.action()))
    }
    if self.isOne(in: 20) { members.append(("", .null)) }
    return .object(JSONObject(members))
  }

  private mutating func action() -> Value {
    var members: [(String, Value)] = self.isOne(in: 20) ? [] : [("type", "t")]
    if self.isOne(in: 3) { members.append(("meta", self.scalar())) }
    if self.isOne(in: 20) { members.append(("payload", 1)) }
    return .object(JSONObject(members))
  }

  private mutating func scalar() -> Value {
    let scalars: [Value] = [.null, true, 1, 0.5, "s", [], [:]]
    return scalars[Int.random(in: 0..<scalars.count, using: &self)]
  }
}
