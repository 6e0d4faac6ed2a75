import ImmutableData
import ImmutableJSON
import Synchronization
import Threading

/// Begins, retries and cancels the effects of a rule that have a schedule.
///
/// ``EffectLanes`` decide what follows from an event, with the lock held; it is done after that.
final class EffectScheduler: Sendable {
  private let state = Mutex(EffectLanes())
  private let lateCount = Atomic(0)
}

extension EffectScheduler {
  typealias Context = ScheduledEffect.Context

  var statistics: [(String, Value)] {
    let (waiting, cancelled) = self.state.withLock { ($0.waitingCount, $0.cancelledCount) }
    return [
      ("waitingEffects", .integer(Int64(waiting))),
      ("cancelledEffects", .integer(Int64(cancelled))),
      ("lateOutcomes", .integer(Int64(self.lateCount.load(ordering: .relaxed)))),
    ]
  }

  /// Begins an effect, or lets it wait.
  func add(_ requested: RequestedEffect, _ schedule: EffectSchedule, in context: Context) {
    let effect = ScheduledEffect(requested, schedule, context, self)
    guard context.pending.add(effect) else { return }
    // With a manual clock, only an attempt is in flight: nothing else ends without the program.
    if !effect.clock.isManual { context.queue.expect() }
    self.change { $0.add(effect) }
  }

  /// Cancels the effects of a key.
  func cancel(_ key: String) {
    self.change { $0.cancel(StringKey(key)) }
  }

  private func change(_ body: (inout EffectLanes) -> Void) {
    let steps = self.state.withLock { state in
      body(&state)
      return exchange(&state.steps, with: [])
    }
    for step in steps { step() }
  }
}

// MARK: What is done after it

extension EffectScheduler {
  func setTimer(_ effect: ScheduledEffect, _ time: Int, _ turn: Int) {
    let timers = effect.context.timers
    let timer = timers.appendDelayed(time) { self.change { $0.timePassed(effect, turn) } }
    let isNeeded = self.state.withLock { _ in
      guard effect.turn == turn else { return false }
      effect.timer = timer
      return true
    }
    if !isNeeded, let timer { timers.removeDelayed(timer) }
  }

  func start(_ effect: ScheduledEffect, _ turn: Int) {
    let (context, requested) = (effect.context, effect.requested)
    let task = EffectTask(requested.name, requested.arguments) { outcome in
      let action = Result { try requested.completion(of: outcome) }
      return (
        { self.change { if effect.turn == turn { $0.endAttempt(effect, outcome, action) } } },
        context.refusal(of: action)
      )
    }
    let traceEnd = context.traceBegin(requested.name, requested.arguments)
    context.queue.expect()
    let isNeeded = self.state.withLock { _ in
      guard effect.turn == turn else { return false }
      (effect.task, effect.traceEnd) = (task, traceEnd)
      return true
    }
    guard isNeeded else {
      context.queue.unexpect()
      traceEnd?(.failure(.cancelled))
      return
    }
    context.queue.append {
      // The time until then is that of other effects.
      if let timeout = effect.schedule.timeout {
        self.setTimer(effect, effect.clock.uptime(after: timeout), turn)
      }
      context.functions.start(task)
    }
  }

  func cancel(_ task: EffectTask, of effect: ScheduledEffect) {
    task.cancel(on: effect.context.queue, effect.context.pending) {
      self.lateCount.add(1, ordering: .relaxed)
    }
  }

  /// Dispatches the action for an outcome. Then the next effect of its key begins.
  func dispatch(
    _ action: ScheduledEffect.Action, of effect: ScheduledEffect, _ turn: Int
  ) {
    guard self.state.withLock({ $0.remove(effect, turn) }), effect.leave() else { return }
    effect.context.runCompletion(effect.requested.name, action)
    if !effect.clock.isManual { effect.context.queue.unexpect() }
    if let key = effect.key { self.change { $0.takeNextTurn(key) } }
  }

  /// Releases the effects of a store that is closed.
  func end() {
    var lanes = EffectLanes()
    self.change { swap(&$0, &lanes) }
    // Released without the lock.
    withExtendedLifetime(lanes) {}
  }

  /// Ends the attempt of an effect whose store is closed.
  func close(_ effect: ScheduledEffect) {
    var task: EffectTask?
    self.change { (task, _) = $0.stop(effect) }
    task?.end(.closed)
  }
}
