import ImmutableData
import ImmutableJSON
import Threading

/// Runs the effects of one store.
final class EffectRunner: Sendable {
  let queue: EffectQueue
  /// Runs scheduled work, independently of the effects.
  private let timers: EffectQueue
  /// Held by the thread that runs the effects of a store with a manual clock.
  private let driving = Mutex(())
  /// How much it may run while the clock stands still: effects that begin each other do not end.
  private let stepLimit: Int
  /// The effects of the program that are in flight.
  private let pending = PendingTasks("effect")
  /// `nil` if a rule asks for the effects.
  private let effects: (any Effects)?
  private let failures: EffectFailures
  private let subscription: Subscription

  /// Starts the effects of a store, for all actions from now on.
  ///
  /// The actions of the store may contain those of the effects.
  ///
  /// - Parameters:
  ///   - functions: Performs the effects of the program.
  ///   - failures: Counts the effects that throw an error.
  ///   - ended: The error of an effect that uses the store after ``end()``.
  ///   - dispatch: Dispatches an action of an effect.
  ///   - react: Performs the effects of a commit. A jump in the history has none.
  convenience init<State, Action, StoredAction>(
    _ effects: (any Effects<State, Action>)?, of store: Store<State, StoredAction>,
    functions: EffectFunctions, failures: EffectFailures, ended: EngineError = .closed,
    dispatch: @escaping @Sendable (Action, Store<State, StoredAction>) throws -> Void,
    react:
      @escaping @Sendable (Commit<State, StoredAction>, EffectContext<State, Action>) -> Void
  ) {
    let commits = store.commits
    let queue = EffectQueue(
      log: commits.log, clock: commits.clock, holdsOutcomes: commits.clock.kind == .stepped)
    let open = { @Sendable [weak store] () throws(EngineError) in
      guard !queue.isClosed else { throw ended }
      guard let store else { throw .released }
      return store
    }
    self.init(
      effects, queue, functions, failures, stepLimit: 1_000 * commits.depthLimit
    ) { () throws(EngineError) in
      try open().state
    } send: { action in
      try waitingForLog(open) { store in try dispatch(action, store) }
    } hasStore: { [weak store] in
      store != nil
    } subscribe: { context in
      store.commits.subscribe(.effects) { commit, _ in
        // The effects of an action run where it was dispatched.
        if !commit.isOfOther { react(commit.typed(), context) }
      }
    }
  }

  /// Starts effects, for all actions that `subscribe` passes on.
  ///
  /// - Parameters:
  ///   - stepLimit: How much may run while a manual clock stands still.
  ///   - select: Reads the current state.
  ///   - send: Dispatches an action of an effect.
  ///   - hasStore: Whether the store exists.
  ///   - subscribe: Begins to react to actions.
  init<State, Action>(
    _ effects: (any Effects<State, Action>)?, _ queue: EffectQueue,
    _ functions: EffectFunctions, _ failures: EffectFailures, stepLimit: Int = 1_000_000,
    select: @escaping @Sendable () throws(EngineError) -> State,
    send: @escaping @Sendable (Action) throws -> Void,
    hasStore: @escaping @Sendable () -> Bool,
    subscribe: (EffectContext<State, Action>) -> Subscription
  ) {
    self.queue = queue
    self.stepLimit = stepLimit
    self.timers = EffectQueue(clock: queue.clock)
    self.effects = effects
    self.failures = failures
    let context = EffectContext<State, Action>(
      queue: queue, timers: self.timers, functions: functions, pending: self.pending,
      tracer: failures.tracer, select: select, send: send,
      recordFailure: { failures.add($0, notifyingOn: queue) }, hasStore: hasStore)
    self.subscription = subscribe(context)
    effects?.begin(in: context)
  }

  deinit {
    self.end()
  }
}

/// Dispatches the outcome of an effect. While the log cannot be written, it waits.
private func waitingForLog<State, Action>(
  _ open: () throws -> Store<State, Action>, _ dispatch: (Store<State, Action>) throws -> Void
) throws {
  while true {
    let store = try open()
    do {
      return try dispatch(store)
    } catch let refusal as LogRefusal {
      guard store.commits.log?.waitThroughFailures() == true else { throw refusal }
    } catch is LogFailure {
      return
    }
  }
}

extension EffectRunner {
  /// The numbers of effects that started, that the program performs or that wait, and that failed,
  /// and the counters of the effects.
  var statistics: [(String, Value)] {
    [
      ("effects", .integer(Int64(self.queue.startedCount))),
      ("effectsInFlight", .integer(Int64(self.pending.count))),
      ("failedEffects", .integer(Int64(self.failures.count))),
    ] + (self.effects?.statistics ?? [:]).map { ($0.key, .integer(Int64($0.value))) }
  }

  func end() {
    guard !self.queue.isClosed else { return }
    self.subscription.cancel()
    // Threads may close a store at the same time. One of them ends the effects.
    guard self.queue.close() else { return }
    self.timers.close()
    self.pending.close()
    self.effects?.end()
  }

  /// Joins the threads, after ``end()``.
  func join() {
    self.queue.join()
    self.timers.join()
  }

  /// Moves a manual clock, and runs on the calling thread what has to run until then, each at its
  /// time.
  func advance(milliseconds: Int32) throws(EngineError) {
    try self.refuseWait()
    try self.driving.withLock { _ throws(EngineError) in
      let end = self.queue.clock.uptime(after: milliseconds)
      try self.runDue()
      while let alarm = [self.queue.alarm, self.timers.alarm].compactMap(\.self).min(), alarm <= end
      {
        self.queue.clock.move(to: alarm)
        try self.runDue()
      }
      self.queue.clock.move(to: end)
    }
  }

  /// Lets the oldest outcome in that is held, and runs what has to run then.
  ///
  /// - Returns: How many were held.
  func receive() throws(EngineError) -> Int {
    try self.refuseWait()
    return try self.driving.withLock { _ throws(EngineError) in
      try self.runDue()
      let count = self.queue.letOutcomeIn()
      try self.runDue()
      return count
    }
  }

  /// Waits until no effect is in flight. With a manual clock, runs the effects on the calling
  /// thread, and does not wait for those that wait for a time.
  func settle(milliseconds: Int32) throws(EngineError) {
    guard self.queue.clock.isManual else {
      return try self.queue.settle(milliseconds: milliseconds)
    }
    try self.refuseWait()
    let deadline = milliseconds < 0 ? nil : Deadline(milliseconds: milliseconds)
    while true {
      try self.driving.withLock { _ throws(EngineError) in try self.runDue() }
      switch self.queue.waitForWork(until: deadline) {
      case true?: return
      case false?: continue
      case nil:
        throw EngineError(.timeout, "an effect is still in flight after \(milliseconds) ms")
      }
    }
  }

  private func refuseWait() throws(EngineError) {
    try self.queue.refuseWaitInsideEffect()
    try self.timers.refuseWaitInsideEffect()
  }

  private func runDue() throws(EngineError) {
    var count = 0
    while self.queue.runNext() || self.timers.runNext() {
      count += 1
      guard count < self.stepLimit else {
        self.queue.stopRunning()
        self.timers.stopRunning()
        throw EngineError(
          .limit,
          "effects begin each other without end: \(counted(count, "step")) ran at one moment of "
            + "the clock; give one a \"delay\", or raise the option \"depth\"")
      }
    }
  }

  func backup(to path: String) throws(EngineError) {
    guard let effects else { throw .noDatabase }
    try effects.backup(to: path)
  }
}
