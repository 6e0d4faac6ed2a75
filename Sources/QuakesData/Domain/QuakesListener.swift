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
/// Retain the listener: like every `EffectListener`, it stops when it is cancelled or released. It
/// does not close the cache.
public typealias QuakesListener = EffectListener<QuakesState, QuakesAction>

extension EffectListener<QuakesState, QuakesAction> {
  /// - Parameters:
  ///   - localStore: The cache.
  ///   - remoteStore: The feed.
  ///   - describe: Makes the text of a failure in the state from the error that a store threw. With
  ///     Foundation, `{ $0.localizedDescription }` shows what a `LocalizedError` says.
  public convenience init(
    localStore: any PersistentSessionLocalStore, remoteStore: any PersistentSessionRemoteStore,
    describe: @escaping @Sendable (any Error) -> String = { "\($0)" }
  ) {
    self.init {
      QuakesEffects(
        localStore: localStore, remoteStore: remoteStore, closesStore: false, describe: describe)
    }
  }
}
