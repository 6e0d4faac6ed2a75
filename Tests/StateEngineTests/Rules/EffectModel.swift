import ImmutableJSON

/// What is known of an effect that a rule asks for.
struct ModelEffect {
  var id = 0
  var key: String?
  var mode = "latest"
  var delay = 0
  var interval = 0
  var timeout: Int?
  var retry: (times: Int, delay: Int, factor: Int, max: Int)?
  /// Whether its function says that it wants to know of a cancellation.
  var listens = false
  /// The member of the outcome that its function gives at once; `nil` if it comes later.
  var answer: Bool?
  /// Whether an action follows if it is cancelled.
  var isTold = false
}

extension ModelEffect {
  /// The effect as a rule asks for it.
  var json: Value {
    let meta: Value = ["id": .integer(Int64(self.id))]
    var members: [(String, Value)] = [
      ("effect", "work"),
      (
        "arguments",
        [
          "id": .integer(Int64(self.id)), "listens": .bool(self.listens),
          "answer": self.answer.map { .bool($0) } ?? .null,
        ]
      ),
      ("success", ["type": "success", "meta": meta]),
      ("failure", ["type": "failure", "meta": meta]),
    ]
    if self.isTold { members.append(("cancelled", ["type": "cancelled", "meta": meta])) }
    if let key {
      members += [("key", .string(key)), ("mode", .string(self.mode))]
      if self.interval > 0 { members.append(("interval", .integer(Int64(self.interval)))) }
    }
    if self.delay > 0 { members.append(("delay", .integer(Int64(self.delay)))) }
    if let timeout { members.append(("timeout", .integer(Int64(timeout)))) }
    if let retry {
      let pauses: Value = [
        "times": .integer(Int64(retry.times)), "delay": .integer(Int64(retry.delay)),
        "factor": .integer(Int64(retry.factor)), "max": .integer(Int64(retry.max)),
      ]
      members.append(("retry", pauses))
    }
    return .object(JSONObject(members))
  }
}

/// A naive model of the effects of a rule on a manual clock, with lists that are searched.
struct EffectModel {
  private enum Phase: Equatable {
    case queued
    case waiting(until: Int, order: Int)
    case running(until: Int?, order: Int, hasBegun: Bool)
    case answered
    case ended
  }

  private struct Effect {
    let asked: ModelEffect
    var phase = Phase.queued
    var attempts = 0
  }

  private enum Work {
    case start(Int, attempt: Int)
    case tell(Int)
    case dispatch(Int, type: String)
  }

  private var effects: [Effect] = []
  private var works: [Work] = []
  private var held: [Work] = []
  private var lastBegins: [String: Int] = [:]
  private var time = 0
  private var order = 0
  private let isStepped: Bool

  /// Calls of functions and actions, in their order.
  private(set) var events: [String] = []
  /// The effects that the program has not answered, also those that were cancelled: with their
  /// attempts.
  private(set) var open: [(id: Int, attempt: Int, isCancelled: Bool)] = []
  private(set) var lateCount = 0
  private(set) var cancelledCount = 0

  init(isStepped: Bool) {
    self.isStepped = isStepped
  }
}

extension EffectModel {
  var waitingCount: Int {
    self.effects.count { effect in
      switch effect.phase {
      case .queued, .waiting: true
      default: false
      }
    }
  }

  mutating func ask(_ asked: ModelEffect) {
    self.effects.append(Effect(asked: asked))
    let index = self.effects.count - 1
    let others = self.others(index)
    switch asked.mode {
    case "first" where !others.isEmpty: return self.cancel(index)
    case "queue" where !others.isEmpty: return
    case "latest":
      for other in others where asked.interval == 0 || self.isWaiting(other) { self.cancel(other) }
    default: break
    }
    self.takeTurn(index)
  }

  mutating func cancel(key: String) {
    for index in self.effects.indices
    where self.effects[index].asked.key == key && self.effects[index].phase != .ended {
      self.cancel(index)
    }
  }

  /// The program ends an effect.
  mutating func answer(_ id: Int, _ attempt: Int, _ isSuccess: Bool) {
    guard let place = self.open.firstIndex(where: { $0.id == id && $0.attempt == attempt }) else {
      return
    }
    guard !self.open.remove(at: place).isCancelled else { return self.lateCount += 1 }
    guard let index = self.effects.firstIndex(where: { $0.asked.id == id }) else { return }
    self.endAttempt(index, isSuccess ? "success" : "failure")
  }

  mutating func advance(_ milliseconds: Int) {
    let end = self.time + milliseconds
    self.runDue()
    while let (time, index) = self.nextTimer, time <= end {
      self.time = time
      self.timePassed(index)
      self.runDue()
    }
    self.time = end
  }

  mutating func receive() -> Int {
    self.runDue()
    let count = self.held.count
    if count > 0 { self.works.append(self.held.removeFirst()) }
    self.runDue()
    return count
  }

  private func others(_ index: Int) -> [Int] {
    guard let key = self.effects[index].asked.key else { return [] }
    return self.effects.indices.filter {
      $0 < index && self.effects[$0].asked.key == key && self.effects[$0].phase != .ended
    }
  }

  private func isWaiting(_ index: Int) -> Bool {
    switch self.effects[index].phase {
    case .queued, .waiting: true
    default: false
    }
  }

  private mutating func takeTurn(_ index: Int) {
    let asked = self.effects[index].asked
    var time = self.time + asked.delay
    if asked.interval > 0, let key = asked.key, let last = self.lastBegins[key] {
      time = max(time, last + asked.interval)
    }
    if time > self.time { self.wait(index, until: time) } else { self.begin(index) }
  }

  private mutating func wait(_ index: Int, until time: Int) {
    self.order += 1
    self.effects[index].phase = .waiting(until: time, order: self.order)
  }

  private mutating func begin(_ index: Int) {
    let asked = self.effects[index].asked
    if asked.interval > 0, let key = asked.key { self.lastBegins[key] = self.time }
    if asked.mode == "latest" {
      for other in self.others(index) { self.cancel(other) }
    }
    self.attempt(index)
  }

  private mutating func attempt(_ index: Int) {
    self.effects[index].attempts += 1
    self.effects[index].phase = .running(until: nil, order: 0, hasBegun: false)
    self.works.append(
      .start(self.effects[index].asked.id, attempt: self.effects[index].attempts))
  }

  private mutating func endAttempt(_ index: Int, _ type: String) {
    let effect = self.effects[index]
    guard type == "failure", let retry = effect.asked.retry, effect.attempts <= retry.times else {
      self.effects[index].phase = .answered
      return self.complete(effect.asked.id, type)
    }
    var pause = retry.delay
    for _ in 1..<max(effect.attempts, 1) { pause = min(pause * retry.factor, retry.max) }
    pause = min(pause, retry.max)
    if pause > 0 { self.wait(index, until: self.time + pause) } else { self.attempt(index) }
  }

  private mutating func complete(_ id: Int, _ type: String) {
    if self.isStepped {
      self.held.append(.dispatch(id, type: type))
    } else {
      self.works.append(.dispatch(id, type: type))
    }
  }

  private mutating func cancel(_ index: Int) {
    let effect = self.effects[index]
    self.effects[index].phase = .ended
    self.cancelledCount += 1
    if case .running = effect.phase { self.cancelAttempt(effect) }
    let id = effect.asked.id
    self.held.removeAll {
      if case .dispatch(id, _) = $0 { true } else { false }
    }
    self.works.removeAll {
      if case .dispatch(id, _) = $0 { true } else { false }
    }
    if effect.asked.isTold { self.complete(id, "cancelled") }
  }

  private mutating func cancelAttempt(_ effect: Effect) {
    guard case .running(_, _, hasBegun: true) = effect.phase else { return }
    for place in self.open.indices
    where self.open[place].id == effect.asked.id && self.open[place].attempt == effect.attempts {
      self.open[place].isCancelled = true
    }
    guard effect.asked.listens else { return }
    self.open.removeAll { $0.id == effect.asked.id && $0.attempt == effect.attempts }
    self.works.append(.tell(effect.asked.id))
  }

  private var nextTimer: (time: Int, index: Int)? {
    var next: (time: Int, order: Int, index: Int)?
    for (index, effect) in self.effects.enumerated() {
      let timer: (time: Int, order: Int, index: Int)
      switch effect.phase {
      case .waiting(let time, let order): timer = (time, order, index)
      case .running(let time?, let order, _): timer = (time, order, index)
      default: continue
      }
      if next.map({ (timer.time, timer.order) < ($0.time, $0.order) }) ?? true { next = timer }
    }
    return next.map { ($0.time, $0.index) }
  }

  private mutating func timePassed(_ index: Int) {
    let effect = self.effects[index]
    guard case .running = effect.phase else {
      return effect.attempts == 0 ? self.begin(index) : self.attempt(index)
    }
    self.cancelAttempt(effect)
    self.endAttempt(index, "failure")
  }

  private mutating func runDue() {
    while true {
      if !self.works.isEmpty {
        self.run(self.works.removeFirst())
      } else if let (time, index) = self.nextTimer, time <= self.time {
        self.timePassed(index)
      } else {
        return
      }
    }
  }

  private mutating func run(_ work: Work) {
    switch work {
    case .start(let id, let attempt):
      guard let index = self.effects.firstIndex(where: { $0.asked.id == id }),
        self.effects[index].attempts == attempt,
        case .running = self.effects[index].phase
      else {
        return
      }
      let timeout = self.effects[index].asked.timeout
      if timeout != nil { self.order += 1 }
      self.effects[index].phase = .running(
        until: timeout.map { self.time + $0 }, order: self.order, hasBegun: true)
      self.events.append("start \(id)")
      self.open.append((id, attempt, false))
      if let answer = self.effects[index].asked.answer { self.answer(id, attempt, answer) }
    case .tell(let id): self.events.append("told \(id)")
    case .dispatch(let id, let type):
      guard let index = self.effects.firstIndex(where: { $0.asked.id == id }) else { return }
      self.events.append("\(type) \(id)")
      guard type != "cancelled" else { return }
      self.effects[index].phase = .ended
      if let next = self.effects.indices.first(where: {
        self.effects[$0].phase != .ended && self.effects[$0].asked.key != nil
          && self.effects[$0].asked.key == self.effects[index].asked.key
      }), self.effects[next].phase == .queued {
        self.takeTurn(next)
      }
    }
  }
}
