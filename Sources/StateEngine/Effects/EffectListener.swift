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
/// The effects end when the listener is cancelled or released. A listener may be used from any
/// thread, and does not retain its store.
public final class EffectListener<State, Action>: Sendable
where State: Sendable, Action: Sendable {
  private struct Listening {
    weak var store: Store<State, Action>?
    var runner: EffectRunner<State, Action>?
  }

  private let makeEffects: @Sendable () -> any Effects<State, Action>
  private let listening = Mutex(Listening())

  /// - Parameter makeEffects: Creates the effects of one store. Called for each store that the
  ///   listener listens to.
  public init(_ makeEffects: @escaping @Sendable () -> any Effects<State, Action>) {
    self.makeEffects = makeEffects
  }
}

extension EffectListener {
  /// Runs the effects of all actions that are dispatched to a store from now on, instead of those of
  /// the previous store. Does nothing if it already listens to this store.
  public func listen(to store: Store<State, Action>) {
    guard self.listening.withLock({ $0.store !== store }) else { return }
    self.cancel()
    self.replace(with: Listening(store: store, runner: EffectRunner(self.makeEffects(), of: store)))
  }

  /// Ends the effects: those that have not started are dropped, and one that is running can no
  /// longer dispatch. Does not wait for it.
  public func cancel() {
    self.replace(with: Listening())
  }

  private func replace(with new: Listening) {
    let old = self.listening.withLock { listening in
      defer { listening = new }
      return listening
    }
    old.runner?.end()
  }

  /// Waits until no effect is in flight: the effects of all dispatched actions have run, and the
  /// actions that they dispatched have been reduced.
  ///
  /// - Parameter milliseconds: The timeout; a negative number for none.
  /// - Throws: ``EngineError``: `timeout`; `reentrant` inside a reducer, a callback or an effect,
  ///   which could wait for itself.
  public func settle(milliseconds: Int32 = -1) throws(EngineError) {
    let (store, queue) = self.listening.withLock { ($0.store, $0.runner?.queue) }
    try EngineError.catching { try store?.refuseReentrancy(.use) }
    try EffectQueue.refuseWaitInsideCallback()
    try queue?.settle(milliseconds: milliseconds)
  }
}
