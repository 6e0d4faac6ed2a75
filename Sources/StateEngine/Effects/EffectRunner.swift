import ImmutableData
import ImmutableJSON
import Threading

/// Runs the effects of one store.
final class EffectRunner: Sendable {
  let queue: EffectQueue
  /// Runs scheduled work, independently of the effects.
  private let timers = EffectQueue()
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
    let queue = EffectQueue(log: store.commits.log)
    let open = { @Sendable [weak store] () throws(EngineError) in
      guard !queue.isClosed else { throw ended }
      guard let store else { throw .released }
      return store
    }
    self.init(effects, queue, functions, failures) { () throws(EngineError) in
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
  ///   - select: Reads the current state.
  ///   - send: Dispatches an action of an effect.
  ///   - hasStore: Whether the store exists.
  ///   - subscribe: Begins to react to actions.
  init<State, Action>(
    _ effects: (any Effects<State, Action>)?, _ queue: EffectQueue,
    _ functions: EffectFunctions, _ failures: EffectFailures,
    select: @escaping @Sendable () throws(EngineError) -> State,
    send: @escaping @Sendable (Action) throws -> Void,
    hasStore: @escaping @Sendable () -> Bool,
    subscribe: (EffectContext<State, Action>) -> Subscription
  ) {
    self.queue = queue
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
  /// The numbers of effects that started and that failed, and the counters of the effects.
  var statistics: [(String, Value)] {
    [
      ("effects", .integer(Int64(self.queue.startedCount))),
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

  func backup(to path: String) throws(EngineError) {
    guard let effects else { throw .noDatabase }
    try effects.backup(to: path)
  }
}
