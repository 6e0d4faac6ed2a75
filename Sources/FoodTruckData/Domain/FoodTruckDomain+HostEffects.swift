import StateEngine

extension FoodTruckDomain {
  struct OrderArguments: Codable, Hashable, Sendable {
    var order: Order
  }

  struct IDArguments: Codable, Hashable, Sendable {
    var orderID: Order.ID
  }

  public static var hostEffects: [HostEffectDescription] {
    [
      self.startActivity.description, self.endActivity.description,
      self.markOrderAsNextStep.description, self.markOrderAsCompleted.description,
      self.addOrder.description,
    ]
  }

  static var startActivity: HostEffect<OrderArguments, NoValue> {
    .init(
      "startActivity", "Starts the activity of an order that is now being prepared.",
      arguments: .object([.init("order", FoodTruckDomain.order, "The order.")]))
  }

  static var endActivity: HostEffect<OrderArguments, NoValue> {
    .init(
      "endActivity",
      "Ends the activity of an order that is no longer being prepared, or was removed.",
      arguments: .object([.init("order", FoodTruckDomain.order, "The order.")]))
  }

  static var markOrderAsNextStep: HostEffect<IDArguments, NoValue> {
    .init(
      "markOrderAsNextStep",
      "Begins to prepare or completes an order in the model of the program.",
      arguments: .object([FoodTruckDomain.orderID]))
  }

  static var markOrderAsCompleted: HostEffect<IDArguments, NoValue> {
    .init(
      "markOrderAsCompleted", "Completes an order in the model of the program.",
      arguments: .object([FoodTruckDomain.orderID]))
  }

  static var addOrder: HostEffect<NoValue, NoValue> {
    .init("addOrder", "Adds an order to the model of the program.")
  }
}
