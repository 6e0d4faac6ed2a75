import StateEngine

/// Connects a store to a database or a server, without JSON: performs the queries and mutations
/// that actions of the user interface require, and dispatches the results.
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
/// With a ``RemoteStore``, it also applies the changes of other clients; `settle` waits for those
/// that have arrived. Retain the listener: like every `EffectListener`, it stops when it is
/// cancelled or released. It does not close the persistent store.
public typealias AnimalsListener = EffectListener<AnimalsState, AnimalsAction>

extension EffectListener<AnimalsState, AnimalsAction> {
  /// - Parameters:
  ///   - store: Performs the queries and mutations.
  ///   - describe: Makes the text of a failure in the state from the error that `store` threw. With
  ///     Foundation, `{ $0.localizedDescription }` shows what a `LocalizedError` says.
  public convenience init(
    store: any PersistentStore,
    describe: @escaping @Sendable (any Error) -> String = { "\($0)" }
  ) {
    self.init { AnimalsEffects(store: store, closesStore: false, describe: describe) }
  }
}
