import ImmutableData
import Threading

/// Dispatches what a model publishes to a store.
///
/// ```swift
/// let store = Store(initialState: FoodTruckState(), reducer: FoodTruckReducer.reduce)
/// let modelListener = ModelListener()
/// modelListener.listen(to: model, with: store)
/// store.state.orders.count  // 24
/// ```
///
/// Retain the listener: it stops when it is cancelled or released. It may be used from any thread.
public final class ModelListener: Sendable {
  private struct Listening {
    weak var model: FoodTruckModel?
    var callback: Callback<FoodTruckModel.Change>?
  }

  private let listening = Mutex(Listening())
  private let onError: @Sendable (any Error) -> Void

  /// - Parameter onError: Called with the error of a dispatch: the model has published what the
  ///   reducer refuses, such as two orders with the same id.
  public init(onError: @escaping @Sendable (any Error) -> Void = { _ in }) {
    self.onError = onError
  }

  deinit {
    self.cancel()
  }
}

extension ModelListener {
  /// Dispatches the orders and the menu of a model now, and whenever it publishes them, instead of
  /// those of the previous model. Does nothing if it already listens to this model.
  public func listen(
    to model: FoodTruckModel, with store: Store<FoodTruckState, FoodTruckAction>
  ) {
    let callback = Callback<FoodTruckModel.Change> { [weak store, onError] change in
      do {
        try store?.dispatch(action: FoodTruckAction(change))
      } catch {
        onError(error)
      }
    }
    guard self.replace(with: model, callback) else { return }
    model.subscribe(callback)
  }

  /// Stops listening. When this returns, nothing more is dispatched. Inside a callback, it does not
  /// wait for a dispatch in progress, which is then the last.
  public func cancel() {
    _ = self.replace(with: nil, nil)
  }

  /// - Returns: Whether it listened to another model.
  private func replace(
    with model: FoodTruckModel?, _ callback: Callback<FoodTruckModel.Change>?
  ) -> Bool {
    var previous: FoodTruckModel?
    let (isNew, old) = self.listening.withLock { listening in
      previous = listening.model
      guard model == nil || previous !== model else {
        return (false, nil as Callback<FoodTruckModel.Change>?)
      }
      defer { listening = Listening(model: model, callback: callback) }
      return (true, listening.callback)
    }
    // Released without the lock: this may be the last reference.
    withExtendedLifetime(previous) {}
    // Without the lock: this waits for a dispatch in progress.
    old?.cancel()
    return isNew
  }
}

extension FoodTruckAction {
  /// The action for what a model has published.
  init(_ change: FoodTruckModel.Change) {
    self =
      switch change {
      case .orders(let orders): .data(.modelListener(.didReceiveOrders(orders: orders)))
      case .donuts(let donuts): .data(.modelListener(.didReceiveDonuts(donuts: donuts)))
      }
  }
}
