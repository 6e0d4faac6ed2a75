import DequeModule
import ImmutableJSON

/// Which effects of a rule are in flight, and what follows from an event.
///
/// The effects of one key are a lane. An effect is in its lane until its outcome is dispatched.
struct EffectLanes {
  private struct Lane {
    /// In the order in which they were asked for.
    var effects = Deque<ScheduledEffect>()
    /// When the last effect with an interval began, and that interval, in nanoseconds.
    var lastBegin: (time: Int, interval: Int)?

    func isNeeded(at time: Int) -> Bool {
      !self.effects.isEmpty || self.lastBegin.map { time - $0.time < $0.interval } == true
    }
  }

  private var lanes: [StringKey: Lane] = [:]
  /// How many keys there may be before those that are not needed are removed.
  private var laneLimit = 1024

  /// What must be done next, without the lock.
  var steps: [() -> Void] = []

  private(set) var waitingCount = 0
  private(set) var cancelledCount = 0
}

extension EffectLanes {
  mutating func add(_ effect: ScheduledEffect) {
    // The store was closed.
    guard !effect.hasEnded else { return }
    self.waitingCount += 1
    guard let key = effect.key else { return self.takeTurn(effect) }
    let isAlone = self.lanes[key]?.effects.isEmpty ?? true
    switch effect.schedule.mode {
    case .first where !isAlone: return self.cancel(effect)
    case .queue where !isAlone:
      self.lanes[key]?.effects.append(effect)
      return
    case .latest:
      // With an interval, the one that runs goes on until this one begins.
      let keepsRunning = effect.schedule.interval > 0
      self.cancel(key) { !keepsRunning || $0.phase == .queued || $0.phase == .waiting }
    case .first, .queue: break
    }
    self.lanes[key, default: Lane()].effects.append(effect)
    self.takeTurn(effect)
    self.removeLanes(at: effect.clock.uptime)
  }

  /// Cancels the effects of a key that a predicate selects.
  private mutating func cancel(_ key: StringKey, where predicate: (ScheduledEffect) -> Bool) {
    guard let effects = self.lanes[key]?.effects, !effects.isEmpty else { return }
    var kept = Deque<ScheduledEffect>()
    for effect in effects {
      if predicate(effect) { self.cancel(effect) } else { kept.append(effect) }
    }
    self.lanes[key]?.effects = kept
  }

  /// Lets an effect wait for its time, or begins it.
  private mutating func takeTurn(_ effect: ScheduledEffect) {
    let now = effect.clock.uptime
    var time = effect.clock.uptime(after: effect.schedule.delay)
    if effect.schedule.interval > 0, let key = effect.key, let last = self.lanes[key]?.lastBegin {
      time = max(time, last.time.adding(milliseconds: effect.schedule.interval))
    }
    if time > now { self.wait(effect, until: time) } else { self.begin(effect) }
  }

  private mutating func wait(_ effect: ScheduledEffect, until time: Int) {
    effect.phase = .waiting
    effect.turn += 1
    self.setTimer(effect, time)
  }

  private mutating func setTimer(_ effect: ScheduledEffect, _ time: Int) {
    let turn = effect.turn
    self.steps.append { effect.scheduler.setTimer(effect, time, turn) }
  }

  private mutating func begin(_ effect: ScheduledEffect) {
    if let key = effect.key {
      let interval = effect.schedule.interval
      if interval > 0 {
        self.lanes[key]?.lastBegin = (effect.clock.uptime, Int(interval) * 1_000_000)
      }
      if effect.schedule.mode == .latest, self.lanes[key]?.effects.first !== effect {
        var isOlder = true
        self.cancel(key) { other in
          isOlder = isOlder && other !== effect
          return isOlder
        }
      }
    }
    self.attempt(effect)
  }

  private mutating func attempt(_ effect: ScheduledEffect) {
    self.waitingCount -= 1
    effect.attempts += 1
    effect.phase = .running
    effect.turn += 1
    let turn = effect.turn
    self.steps.append { effect.scheduler.start(effect, turn) }
  }

  mutating func timePassed(_ effect: ScheduledEffect, _ turn: Int) {
    guard effect.turn == turn else { return }
    effect.timer = nil
    switch effect.phase {
    case .waiting where effect.attempts == 0: self.begin(effect)
    case .waiting: self.attempt(effect)
    case .running:
      let task = effect.task
      self.steps.append { if let task { effect.scheduler.cancel(task, of: effect) } }
      let outcome: EffectTask.Outcome = .failure(
        .timedOut(milliseconds: effect.schedule.timeout ?? 0))
      self.endAttempt(effect, outcome, Result { try effect.requested.completion(of: outcome) })
    case .queued, .answered: break
    }
  }

  mutating func endAttempt(
    _ effect: ScheduledEffect, _ outcome: EffectTask.Outcome, _ action: ScheduledEffect.Action
  ) {
    let (timer, traceEnd) = (effect.timer.take(), effect.traceEnd.take())
    effect.task = nil
    effect.turn += 1
    let queue = effect.context.queue
    self.steps.append {
      if let timer { effect.context.timers.removeDelayed(timer) }
      traceEnd?(outcome)
    }
    guard !effect.isRetried(after: outcome) else {
      self.waitingCount += 1
      self.steps.append { queue.unexpect() }
      let pause = effect.schedule.retry?.pause(after: effect.attempts) ?? 0
      guard pause > 0 else { return self.attempt(effect) }
      return self.wait(effect, until: effect.clock.uptime(after: pause))
    }
    effect.phase = .answered
    let turn = effect.turn
    self.steps.append {
      queue.appendOutcome(ofEffect: effect) { effect.scheduler.dispatch(action, of: effect, turn) }
    }
  }

  /// Removes an effect whose outcome is dispatched next.
  ///
  /// - Returns: `false` if it was cancelled.
  mutating func remove(_ effect: ScheduledEffect, _ turn: Int) -> Bool {
    guard effect.turn == turn else { return false }
    effect.turn += 1
    guard let key = effect.key else { return true }
    if self.lanes[key]?.effects.first === effect {
      self.lanes[key]?.effects.removeFirst()
    } else {
      self.lanes[key]?.effects.removeAll { $0 === effect }
    }
    return true
  }

  /// Cancels the effects of a key.
  mutating func cancel(_ key: StringKey) {
    self.cancel(key) { _ in true }
    self.takeNextTurn(key)
  }

  mutating func takeNextTurn(_ key: StringKey) {
    guard let next = self.lanes[key]?.effects.first else {
      if self.lanes[key]?.lastBegin == nil { self.lanes[key] = nil }
      return
    }
    if next.phase == .queued { self.takeTurn(next) }
  }

  /// Removes keys that have no effects and no interval any more, when there are many.
  private mutating func removeLanes(at time: Int) {
    guard self.lanes.count > self.laneLimit else { return }
    self.lanes = self.lanes.filter { $0.value.isNeeded(at: time) }
    self.laneLimit = max(1024, 2 * self.lanes.count)
  }

  /// Cancels an effect that has no key, or was removed from those of its key.
  mutating func cancel(_ effect: ScheduledEffect) {
    let (task, traceEnd) = self.stop(effect)
    self.cancelledCount += 1
    self.steps.append {
      let (queue, requested) = (effect.context.queue, effect.requested)
      if let task {
        queue.unexpect()
        effect.scheduler.cancel(task, of: effect)
        traceEnd?(.failure(.cancelled))
      }
      guard effect.leave() else { return }
      if !effect.clock.isManual { queue.unexpect() }
      guard requested.isToldOfCancellation else { return }
      queue.expect()
      effect.context.complete(
        requested.name, with: Result { try requested.completion(of: .failure(.cancelled)) })
    }
  }

  /// Takes from an effect what could still end it.
  mutating func stop(
    _ effect: ScheduledEffect
  ) -> (EffectTask?, ScheduledEffect.TraceEnd?) {
    if effect.phase == .queued || effect.phase == .waiting { self.waitingCount -= 1 }
    effect.phase = .answered
    effect.turn += 1
    if let timer = effect.timer.take() {
      self.steps.append { effect.context.timers.removeDelayed(timer) }
    }
    return (effect.task.take(), effect.traceEnd.take())
  }
}

extension Int {
  /// A time in nanoseconds after a number of milliseconds, at most the last one.
  func adding(milliseconds: Int32) -> Int {
    let (time, overflows) = self.addingReportingOverflow(Int(milliseconds) * 1_000_000)
    return overflows ? .max : time
  }
}
