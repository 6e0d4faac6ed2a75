import ImmutableData
import Threading

/// Runs the effects of a typed store, without JSON.
///
/// ```swift
/// let listener = EffectListener { Saving(to: file) }
/// listener.listen(to: store)
/// try store.dispatch(action: .didTapSave)
/// try listener.settle()  // the file was written, and the outcome dispatched
/// ```
///
/// Retain the listener: the effects end when it is cancelled or released. They also end when the
/// store is released, because a listener does not retain it. A listener may be used from any
/// thread.
public final class EffectListener<State, Action>: Sendable
where State: Sendable, Action: Sendable {
  private struct Listening {
    weak var store: AnyObject?
    /// Whether its effects dispatch on the main actor.
    var isOnMainActor = false
    var runner: EffectRunner?
    /// The thread that is creating the runner.
    var starter: ThreadIdentity?
    /// The number of times that the store was replaced.
    var generation = 0

    /// - Returns: The previous runner.
    mutating func replace(with store: AnyObject?, onMainActor: Bool = false) -> EffectRunner? {
      self.generation += 1
      (self.store, self.starter) = (store, store.map { _ in .current })
      self.isOnMainActor = onMainActor
      return self.runner.take()
    }
  }

  private let makeEffects: @Sendable () -> any Effects<State, Action>
  private let listening = Mutex(Listening())
  private let hasStarted = Condition()
  private let failures = EffectFailures()
  private let functions: EffectFunctions

  /// - Parameters:
  ///   - functions: Perform each ``ProgramEffect``.
  ///   - makeEffects: Creates the effects of one store. Called for each store that the listener
  ///     listens to.
  public init(
    functions: EffectFunctions = EffectFunctions(),
    _ makeEffects: @escaping @Sendable () -> any Effects<State, Action>
  ) {
    self.functions = functions
    self.makeEffects = makeEffects
  }
}

extension EffectListener {
  /// Runs the effects of all actions that are dispatched to a store from now on, instead of those
  /// of the previous store. Does nothing if it already listens to this store.
  ///
  /// If another thread is in this function, this waits until that thread has started its effects.
  /// Inside a callback, this does not wait.
  public func listen(to store: Store<State, Action>) {
    self.listen(to: store, onMainActor: false) { effects in
      EffectRunner(
        effects, of: store, functions: self.functions, failures: self.failures,
        ended: .cancelledListener
      ) { action, store in
        try store.dispatch(action: action)
      } react: { commit, context in
        guard let action = commit.action else { return }
        let effect = effects.effect(
          of: action, from: commit.oldState, to: commit.newState)
        if let effect { context.perform(effect) }
      }
    }
  }

  /// Runs the effects of what stands in for a store, such as a test double on the main actor.
  ///
  /// It reads the stream of actions. An action and the state at the time when it is read make the
  /// effect, so intermediate states are skipped. Effects run on a thread of the engine as always;
  /// their dispatches and reads of the state run on the main actor, and the effect waits for them.
  /// The listener stops when the stream ends or throws. Otherwise as the other `listen(to:)`.
  @MainActor
  public func listen(
    to store: some Dispatcher<State, Action> & Selector<State> & Streamer<State, Action> & AnyObject
  ) {
    self.listen(to: store, onMainActor: true) { effects in
      EffectRunner(
        effects, ofMainActorStore: store, functions: self.functions, failures: self.failures)
    }
  }

  private func listen(
    to store: AnyObject, onMainActor: Bool,
    _ makeRunner: (any Effects<State, Action>) -> EffectRunner
  ) {
    guard let (generation, old) = self.beginListening(to: store, onMainActor) else { return }
    old?.end()
    // Without the lock: the effects may use this listener when they begin.
    let runner = makeRunner(self.makeEffects())
    let isCurrent = self.listening.withLock { listening in
      guard listening.generation == generation else { return false }
      (listening.runner, listening.starter) = (runner, nil)
      return true
    }
    self.hasStarted.broadcast()
    if !isCurrent { runner.end() }
  }

  /// - Returns: The new generation, and the runner to end; `nil` if the listener already listens
  ///   to this store.
  private func beginListening(
    to store: AnyObject, _ onMainActor: Bool
  ) -> (generation: Int, old: EffectRunner?)? {
    let isInsideCallback = CallScope.isInsideCallback
    var previous: AnyObject?
    // Released without the lock: this may be the last reference.
    defer { withExtendedLifetime(previous) {} }
    return self.listening.withLock(after: self.hasStarted) { listening in
      isInsideCallback || listening.starter?.isCurrent ?? true
    } do: { listening -> (Int, EffectRunner?)? in
      previous = listening.store
      guard previous !== store else { return nil }
      let old = listening.replace(with: store, onMainActor: onMainActor)
      return (listening.generation, old)
    }
  }

  /// Ends the effects: those that have not started are dropped, and one that is running can no
  /// longer dispatch. Does not wait for it.
  public func cancel() {
    let old = self.listening.withLock { $0.replace(with: nil) }
    self.hasStarted.broadcast()
    old?.end()
  }

  /// The number of effects that threw an error, since the listener was created.
  public var failedEffects: Int {
    self.failures.count
  }

  /// Waits until no effect is in flight: the effects of all dispatched actions have run, and the
  /// actions that they dispatched have been reduced. Of what stands in for a store, it waits for
  /// the effects of the actions that the listener has read.
  ///
  /// - Parameter milliseconds: The timeout; a negative number for none.
  /// - Throws: ``EngineError``: `timeout`; `reentrant` inside a reducer, a callback or an effect,
  ///   which could wait for itself, or on the main actor, if the effects dispatch there.
  public func settle(milliseconds: Int32 = -1) throws(EngineError) {
    let (store, queue, isOnMainActor) = self.listening.withLock {
      ($0.store, $0.runner?.queue, $0.isOnMainActor)
    }
    if let store = store as? Store<State, Action>,
      let error = store.commits.forbid(.use, in: .current)
    {
      throw EngineError(error)
    }
    guard !isOnMainActor || !MainQueue.isCurrent else { throw .settledOnMainActor }
    try EffectQueue.refuseWaitInsideCallback()
    try queue?.settle(milliseconds: milliseconds)
  }
}
