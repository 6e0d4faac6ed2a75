import ImmutableJSON
@testable import StateEngine
import TestSupport
import Testing
import Threading

/// Random effects with keys, modes, delays, retries and cancellations, beside a model.
@Suite struct EffectModelTests {
  @Test(arguments: seeds(60)) func effectsAreThoseOfTheModel(_ seed: Int) throws {
    var random = SeededGenerator(seed)
    var program = try EffectProgram(isStepped: random.isOne(in: 2))
    for step in 0..<100 {
      let done = try program.takeStep(&random)
      guard program.isAsTheModel else {
        let (events, expected) = (program.events.all, program.model.events)
        let same = zip(events, expected).prefix { $0 == $1 }.count
        Issue.record(
          """
          seed \(seed), step \(step), \(done), after \(same) events: \(events.dropFirst(same)), \
          not \(expected.dropFirst(same)); \(try program.counts), not \(program.modelCounts)
          """)
        return
      }
    }
    try program.end()
  }
}

/// A store with a manual clock, whose rule asks for what an action says, and the model of it.
private struct EffectProgram {
  let store: AnyStore
  let events = Recorder<String>()
  var model: EffectModel
  private let tasks = Recorder<(id: Int, attempt: Int, task: EffectTask)>()
  private let isStepped: Bool
  private var lastID = 0

  init(isStepped: Bool) throws {
    let options: Value = ["clock": isStepped ? "stepped" : "manual"]
    self.isStepped = isStepped
    self.model = EffectModel(isStepped: isStepped)
    let (events, tasks) = (self.events, self.tasks)
    self.store = try AnyStore(state: 0, options: options) { state, action in
      if let id = action["meta"]?["id"]?.integer, let type = action["type"]?.string {
        events.append("\(type) \(id)")
      }
      return state
    }
    try self.store.setRule { action, _, _ in
      action["type"] == "ask" ? try RequestedEffect.effects(from: action["payload"] ?? .null) : []
    }
    try self.store.setEffect("work") { task in
      let id = Int(task.arguments["id"]?.integer ?? 0)
      events.append("start \(id)")
      tasks.append((id, tasks.all.count { $0.id == id } + 1, task))
      if task.arguments["listens"] == true {
        try? task.onCancel { events.append("told \(id)") }
      }
      switch task.arguments["answer"] {
      case true: try? task.resolve()
      case false: try? task.reject("no")
      default: break
      }
    }
  }

  mutating func takeStep(_ random: inout SeededGenerator) throws -> String {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3:
      let asked = (0..<Int.random(in: 1...3, using: &random)).map { _ in self.makeEffect(&random) }
      try self.store.dispatch([
        "type": "ask", "payload": .array(JSONArray(asked.map(\.json))),
      ])
      for effect in asked { self.model.ask(effect) }
      return "ask \(asked)"
    case 4:
      let key = ["a", "b"].randomElement(using: &random) ?? "a"
      try self.store.dispatch(["type": "ask", "payload": [["cancel": .string(key)]]])
      self.model.cancel(key: key)
      return "cancel \(key)"
    case 5, 6:
      guard let open = self.model.open.randomElement(using: &random) else { return "nothing" }
      let task = self.tasks.all.first { $0.id == open.id && $0.attempt == open.attempt }?.task
      let isSuccess = random.isOne(in: 2)
      if isSuccess { try? task?.resolve() } else { try? task?.reject("no") }
      self.model.answer(open.id, open.attempt, isSuccess)
      return "answer \(open) \(isSuccess)"
    case 7 where self.isStepped:
      let count = try self.store.receive()
      #expect(count == self.model.receive())
      return "receive \(count)"
    default:
      let milliseconds = [0, 1, 5, 10, 10, 20, 50].randomElement(using: &random) ?? 0
      try self.store.advance(milliseconds: Int32(milliseconds))
      self.model.advance(milliseconds)
      return "advance \(milliseconds)"
    }
  }

  private mutating func makeEffect(_ random: inout SeededGenerator) -> ModelEffect {
    self.lastID += 1
    var effect = ModelEffect(id: self.lastID)
    effect.key = [nil, "a", "a", "b", "b"].randomElement(using: &random) ?? nil
    effect.mode = ["latest", "first", "queue"].randomElement(using: &random) ?? "latest"
    if effect.key == nil { effect.mode = "latest" }
    effect.delay = random.isOne(in: 2) ? 0 : Int.random(in: 1...20, using: &random)
    if effect.key != nil, random.isOne(in: 3) {
      effect.interval = Int.random(in: 1...30, using: &random)
    }
    if random.isOne(in: 3) { effect.timeout = Int.random(in: 0...20, using: &random) }
    if random.isOne(in: 3) {
      effect.retry = (
        Int.random(in: 0...3, using: &random), Int.random(in: 0...10, using: &random),
        Int.random(in: 1...3, using: &random), Int.random(in: 0...30, using: &random)
      )
    }
    effect.listens = random.isOne(in: 2)
    effect.answer = [nil, nil, true, false].randomElement(using: &random) ?? nil
    effect.isTold = random.isOne(in: 2)
    return effect
  }

  var counts: [Value?] {
    get throws {
      let statistics = try self.store.statistics()
      return ["waitingEffects", "cancelledEffects", "lateOutcomes"].map { statistics[$0] }
    }
  }

  var modelCounts: [Value?] {
    [self.model.waitingCount, self.model.cancelledCount, self.model.lateCount].map {
      .integer(Int64($0))
    }
  }

  var isAsTheModel: Bool {
    self.events.all == self.model.events && (try? self.counts) == self.modelCounts
  }

  /// Closes the store: all effects end, and those who listen are told.
  func end() throws {
    self.store.close()
    #expect(self.tasks.all.allSatisfy { $0.task.hasEnded })
  }
}
