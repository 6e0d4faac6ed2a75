import ImmutableData
import ImmutableJSON
import Threading

/// The running effects of one store, with the types of the store erased.
protocol EffectRunning: Sendable {
  var queue: EffectQueue { get }
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

  let queue = EffectQueue()
  /// Runs scheduled work, independently of the effects.
  private let timers = EffectQueue()
  private let effects: any Effects<State, Action>
  private let failures: FailureCount
  private let subscription: Subscription

  /// Starts the effects of a store, for all actions from now on.
  ///
  /// The store may wrap the states and actions of the effects in its own.
  ///
  /// - Parameters:
  ///   - reducer: The store's. It finds the states between the actions of a batch.
  ///   - state: The state in a state of the store.
  ///   - action: The action in an action of the store.
  ///   - failures: Counts the effects that throw an error.
  ///   - ended: The error of an effect that uses the store after ``end()``.
  ///   - dispatch: Dispatches an action of an effect.
  init<StoreState, StoreAction>(
    _ effects: any Effects<State, Action>, of store: Store<StoreState, StoreAction>,
    _ reducer: @escaping Reducer<StoreState, StoreAction>,
    state: @escaping @Sendable (StoreState) -> State,
    action: @escaping @Sendable (StoreAction) -> Action,
    failures: FailureCount = FailureCount(), ended: EngineError = .closed,
    dispatch: @escaping @Sendable (Action, Store<StoreState, StoreAction>) throws -> Void
  ) {
    let open = { @Sendable [weak store, queue] () throws(EngineError) in
      guard !queue.isClosed else { throw ended }
      guard let store else { throw .released }
      return store
    }
    let context = Context(queue: self.queue, timers: self.timers) { () throws(EngineError) in
      state(try open().state)
    } send: { action in
      try dispatch(action, open())
    } recordFailure: {
      failures.add()
    } hasStore: { [weak store] in
      store != nil
    }
    self.effects = effects
    self.failures = failures
    self.subscription = store.subscribe { transition in
      var old = transition.oldState
      for (index, sent) in transition.actions.enumerated() {
        // The states between the actions of a batch were not stored.
        let isLast = index == transition.actions.count - 1
        let new = (isLast ? nil : try? reducer(old, sent)) ?? transition.newState
        if let effect = effects.effect(of: action(sent), from: state(old), to: state(new)) {
          context.perform(effect)
        }
        old = new
      }
    }
    effects.begin(in: context)
  }

  deinit {
    self.end()
  }
}

extension EffectRunner {
  /// Starts the effects of a store that has their states and actions.
  convenience init(
    _ effects: any Effects<State, Action>, of store: Store<State, Action>, failures: FailureCount
  ) {
    self.init(
      effects, of: store, store.reducer, state: { $0 }, action: { $0 }, failures: failures,
      ended: .cancelledListener
    ) { action, store in
      try store.dispatch(action: action)
    }
  }
}

extension EffectRunner: EffectRunning {
  var statistics: [(String, Value)] {
    [
      ("effects", .integer(Int64(self.queue.startedCount))),
      ("failedEffects", .integer(Int64(self.failures.count))),
    ]
  }

  func end() {
    guard !self.queue.isClosed else { return }
    self.subscription.cancel()
    self.queue.close()
    self.timers.close()
    self.effects.end()
  }

  func join() {
    self.queue.join()
    self.timers.join()
  }

  func backup(to path: String) throws(EngineError) {
    try self.effects.backup(to: path)
  }
}

final class FailureCount: Sendable {
  private let value = Mutex(0)

  var count: Int {
    self.value.withLock { $0 }
  }

  func add() {
    self.value.withLock { $0 += 1 }
  }
}
