import ImmutableData
import ImmutableJSON
import Threading

/// The running effects of one store, with the type of its domain erased.
protocol EffectRunning: Sendable {
  var queue: EffectQueue { get }
  /// The numbers of effects that started and that failed.
  var statistics: [(String, Value)] { get }
  func end()
  /// Joins the threads, after ``end()``.
  func join()
  func backup(to path: String) throws(EngineError)
}

/// Runs the effects of one store of a domain.
final class EffectRunner<D: Domain>: Sendable {
  typealias State = Timeline<D.State, DomainAction<D.Action>>
  typealias Context = EffectContext<D.State, D.Action>

  let queue = EffectQueue()
  /// Runs scheduled work, independently of the effects.
  private let timers = EffectQueue()
  private let effects: any Effects<D.State, D.Action>
  private let failures: FailureCount
  private let subscription: Subscription

  /// Starts the effects of a store, for all actions from now on.
  init(
    _ effects: any Effects<D.State, D.Action>, of store: Store<State, DomainAction<D.Action>>,
    isOptimistic: Bool, _ reducer: @escaping State.Reducer
  ) {
    let failures = FailureCount()
    let context = Context(queue: self.queue, timers: self.timers) {
      [weak store] () throws(EngineError) in
      guard let store else { throw .closed }
      return store.state.shown
    } send: { [weak store, queue] action in
      guard let store, !queue.isClosed else { throw EngineError.closed }
      try DomainAction(action: action, json: ActionEncoder.json(action))
        .dispatch(to: store, isOptimistic: isOptimistic)
    } recordFailure: {
      failures.add()
    }
    self.effects = effects
    self.failures = failures
    self.subscription = store.subscribe { Self.follow($0, reducer, by: effects, in: context) }
    effects.begin(in: context)
  }

  deinit {
    self.end()
  }

  private static func follow(
    _ transition: Transition<State, DomainAction<D.Action>>, _ reducer: State.Reducer,
    by effects: any Effects<D.State, D.Action>, in context: Context
  ) {
    var state = transition.oldState
    for (index, sent) in transition.actions.enumerated() {
      // The states between the actions of a batch were not stored.
      let isLast = index == transition.actions.count - 1
      let next = isLast ? nil : try? reducer(state, sent)
      let newState = next ?? transition.newState
      if let effect = effects.effect(of: sent.action, from: state.shown, to: newState.shown) {
        context.perform(effect)
      }
      state = newState
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

private final class FailureCount: Sendable {
  private let value = Mutex(0)

  var count: Int {
    self.value.withLock { $0 }
  }

  func add() {
    self.value.withLock { $0 += 1 }
  }
}
