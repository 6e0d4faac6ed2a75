import StateEngine

extension FoodTruckDomain {
  public static var filters: [FilterDescription<FoodTruckState, FoodTruckAction>] {
    [
      .init(
        "filterOrders", "The actions that may change the orders.", FoodTruckState.filterOrders())
    ]
  }
}

extension FoodTruckState {
  /// The filter for observers of orders: `true` for actions that may change them.
  public static func filterOrders() -> @Sendable (FoodTruckState, FoodTruckAction) -> Bool {
    { _, action in
      switch action {
      case .ui: false
      case .data: true
      }
    }
  }
}
