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
    weak var store: Store<State, Action>?
    var runner: EffectRunner?
    /// The thread that is creating the runner.
    var starter: ThreadIdentity?
    /// The number of times that the store was replaced.
    var generation = 0

    /// - Returns: The previous runner.
    mutating func replace(with store: Store<State, Action>?) -> EffectRunner? {
      self.generation += 1
      (self.store, self.starter) = (store, store.map { _ in .current })
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
    guard let (generation, old) = self.beginListening(to: store) else { return }
    old?.end()
    // Without the lock: the effects may use this listener when they begin.
    let effects = self.makeEffects()
    let runner = EffectRunner(
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
    to store: Store<State, Action>
  ) -> (generation: Int, old: EffectRunner?)? {
    let isInsideCallback = CallScope.isInsideCallback
    var previous: Store<State, Action>?
    // Released without the lock: this may be the last reference.
    defer { withExtendedLifetime(previous) {} }
    return self.listening.withLock(after: self.hasStarted) { listening in
      isInsideCallback || listening.starter?.isCurrent ?? true
    } do: { listening -> (Int, EffectRunner?)? in
      previous = listening.store
      guard previous !== store else { return nil }
      let old = listening.replace(with: store)
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
  /// actions that they dispatched have been reduced.
  ///
  /// - Parameter milliseconds: The timeout; a negative number for none.
  /// - Throws: ``EngineError``: `timeout`; `reentrant` inside a reducer, a callback or an effect,
  ///   which could wait for itself.
  public func settle(milliseconds: Int32 = -1) throws(EngineError) {
    let (store, queue) = self.listening.withLock { ($0.store, $0.runner?.queue) }
    if let error = store?.commits.forbid(.use, in: .current) { throw EngineError(error) }
    try EffectQueue.refuseWaitInsideCallback()
    try queue?.settle(milliseconds: milliseconds)
  }
}
