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

// MARK: Shapes

extension FoodTruckDomain {
  /// All numbers come from actions, which are JSON.
  public static var computesNumbers: Bool { false }

  public static var stateSchema: Schema {
    Schema(
      of: FoodTruckState.self, ["/orders": "The orders, by id.", "/donuts": "The menu, by id."])
  }

  public static var actions: [ActionDescription<FoodTruckAction>] {
    [
      .init(
        .ui(.orderDetailView(.onTapStatusButton(orderID: ""))),
        "The next status: placed, preparing, completed.", ["/orderID": "The id of the order."]),
      .init(
        .ui(.ordersView(.onTapCompleteOrderButton(orderID: ""))), "Completes an order.",
        ["/orderID": "The id of the order."]),
      .init(.ui(.ordersView(.onTapAddOrderButton)), "Adds an order."),
      .init(
        .data(.modelListener(.didReceiveOrders(orders: []))), "The model has published its orders.",
        ["/orders": "All orders, each with an id of its own."]),
      .init(
        .data(.modelListener(.didReceiveDonuts(donuts: []))), "The model has published its menu.",
        ["/donuts": "All donuts, each with an id of its own."]),
    ]
  }
}

extension Order: SchemaProviding {
  public static var schema: Schema {
    Schema(
      of: Fields.self,
      [
        "/id": "The id.", "/status": "The progress.", "/donuts": "The donuts.",
        "/sales": "How many were sold, by the id of the donut.",
        "/grandTotal": "The price, such as \"4.78\".", "/city": "The city.",
        "/parkingSpot": "The place in the city.",
        "/creationDate": "When it was placed, in milliseconds since 1970.",
        "/completionDate": "When it was ready, in milliseconds since 1970.",
        "/temperature": "In degrees Fahrenheit.", "/wasRaining": "Whether it rained.",
      ])
  }
}

extension Donut: SchemaProviding {
  public static var schema: Schema {
    Schema(
      of: Fields.self,
      [
        "/id": "The id.", "/name": "The name.", "/dough": "The dough.", "/glaze": "The glaze.",
        "/topping": "The topping.",
      ])
  }
}
