import ImmutableData
import Threading

extension FoodTruckModel {
  /// What a model publishes.
  public enum Change: Hashable, Sendable {
    /// All orders after a change.
    case orders([Order])
    /// The whole menu after a change.
    case donuts([Donut])
  }

  /// The subscribers of a model, and what they have not received yet.
  struct Publisher {
    var subscribers: [Callback<Change>] = []
    var undelivered = Queue<(Change, [Callback<Change>])>()
    var delivery = Claim()

    mutating func publish(_ change: Change) {
      self.subscribers.removeAll(where: \.isCancelled)
      if !self.subscribers.isEmpty { self.undelivered.append((change, self.subscribers)) }
    }
  }
}

extension FoodTruckModel {
  /// Calls `body` with the orders and the menu, now and after each call that changes them or could
  /// have changed them.
  ///
  /// Calls are in the order of the changes, one at a time. They happen before the function that
  /// changed the model returns, unless another thread is publishing: that thread then calls `body`.
  /// `body` may change the model; that change is published after `body` has returned.
  public func subscribe(_ body: @escaping @Sendable (Change) -> Void) -> Subscription {
    let callback = Callback(body)
    self.subscribe(callback)
    return Subscription { callback.cancel() }
  }

  func subscribe(_ callback: Callback<Change>) {
    self.change { state in
      state.publisher.undelivered.append((.donuts(state.donuts), [callback]))
      state.publisher.undelivered.append((.orders(state.orders), [callback]))
      state.publisher.subscribers.append(callback)
    }
  }

  func updateOrders(_ update: (inout State) -> Void) {
    self.change { state in
      update(&state)
      state.publisher.publish(.orders(state.orders))
    }
  }

  func updateDonuts(_ update: (inout State) -> Void) {
    self.change { state in
      update(&state)
      state.publisher.publish(.donuts(state.donuts))
    }
  }

  private func change(_ change: (inout State) -> Void) {
    let isClaimed = self.state.withLock { state in
      change(&state)
      return state.publisher.delivery.take()
    }
    guard isClaimed else { return }
    while let (change, subscribers) = self.state.withLock({
      $0.publisher.delivery.next(of: &$0.publisher.undelivered)
    }) {
      subscribers.forEach { $0.call(change) }
    }
  }
}
