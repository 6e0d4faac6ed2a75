import ImmutableData
import StateEngine
import Threading

/// Passes the taps that a store receives on to a model, and the progress of its orders to an
/// activity session.
///
/// ```swift
/// let storeListener = StoreListener(session: session)
/// storeListener.listen(to: store, with: model)
/// try store.dispatch(action: .ui(.orderDetailView(.onTapStatusButton(orderID: "Order#1224"))))
/// try storeListener.settle()  // the model was called
/// ```
///
/// Retain the listener: it stops when it is cancelled or released. It also stops when the store
/// that it listens to is released, because it does not retain it. It may be used from any thread.
public final class StoreListener: Sendable {
  private let effects: EffectListener<FoodTruckState, FoodTruckAction>
  private let model: ModelReference

  /// - Parameter session: Shows the progress of orders; `nil` for none.
  public init(session: (any ActivitySession)? = nil) {
    let model = ModelReference()
    self.model = model
    self.effects = EffectListener { ListenerEffects(model: model, session: session) }
  }
}

extension StoreListener {
  /// Listens to a store, instead of the previous one. If it already listens to it, only the model
  /// is replaced.
  public func listen(
    to store: Store<FoodTruckState, FoodTruckAction>, with model: FoodTruckModel
  ) {
    self.replaceModel(with: model)
    self.effects.listen(to: store)
  }

  /// Listens to what stands in for a store, such as a test double on the main actor. Otherwise as
  /// the other `listen(to:with:)`.
  @MainActor
  public func listen(
    to store: some Dispatcher<FoodTruckState, FoodTruckAction> & Selector<FoodTruckState>
      & Streamer<FoodTruckState, FoodTruckAction> & AnyObject,
    with model: FoodTruckModel
  ) {
    self.replaceModel(with: model)
    self.effects.listen(to: store)
  }

  private func replaceModel(with model: FoodTruckModel) {
    let previous = self.model.current.withLock { current in
      defer { current = model }
      return current
    }
    // Released without the lock: this may be the last reference.
    withExtendedLifetime(previous) {}
  }

  /// Stops listening. Does not wait for the calls of an action in progress.
  public func cancel() {
    self.effects.cancel()
  }

  /// Waits until the calls for all dispatched actions have ended.
  ///
  /// - Parameter milliseconds: The timeout; a negative number for none.
  /// - Throws: `EngineError`: `timeout`; `reentrant` inside a reducer, a callback or an effect,
  ///   which could wait for itself.
  public func settle(milliseconds: Int32 = -1) throws(EngineError) {
    try self.effects.settle(milliseconds: milliseconds)
  }
}

private final class ModelReference: Sendable {
  let current = Mutex<FoodTruckModel?>(nil)
}

private struct ListenerEffects: Effects {
  let model: ModelReference
  let session: (any ActivitySession)?

  func effect(
    of action: FoodTruckAction, from oldState: FoodTruckState, to newState: FoodTruckState
  ) -> Effect<FoodTruckState, FoodTruckAction>? {
    let effects = FoodTruckEffect.effects(of: action, from: oldState, to: newState)
    guard !effects.isEmpty else { return nil }
    return { _ in effects.forEach(self.perform) }
  }

  private func perform(_ effect: FoodTruckEffect) {
    let model = self.model.current.withLock { $0 }
    switch effect {
    case .markOrderAsNextStep(let id): model?.markOrderAsNextStep(id: id)
    case .markOrderAsCompleted(let id): model?.markOrderAsCompleted(id: id)
    case .addOrder: model?.addOrder()
    case .startActivity(let order): self.session?.startActivity(order: order)
    case .endActivity(let order): self.session?.endActivity(order: order)
    }
  }
}

/// Shows the progress of orders outside of the user interface, such as on a lock screen.
///
/// Calls are made on threads of the engine, one at a time for each store.
public protocol ActivitySession: Sendable {
  /// The order is now being prepared.
  func startActivity(order: Order)

  /// The order is no longer being prepared, or was removed.
  func endActivity(order: Order)
}
