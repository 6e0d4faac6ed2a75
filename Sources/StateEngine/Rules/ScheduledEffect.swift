import ImmutableData
import ImmutableJSON
import Threading

/// An effect of a rule with a ``EffectSchedule``, from when it is asked for until its outcome is
/// dispatched. Each attempt to perform it is an ``EffectTask``.
final class ScheduledEffect: ProgramTask, @unchecked Sendable {
  typealias Context = EffectContext<Value, ValueAction>
  /// What follows an outcome.
  typealias Action = Result<Effect<Value, ValueAction>, any Error>
  typealias TraceEnd = @Sendable (EffectTask.Outcome) -> Void

  enum Phase {
    /// It begins when the effects before it have ended.
    case queued
    /// It waits for a time.
    case waiting
    /// The program performs it.
    case running
    /// Its outcome waits to be dispatched.
    case answered
  }

  let requested: RequestedEffect
  let schedule: EffectSchedule
  let context: Context
  let scheduler: EffectScheduler

  // Guarded by the lock of the scheduler:

  var phase = Phase.queued
  /// Changes with the phase and with each attempt.
  var turn = 0
  var attempts = 0
  var timer: EffectQueue.TimerID?
  var task: EffectTask?
  /// Writes the end of the attempt to the trace.
  var traceEnd: TraceEnd?

  init(
    _ requested: RequestedEffect, _ schedule: EffectSchedule, _ context: Context,
    _ scheduler: EffectScheduler
  ) {
    self.requested = requested
    self.schedule = schedule
    self.context = context
    self.scheduler = scheduler
    super.init()
  }

  /// Ends it because it could not be added, or because the store is closed.
  @discardableResult
  override func end(_ error: ProgramTaskError) -> Bool {
    guard self.leave() else { return false }
    guard error != .closed else {
      self.scheduler.close(self)
      return true
    }
    let action = Result { try self.requested.completion(of: .failure(error)) }
    self.context.queue.expect()
    self.context.complete(self.requested.name, with: action)
    return true
  }

  /// Removes it from the effects in flight.
  ///
  /// - Returns: `false` if it had ended.
  func leave() -> Bool {
    self.update {
      true
    } then: {
    }
  }

  var key: StringKey? {
    self.schedule.key.map(StringKey.init)
  }

  var clock: StoreClock {
    self.context.queue.clock
  }

  /// Whether another attempt follows an outcome.
  func isRetried(after outcome: EffectTask.Outcome) -> Bool {
    guard let retry = self.schedule.retry, self.attempts <= retry.times else { return false }
    switch outcome {
    case .failure(.rejected), .failure(.timedOut): return true
    default: return false
    }
  }
}
