import ImmutableData
import Threading

/// An outcome of an effect that waits in the queue. The lock of the queue guards it.
private final class HeldOutcome: @unchecked Sendable {
  /// `nil` once it was let in or dropped.
  var work: EffectQueue.Work?
}

/// Runs effects one after the other, on a thread that starts with the first one, and ends when the
/// queue is closed or has had no effects for a while.
///
/// The next thread joins the one that has ended, and ``join()`` joins the last one after the queue
/// has been closed. So no thread runs this library's code after the store has been closed.
///
/// With a manual clock it has no thread: ``runNext()`` runs an effect on the calling thread.
final class EffectQueue: Sendable {
  typealias Work = @Sendable () -> Void
  typealias TimerID = Timers<Work>.ID

  private struct State {
    var waiting = Queue<(work: Work, isCounted: Bool)>()
    var delayed = Timers<Work>()
    /// Outcomes that wait until they are let in, and those that were dropped meanwhile.
    var held = Queue<HeldOutcome>()
    /// The number of outcomes that wait, each in the place of an expected effect.
    var heldCount = 0
    /// Whether a thread runs effects, or waits for them. If not, the next effect starts one.
    var isServed = false
    /// The thread that serves the queue, or the last one that did.
    var thread: Thread?
    /// The thread that is running effects.
    var runner: ThreadIdentity?
    var startedCount = 0
    /// The number of effects in flight outside the queue, whose completions it expects.
    var expectedCount = 0
    var isClosed = false

    var isIdle: Bool {
      self.waiting.isEmpty && self.runner == nil && self.expectedCount == 0
    }

    /// Takes the next effect: the one that has waited longest or, if none is waiting, a delayed one
    /// whose time has passed.
    mutating func takeNext(_ time: Int) -> Work? {
      let next =
        self.waiting.popFirst() ?? self.delayed.popFirst(until: time).map { ($0, isCounted: true) }
      self.runner = next == nil ? nil : .current
      guard let next else { return nil }
      if next.isCounted { self.startedCount += 1 }
      return next.work
    }
  }

  private let state = Mutex(State())
  /// For the thread of the queue: work was added, or the queue closed.
  private let hasNewWork = Condition()
  /// For threads that wait until the queue is idle.
  private let hasBecomeIdle = Condition()
  /// How long the thread waits for effects before it ends, in milliseconds.
  private let idleTimeout: Int32
  /// An effect begins when the entry of its action is as durable as the program asked.
  private let log: (any CommitLog)?
  let clock: StoreClock
  /// Whether outcomes wait until they are let in.
  private let holdsOutcomes: Bool

  init(
    idleTimeout: Int32 = 10_000, log: (any CommitLog)? = nil, clock: StoreClock = .system,
    holdsOutcomes: Bool = false
  ) {
    self.idleTimeout = idleTimeout
    self.log = log
    self.clock = clock
    self.holdsOutcomes = holdsOutcomes
  }
}

extension EffectQueue {
  /// Runs `work` after the effects that are waiting now. With a delay, runs it once the delay has
  /// passed and no other effect is waiting.
  ///
  /// - Parameter isCounted: Whether it counts as an effect that started.
  func append(after milliseconds: Int32 = 0, isCounted: Bool = true, _ work: @escaping Work) {
    guard milliseconds == 0 else {
      return _ = self.appendDelayed(self.clock.uptime(after: milliseconds), work)
    }
    self.add { $0.waiting.append((work, isCounted: isCounted)) }
  }

  /// Runs `work` once a time has come, as the clock of the store shows it, and no other effect is
  /// waiting.
  ///
  /// - Returns: A number by which ``removeDelayed(_:)`` removes it; `nil` after the end.
  func appendDelayed(_ uptime: Int, _ work: @escaping Work) -> TimerID? {
    var id: TimerID?
    self.add { id = $0.delayed.append(work, at: uptime) }
    return id
  }

  /// Removes a delayed effect that has not begun.
  func removeDelayed(_ id: TimerID) {
    let work = self.state.withLock { $0.delayed.remove(id) }
    // Released after the lock.
    withExtendedLifetime(work) {}
  }

  /// Expects the completion of an effect that takes place outside the queue. Until then the queue
  /// is not idle.
  func expect() {
    self.state.withLock { $0.expectedCount += $0.isClosed ? 0 : 1 }
  }

  /// Expects an effect no longer.
  func unexpect() {
    self.state.withLock { $0.expectedCount -= $0.isClosed ? 0 : 1 }
    self.hasNewWork.broadcast()
    self.hasBecomeIdle.broadcast()
  }

  /// Dispatches the outcome of an effect that was expected, after the effects that are waiting now;
  /// or holds it until ``letOutcomeIn()``.
  ///
  /// - Parameter effect: Drops the outcome if it ends while the outcome is held.
  func appendOutcome(ofEffect effect: ProgramTask? = nil, _ work: @escaping Work) {
    guard self.holdsOutcomes else { return self.appendExpected(work) }
    let outcome = HeldOutcome()
    self.add { state in
      state.expectedCount -= 1
      state.held.append(outcome)
      state.heldCount += 1
      outcome.work = work
    }
    effect?.onEnd { [weak self] in _ = self?.take(outcome) }
  }

  /// Puts the oldest of the outcomes that are held behind the effects that are waiting.
  ///
  /// - Returns: How many were held.
  func letOutcomeIn() -> Int {
    self.state.withLock { state in
      let count = state.heldCount
      while let outcome = state.held.popFirst() {
        guard let work = outcome.work.take() else { continue }
        state.heldCount -= 1
        state.waiting.append((work, isCounted: false))
        break
      }
      return count
    }
  }

  /// Takes an outcome that is held; `nil` if it was let in.
  private func take(_ outcome: HeldOutcome) -> Work? {
    self.state.withLock { state in
      let work = outcome.work.take()
      state.heldCount -= work == nil ? 0 : 1
      return work
    }
  }

  /// The number of outcomes that are held.
  var heldCount: Int {
    self.state.withLock { $0.heldCount }
  }

  /// Runs the completion of an effect that was expected, after the effects that are waiting now.
  func appendExpected(_ work: @escaping Work) {
    self.add { state in
      state.expectedCount -= 1
      state.waiting.append((work, isCounted: false))
    }
  }

  /// Adds work, and starts the thread if the queue has none.
  private func add(_ change: (inout State) -> Void) {
    let isServed = self.state.withLock { state in
      guard !state.isClosed else { return true }
      change(&state)
      return state.isServed || self.clock.isManual || self.startThread(&state)
    }
    self.hasNewWork.broadcast()
    // The system could not start another thread.
    if !isServed { self.serve(waits: false) }
  }

  /// Whether work that the calling thread adds will run on the thread of the queue. Starts the
  /// thread if the queue has none.
  var hasThread: Bool {
    self.state.withLock { state in
      guard !state.isClosed, !state.isServed, !self.clock.isManual, !self.startThread(&state)
      else { return true }
      state.isServed = false
      return false
    }
  }

  private func startThread(_ state: inout State) -> Bool {
    state.isServed = true
    let thread = Thread.start { [ended = state.thread] in
      ended?.join()
      self.serve(waits: true)
    }
    state.thread = thread ?? state.thread
    return thread != nil
  }

  var isClosed: Bool {
    self.state.withLock { $0.isClosed }
  }

  /// The number of effects started so far.
  var startedCount: Int {
    self.state.withLock { $0.startedCount }
  }

  /// Drops the effects that have not started.
  ///
  /// - Returns: Whether this call closed the queue.
  @discardableResult
  func close() -> Bool {
    let (wasClosed, dropped) = self.state.withLock { state in
      defer {
        (state.waiting, state.delayed, state.held) = (Queue(), Timers(), Queue())
        (state.isClosed, state.expectedCount) = (true, 0)
      }
      return (state.isClosed, (state.waiting, state.delayed, state.held))
    }
    // Released after the lock: an effect may retain anything.
    withExtendedLifetime(dropped) {}
    self.hasNewWork.broadcast()
    self.hasBecomeIdle.broadcast()
    return !wasClosed
  }

  /// Joins the thread of a closed queue. This waits for a running effect, so first cancel whatever
  /// that effect may be waiting for.
  ///
  /// Inside a callback, and on the thread itself, this does not wait; the thread is detached.
  func join() {
    let thread = self.state.withLock { $0.thread.take() }
    if CallScope.isInsideCallback { thread?.detach() } else { thread?.join() }
  }

  static func refuseWaitInsideCallback() throws(EngineError) {
    guard CallScope.isInsideCallback else { return }
    throw EngineError(
      .reentrant, "a callback cannot wait for effects; call this outside of callbacks")
  }

  /// Waits until no effect is running, waiting or expected. Delayed effects do not count.
  ///
  /// - Parameter milliseconds: The timeout; a negative number for none.
  func settle(milliseconds: Int32) throws(EngineError) {
    try self.refuseWaitInsideEffect()
    let deadline = milliseconds < 0 ? nil : Deadline(milliseconds: milliseconds)
    let isIdle = self.state.withLock(
      after: self.hasBecomeIdle, orAt: deadline, until: \.isIdle, do: \.isIdle)
    guard isIdle else {
      throw EngineError(.timeout, "an effect is still in flight after \(milliseconds) ms")
    }
  }

  func refuseWaitInsideEffect() throws(EngineError) {
    guard self.state.withLock({ $0.runner?.isCurrent != true }) else {
      throw EngineError(
        .reentrant, "an effect cannot wait until no effect is in flight; wait on another thread")
    }
  }

  /// With a manual clock, waits until there is an effect to run, or none in flight.
  ///
  /// - Returns: Whether none is in flight; `nil` if the deadline passed.
  func waitForWork(until deadline: Deadline?) -> Bool? {
    self.state.withLock(
      after: self.hasNewWork, orAt: deadline,
      until: { $0.isIdle || !$0.waiting.isEmpty || $0.isClosed },
      do: { $0.isIdle || $0.isClosed ? true : $0.waiting.isEmpty ? nil : false })
  }

  /// The time at which the next delayed effect begins.
  var alarm: Int? {
    self.state.withLock { $0.delayed.first }
  }

  /// Runs the next effect, on the calling thread.
  ///
  /// - Returns: `false` if none has to run now.
  func runNext() -> Bool {
    guard let work = self.takeNext() else { return false }
    if self.log?.waitThroughFailures() != false { work() }
    return true
  }

  /// Ends the turn of this thread, although effects may wait.
  func stopRunning() {
    self.state.withLock { $0.runner = nil }
  }

  /// Runs effects until the queue is closed or has had none for a while.
  ///
  /// - Parameter waits: Whether to wait for effects, also for those that are delayed.
  private func serve(waits: Bool) {
    repeat {
      while self.runNext() {}
    } while self.hasMore(waits: waits)
  }

  private func takeNext() -> Work? {
    let time = self.clock.uptime
    let work = self.state.withLock { $0.takeNext(time) }
    if work == nil { self.hasBecomeIdle.broadcast() }
    return work
  }

  /// Whether there are more effects. If not, the queue is no longer served.
  private func hasMore(waits: Bool) -> Bool {
    let alarm = self.alarm
    let end =
      waits
      ? alarm.flatMap(self.clock.deadline) ?? Deadline(milliseconds: self.idleTimeout)
      : Deadline(milliseconds: 0)
    return self.state.withLock(after: self.hasNewWork, orAt: end) { state in
      !state.waiting.isEmpty || state.delayed.first != alarm || state.isClosed
    } do: { state in
      state.isServed = !state.waiting.isEmpty || waits && !state.delayed.isEmpty
      return state.isServed
    }
  }
}
