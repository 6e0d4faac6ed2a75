import StateEngine

/// The domain `foodtruck`: the orders and the menu of a food truck, which a model owns.
public enum FoodTruckDomain: Domain {
  public static let name = "foodtruck"

  public static let summary = "The orders and the menu of a food truck, published by a model."

  public static var logRefusal: String? {
    "mirrors a model, which a log cannot restore"
  }

  public static var initialState: FoodTruckState {
    FoodTruckState()
  }

  public static func reduce(
    _ state: FoodTruckState, _ action: FoodTruckAction
  ) throws -> FoodTruckState {
    try FoodTruckReducer.reduce(state: state, action: action)
  }

  public static var undoable: UndoableActions<FoodTruckAction> {
    .none(
      because: "the orders and the menu belong to a model, which an old state does not change; "
        + "change the model back, and let it publish them")
  }
}

// MARK: Actions

extension FoodTruckDomain {
  public static var actions: [ActionDescription] {
    [
      .init(
        "ui/orderDetailView/onTapStatusButton",
        "The next status: placed, preparing, completed.", payload: [self.orderID]),
      .init(
        "ui/ordersView/onTapCompleteOrderButton", "Completes an order.", payload: [self.orderID]),
      .init("ui/ordersView/onTapAddOrderButton", "Adds an order."),
      .init(
        "data/modelListener/didReceiveOrders", "The model has published its orders.",
        payload: [
          .init("orders", .array(self.order), "All orders, each with an id of its own.")
        ]),
      .init(
        "data/modelListener/didReceiveDonuts", "The model has published its menu.",
        payload: [
          .init("donuts", .array(self.donut), "All donuts, each with an id of its own.")
        ]),
    ]
  }

  static var orderID: Schema.Property {
    .init("orderID", .string, "The id of the order.")
  }
}

// MARK: Shapes

extension FoodTruckDomain {
  /// All numbers come from actions, which are JSON.
  public static var computesNumbers: Bool { false }

  public static var stateSchema: Schema {
    .object([
      .init("orders", .dictionary(self.order), "The orders, by id."),
      .init("donuts", .dictionary(self.donut), "The menu, by id."),
    ])
  }

  static var order: Schema {
    .object([
      .init("id", .string, "The id."),
      .init("status", self.status, "The progress."),
      .init("donuts", .array(self.donut), "The donuts."),
      .init("sales", .dictionary(.integer), "How many were sold, by the id of the donut."),
      .init("grandTotal", .string, "The price, such as \"4.78\"."),
      .init("city", .string, "The city."),
      .init("parkingSpot", .string, "The place in the city."),
      .init("creationDate", .integer, "When it was placed, in milliseconds since 1970."),
      .init(
        "completionDate", .nullable(.integer), isRequired: false,
        "When it was ready, in milliseconds since 1970."),
      .init("temperature", .number, "In degrees Fahrenheit."),
      .init("wasRaining", .boolean, "Whether it rained."),
    ])
  }

  static var status: Schema {
    .oneOf(OrderStatus.allCases.map(\.rawValue))
  }

  private static var donut: Schema {
    .object([
      .init("id", .integer, "The id."),
      .init("name", .string, "The name."),
      .init("dough", .oneOf(Dough.allCases.map(\.rawValue)), "The dough."),
      .init(
        "glaze", .nullable(.oneOf(Glaze.allCases.map(\.rawValue))), isRequired: false,
        "The glaze."),
      .init(
        "topping", .nullable(.oneOf(Topping.allCases.map(\.rawValue))), isRequired: false,
        "The topping."),
    ])
  }
}
