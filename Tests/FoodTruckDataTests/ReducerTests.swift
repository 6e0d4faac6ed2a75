import ImmutableJSON
import StateEngine
import TestSupport
import Testing

@testable import FoodTruckData

@Suite struct ReducerTests {
  typealias Row = ReducerRow

  private static let full = state(
    ["a": order("a"), "b": order("b", "preparing")], donuts: ["0": donut(0)])

  /// The taps change nothing: the model does.
  static let taps: [Row] = [
    tapStatus("a"), tapStatus("b"), tapStatus("none"), tapComplete("a"), tapComplete("none"),
    tapAdd,
  ].flatMap { [Row(state(), $0, state()), Row(full, $0, full)] }

  static let orders: [Row] = [
    Row(state(), received(), state()),
    Row(state(), received(order("a")), state(["a": order("a")])),
    Row(full, received(), state(donuts: ["0": donut(0)])),
    Row(full, received(order("b", "preparing"), order("a")), full),
    Row(
      full, received(order("a", "completed"), order("b", "preparing")),
      state(["a": order("a", "completed"), "b": order("b", "preparing")], donuts: ["0": donut(0)])),
    Row(
      full, received(order("c"), order("b")),
      state(["b": order("b"), "c": order("c")], donuts: ["0": donut(0)])),
    // The donuts of an order stay as they were received.
    Row(
      state(donuts: ["0": donut(0, name: "New")]), received(order("a", donuts: [donut(0)])),
      state(["a": order("a", donuts: [donut(0)])], donuts: ["0": donut(0, name: "New")])),
  ]

  static let donuts: [Row] = [
    Row(state(), receivedDonuts(), state()),
    Row(
      state(), receivedDonuts(donut(2), donut(1, glaze: "lemon", topping: "sugarLattice")),
      state(donuts: ["1": donut(1, glaze: "lemon", topping: "sugarLattice"), "2": donut(2)])),
    Row(
      full, receivedDonuts(donut(1)),
      state(["a": order("a"), "b": order("b", "preparing")], donuts: ["1": donut(1)])),
  ]

  @Test(arguments: taps + orders + donuts)
  func nextState(_ row: Row) throws {
    let store = try AnyStore.foodTruck(row.before)
    try store.dispatch(row.action)
    #expect(try store.state().json == row.after)
  }

  // MARK: Errors

  @Test(arguments: [
    (
      received(order("a"), order("a")),
      #"several orders have the id "a"; each order needs an id of its own"#
    ),
    (
      received(order("c"), order("a"), order("c", "ready")),
      #"several orders have the id "c"; each order needs an id of its own"#
    ),
    (
      received(order("a"), order("b"), order("a")),
      #"several orders have the id "a"; each order needs an id of its own"#
    ),
    (
      received(order("a"), order("b"), order("b"), order("a")),
      #"several orders have the id "b"; each order needs an id of its own"#
    ),
    (
      received(order("b"), order("b"), order("a")),
      #"several orders have the id "b"; each order needs an id of its own"#
    ),
    (
      receivedDonuts(donut(7), donut(7, name: "Other")),
      "several donuts have the id 7; each donut needs an id of its own"
    ),
  ])
  func idsMustBeUnique(_ action: String, _ message: String) throws {
    let store = try AnyStore.foodTruck(Self.full)
    #expect(throws: EngineError(.reducerFailed, message)) { try store.dispatch(action) }
    #expect(try store.state().json == Self.full)
    // The next list is compared with the last one that was accepted.
    try store.dispatch(received(order("b", "preparing"), order("a")))
    #expect(try store.state().json == Self.full)
  }

  /// Such an id would be a key that JSON cannot write.
  @Test func idsMustNotContainNull() throws {
    let store = try AnyStore.foodTruck(Self.full)
    let message = #"the id "a\u0000b" contains U+0000, which a key must not contain"#
    #expect(throws: EngineError(.reducerFailed, message)) {
      try store.dispatch(received(order("a"), order(#"a\u0000b"#)))
    }
    #expect(try store.state().json == Self.full)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func temperaturesMustBeFinite(_ temperature: Double) throws {
    let orders = [Order("a"), Order("b", temperature: temperature)]
    let before = FoodTruckState(orders: [Order("a")])
    let error = #expect(throws: FoodTruckReducer.Error.self) {
      try FoodTruckReducer.reduce(
        state: before, action: .data(.modelListener(.didReceiveOrders(orders: orders))))
    }
    #expect(error?.code == .invalidTemperature)
    #expect(error?.description == #"the temperature of the order "b" is not a finite number"#)
  }

  @Test(arguments: [
    (
      received(order("a", "lost")),
      #""data/modelListener/didReceiveOrders": payload/orders/0/status: invalid value "lost"; "#
        + #"expected one of: "completed", "placed", "preparing", "ready""#
    ),
    (
      received(order("a", donuts: [donut(1, dough: "rye")])),
      #""data/modelListener/didReceiveOrders": payload/orders/0/donuts/0/dough: invalid value "#
        + #""rye"; expected one of: "blueberry", "chocolate", "lemonade", "plain", "powdered" and "#
        + #"2 more"#
    ),
    (
      received(order("a", total: "4.123456")),
      #""data/modelListener/didReceiveOrders": payload/orders/0/grandTotal: "4.123456" is not an "#
        + #"amount; expected digits and at most four decimals, as in "12.50""#
    ),
    (
      received(order("a", sales: #"{"x":1}"#)),
      #""data/modelListener/didReceiveOrders": payload/orders/0/sales: "x" is not the id of a "#
        + #"donut; expected an integer"#
    ),
    (
      #"{"payload":{},"type":"ui/ordersView/onTapAddOrderButton"}"#,
      #""ui/ordersView/onTapAddOrderButton" takes no payload; leave out "payload""#
    ),
  ])
  func invalidActions(_ action: String, _ message: String) throws {
    let store = try AnyStore.foodTruck()
    #expect(throws: EngineError(.invalidAction, message)) { try store.dispatch(action) }
  }

  @Test(arguments: [
    (state(["b": order("a")]), #"options/state/orders: the key "b" differs from the id "a""#),
    (
      state(donuts: ["01": donut(1)]),
      #"options/state/donuts: the key "01" differs from the id "1""#
    ),
    (
      state(["\u{E9}": order("e\u{301}")]),
      "options/state/orders: the key \"\u{E9}\" differs from the id \"e\u{301}\", "
        + "but only in its Unicode normalization"
    ),
    (
      #"{"donuts":{},"orders":{"e\#u{301}":\#(order("e\u{301}")),"\#u{E9}":\#(order("\u{E9}"))}}"#,
      "options/state/orders: several keys are \"\u{E9}\" in another Unicode normalization; "
        + "they are one id"
    ),
  ])
  func keysAreIds(_ state: String, _ message: String) {
    #expect(throws: EngineError(.invalidArgument, message)) { try AnyStore.foodTruck(state) }
  }

  // MARK: Unicode

  /// Changes that Swift's `==` would not see.
  @Test(arguments: [
    (order("e\u{301}"), order("\u{E9}")),
    (order("a", city: "e\u{301}"), order("a", city: "\u{E9}")),
    (order("a", spot: "\u{E9}"), order("a", spot: "e\u{301}")),
    (order("a", temperature: "0.0"), order("a", temperature: "-0.0")),
    (
      order("a", donuts: [donut(0, name: "e\u{301}")]),
      order("a", donuts: [donut(0, name: "\u{E9}")])
    ),
  ])
  func aChangeOfTheBytesIsAChange(_ before: String, _ after: String) throws {
    let store = try AnyStore.foodTruck()
    try store.dispatch(received(before))
    try store.dispatch(received(after))
    let order = try Value(json: after)
    let id = try #require(order["id"]?.text)
    let expected = state([id: order.json])
    #expect(try Array(store.state().json.utf8) == Array(expected.utf8))
  }

  @Test func equivalentIDsAreOneID() throws {
    let store = try AnyStore.foodTruck()
    let message = "several orders have the id \"\u{E9}\"; each order needs an id of its own"
    #expect(throws: EngineError(.reducerFailed, message)) {
      try store.dispatch(received(order("e\u{301}"), order("\u{E9}")))
    }
    try store.dispatch(received(order("e\u{301}")))
    let statuses = try store.select("selectOrdersStatuses", ["orderIDs": ["\u{E9}"]])
    #expect(Array(statuses.json.utf8) == Array("{\"e\u{301}\":\"placed\"}".utf8))
  }
}
