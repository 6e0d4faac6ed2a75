import StateEngine

extension FoodTruckDomain {
  public static var filters: [FilterDescription<FoodTruckState, FoodTruckAction>] {
    [
      .init(
        "filterOrders", "The actions that may change the orders.", FoodTruckState.filterOrders())
    ]
  }
}
