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
  public convenience init(
    localStore: any PersistentSessionLocalStore, remoteStore: any PersistentSessionRemoteStore
  ) {
    self.init {
      QuakesEffects(localStore: localStore, remoteStore: remoteStore, closesStore: false)
    }
  }
}
