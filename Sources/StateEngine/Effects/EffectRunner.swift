import ImmutableData
import ImmutableJSON
import Threading

/// The running effects of one store, with the types of the store erased.
protocol EffectRunning: Sendable {
  /// `nil` in a store whose effects a rule asks for, until a rule has been set.
  var queue: EffectQueue? { get }
  /// The numbers of effects that started and that failed.
  var statistics: [(String, Value)] { get }
  func end()
  /// Joins the threads, after ``end()``.
  func join()
  func backup(to path: String) throws(EngineError)
}

/// Runs the effects of one store.
final class EffectRunner<State, Action>: Sendable where State: Sendable, Action: Sendable {
  typealias Context = EffectContext<State, Action>

  private let effectQueue = EffectQueue()
  /// Runs scheduled work, independently of the effects.
  private let timers = EffectQueue()
  /// The effects of the program that are in flight.
  private let pending = PendingTasks("effect")
  /// `nil` if a rule asks for the effects.
  private let effects: (any Effects<State, Action>)?
  private let failures: EffectFailures
  private let subscription: Subscription

  /// Starts the effects of a store, for all actions from now on.
  ///
  /// The actions of the store may contain those of the effects.
  ///
  /// - Parameters:
  ///   - functions: Performs the effects of the program.
  ///   - action: Extracts the action of the effects from an action of the store.
  ///   - type: Returns the type of an action of the store, for errors.
  ///   - failures: Counts the effects that throw an error.
  ///   - ended: The error of an effect that uses the store after ``end()``.
  ///   - dispatch: Dispatches an action of an effect.
  ///   - rule: Asks for the effects of each action, instead of `effects`.
  init<StoredAction>(
    _ effects: (any Effects<State, Action>)?, of store: Store<State, StoredAction>,
    functions: EffectFunctions,
    action: @escaping @Sendable (StoredAction) -> Action,
    type: @escaping @Sendable (StoredAction) -> String? = { _ in nil },
    failures: EffectFailures, ended: EngineError = .closed,
    dispatch: @escaping @Sendable (Action, Store<State, StoredAction>) throws -> Void,
    rule: (@Sendable (Action, State, State, Context) -> Void)? = nil
  ) {
    let open = { @Sendable [weak store, effectQueue] () throws(EngineError) in
      guard !effectQueue.isClosed else { throw ended }
      guard let store else { throw .released }
      return store
    }
    let context = Context(
      queue: self.effectQueue, timers: self.timers, functions: functions, pending: self.pending
    ) { () throws(EngineError) in
      try open().state
    } send: { action in
      try dispatch(action, open())
    } recordFailure: { [effectQueue] error in
      failures.add(error, notifyingOn: effectQueue)
    } hasStore: { [weak store] in
      store != nil
    }
    self.effects = effects
    self.failures = failures
    self.subscription = store.subscribe(.effects) { commit, _ in
      let commit = unsafeDowncast(commit, to: Commit<State, StoredAction>.self)
      if let rule {
        rule(action(commit.action), commit.oldState, commit.newState, context)
      } else if let effect = effects?.effect(
        of: action(commit.action), from: commit.oldState, to: commit.newState)
      {
        context.caused { [action = commit.action] in type(action) }.perform(effect)
      }
    }
    effects?.begin(in: context)
  }

  deinit {
    self.end()
  }
}

extension EffectRunner {
  /// Starts the effects of a store that has their states and actions.
  convenience init(
    _ effects: any Effects<State, Action>, of store: Store<State, Action>,
    functions: EffectFunctions,
    failures: EffectFailures
  ) {
    self.init(
      effects, of: store, functions: functions, action: { $0 }, failures: failures,
      ended: .cancelledListener
    ) { action, store in
      try store.dispatch(action: action)
    }
  }
}

extension EffectRunner: EffectRunning {
  var queue: EffectQueue? {
    self.effectQueue
  }

  var statistics: [(String, Value)] {
    [
      ("effects", .integer(Int64(self.effectQueue.startedCount))),
      ("failedEffects", .integer(Int64(self.failures.count))),
    ]
  }

  func end() {
    guard !self.effectQueue.isClosed else { return }
    self.subscription.cancel()
    // Threads may close a store at the same time. One of them ends the effects.
    guard self.effectQueue.close() else { return }
    self.timers.close()
    self.pending.close()
    self.effects?.end()
  }

  func join() {
    self.effectQueue.join()
    self.timers.join()
  }

  func backup(to path: String) throws(EngineError) {
    guard let effects else { throw .noDatabase }
    try effects.backup(to: path)
  }
}
