import StateEngine

extension FoodTruckDomain {
  struct OrderArguments: Codable, Hashable, Sendable {
    var order: Order
  }

  struct IDArguments: Codable, Hashable, Sendable {
    var orderID: Order.ID
  }

  public static var programEffects: [ProgramEffectDescription] {
    [
      self.startActivity.description, self.endActivity.description,
      self.markOrderAsNextStep.description, self.markOrderAsCompleted.description,
      self.addOrder.description,
    ]
  }

  static var startActivity: ProgramEffect<OrderArguments, NoValue> {
    .init(
      "startActivity", "Starts the activity of an order that is now being prepared.",
      arguments: Schema(of: OrderArguments.self, ["/order": "The order."]))
  }

  static var endActivity: ProgramEffect<OrderArguments, NoValue> {
    .init(
      "endActivity",
      "Ends the activity of an order that is no longer being prepared, or was removed.",
      arguments: Schema(of: OrderArguments.self, ["/order": "The order."]))
  }

  static var markOrderAsNextStep: ProgramEffect<IDArguments, NoValue> {
    .init(
      "markOrderAsNextStep",
      "Begins to prepare or completes an order in the model of the program.",
      arguments: Schema(of: IDArguments.self, ["/orderID": "The id of the order."]))
  }

  static var markOrderAsCompleted: ProgramEffect<IDArguments, NoValue> {
    .init(
      "markOrderAsCompleted", "Completes an order in the model of the program.",
      arguments: Schema(of: IDArguments.self, ["/orderID": "The id of the order."]))
  }

  static var addOrder: ProgramEffect<NoValue, NoValue> {
    .init("addOrder", "Adds an order to the model of the program.")
  }
}
