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

  static let startActivity = HostEffect<OrderArguments, NoValue>(
    "startActivity", "Starts the activity of an order that is now being prepared.",
    arguments: .object([.init("order", FoodTruckDomain.order, "The order.")]))

  static let endActivity = HostEffect<OrderArguments, NoValue>(
    "endActivity",
    "Ends the activity of an order that is no longer being prepared, or was removed.",
    arguments: .object([.init("order", FoodTruckDomain.order, "The order.")]))

  static let markOrderAsNextStep = HostEffect<IDArguments, NoValue>(
    "markOrderAsNextStep", "Begins to prepare or completes an order in the model of the program.",
    arguments: .object([FoodTruckDomain.orderID]))

  static let markOrderAsCompleted = HostEffect<IDArguments, NoValue>(
    "markOrderAsCompleted", "Completes an order in the model of the program.",
    arguments: .object([FoodTruckDomain.orderID]))

  static let addOrder = HostEffect<NoValue, NoValue>(
    "addOrder", "Adds an order to the model of the program.")
}
