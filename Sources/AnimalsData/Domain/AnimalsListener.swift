import ImmutableData
import StateEngine

/// Connects a store to a database or a server, without JSON: performs the queries and mutations that
/// actions of the user interface require, and dispatches the results.
///
/// ```swift
/// let store = Store(initialState: AnimalsState(), reducer: AnimalsReducer.reduce)
/// let listener = AnimalsListener(store: try LocalStore(path: "animals.sqlite"))
/// listener.listen(to: store)
/// try store.dispatch(action: .ui(.animalList(.onAppear)))
/// try listener.settle()
/// store.state.animals.status  // success
/// ```
///
/// With a ``RemoteStore``, it also applies the changes of other clients. It stops when it is
/// cancelled or released; it does not close the persistent store. It may be used from any thread,
/// and does not retain the store that it listens to.
public final class AnimalsListener: Sendable {
  private let effects: EffectListener<AnimalsState, AnimalsAction>

  public init(store: any PersistentStore) {
    self.effects = EffectListener { AnimalsEffects(store: store, closesStore: false) }
  }
}

extension AnimalsListener {
  /// Listens to a store, instead of the previous one. Does nothing if it already listens to it.
  public func listen(to store: Store<AnimalsState, AnimalsAction>) {
    self.effects.listen(to: store)
  }

  /// Stops listening. A call of the persistent store that is in progress is not waited for, and its
  /// result is not dispatched.
  public func cancel() {
    self.effects.cancel()
  }

  /// Waits until all queries and mutations have been performed and their results dispatched. Does
  /// not wait for changes of other clients.
  ///
  /// - Parameter milliseconds: The timeout; a negative number for none.
  /// - Throws: `EngineError`: `timeout`; `reentrant` inside a reducer or an observer.
  public func settle(milliseconds: Int32 = -1) throws(EngineError) {
    try self.effects.settle(milliseconds: milliseconds)
  }
}
