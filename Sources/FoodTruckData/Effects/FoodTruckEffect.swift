/// What an action asks for, besides its next state.
enum FoodTruckEffect: Hashable, Sendable {
  /// Calls to the model.
  case markOrderAsNextStep(id: Order.ID)
  case markOrderAsCompleted(id: Order.ID)
  case addOrder

  /// Calls to the activity session.
  case startActivity(Order)
  case endActivity(Order)
}

extension FoodTruckEffect {
  /// The effects of an action, in order.
  static func effects(
    of action: FoodTruckAction, from old: FoodTruckState, to new: FoodTruckState
  ) -> [FoodTruckEffect] {
    switch action {
    case .ui(.orderDetailView(.onTapStatusButton(let id))): [.markOrderAsNextStep(id: id)]
    case .ui(.ordersView(.onTapCompleteOrderButton(let id))): [.markOrderAsCompleted(id: id)]
    case .ui(.ordersView(.onTapAddOrderButton)): [.addOrder]
    case .data(.modelListener(.didReceiveOrders)): self.activities(from: old, to: new)
    case .data(.modelListener(.didReceiveDonuts)): []
    }
  }

  /// The activities that orders start and end by their transitions, in the order of the bytes of
  /// their ids.
  ///
  /// They do not depend on what caused the transition: a tap on any screen, or the model itself. An
  /// order that is received for the first time was not prepared while this program watched, so it
  /// starts nothing. O(n), but reads only the orders that differ or moved.
  private static func activities(
    from old: FoodTruckState, to new: FoodTruckState
  ) -> [FoodTruckEffect] {
    RecordTable.changes(from: old.orderTable, to: new.orderTable)
      .compactMap { old, new -> (id: Order.ID, effect: FoodTruckEffect)? in
        guard let old else { return nil }
        switch (old.status == .preparing, new?.status == .preparing) {
        case (false, true): return new.map { ($0.id, .startActivity($0)) }
        case (true, false): return (old.id, .endActivity(new ?? old))
        case (true, true), (false, false): return nil
        }
      }
      .sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
      .map(\.effect)
  }
}
