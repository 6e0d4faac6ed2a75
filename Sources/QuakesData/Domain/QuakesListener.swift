import ImmutableData
import StateEngine

/// Connects a store to a cache and a feed, without JSON: reads and writes the cache and fetches
/// feeds as actions of the user interface require, and dispatches the results.
///
/// ```swift
/// let store = Store(initialState: QuakesState(), reducer: QuakesReducer.reduce)
/// let listener = QuakesListener(
///   localStore: try LocalStore(path: "quakes.sqlite"),
///   remoteStore: try RemoteStore(fetcher: fetcher))
/// listener.listen(to: store)
/// try store.dispatch(action: .ui(.quakeList(.onTapRefreshQuakesButton(range: .allDay))))
/// try listener.settle()
/// store.state.quakes.status  // success
/// ```
///
/// Retain the listener: it stops when it is cancelled or released. It also stops when the store
/// that it listens to is released, because it does not retain it. It does not close the cache. It
/// may be used from any thread.
public final class QuakesListener: Sendable {
  private let effects: EffectListener<QuakesState, QuakesAction>

  public init(
    localStore: any PersistentSessionLocalStore, remoteStore: any PersistentSessionRemoteStore
  ) {
    self.effects = EffectListener {
      QuakesEffects(localStore: localStore, remoteStore: remoteStore, closesStore: false)
    }
  }
}

extension QuakesListener {
  /// Listens to a store, instead of the previous one. Does nothing if it already listens to it.
  public func listen(to store: Store<QuakesState, QuakesAction>) {
    self.effects.listen(to: store)
  }

  /// Stops listening. A call of the cache or the feed that is in progress is not waited for, and
  /// its result is not dispatched.
  public func cancel() {
    self.effects.cancel()
  }

  /// The number of calls of the cache or the feed that failed, since the listener was created.
  public var failedEffects: Int {
    self.effects.failedEffects
  }

  /// Waits until all calls of the cache and the feed have ended and their results were dispatched.
  ///
  /// - Parameter milliseconds: The timeout; a negative number for none.
  /// - Throws: `EngineError`: `timeout`; `reentrant` inside a reducer or an observer.
  public func settle(milliseconds: Int32 = -1) throws(EngineError) {
    try self.effects.settle(milliseconds: milliseconds)
  }
}
