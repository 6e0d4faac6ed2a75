import ImmutableJSON
import StateEngine
import Testing

@testable import FoodTruckData

@Suite struct SelectorTests {
  /// The ids of the selected orders, in order, or the message of the error.
  private func select(_ state: String, _ arguments: Value) throws -> String {
    let store = try AnyStore.foodTruck(state)
    do {
      guard case .array(let orders) = try store.select("selectOrdersValues", arguments) else {
        return "no array"
      }
      return orders.map { $0["id"]?.text ?? "" }.joined(separator: " ")
    } catch {
      return error.message
    }
  }

  // MARK: Joins

  private static let classic = donut(0, name: "New Classic", glaze: "chocolate")

  @Test(arguments: [
    ([], []),
    ([donut(0)], [classic]),
    ([donut(1)], []),
    ([donut(2), donut(1), donut(0), donut(0)], [donut(2, name: "Two"), classic, classic]),
  ])
  func donutsAreThoseOfTheMenu(_ own: [String], _ joined: [String]) throws {
    let menu = ["0": Self.classic, "2": donut(2, name: "Two"), "3": donut(3)]
    let store = try AnyStore.foodTruck(state(["a": order("a", donuts: own)], donuts: menu))
    let expected = order("a", donuts: joined)
    #expect(try store.select("selectOrder", ["orderID": "a"]).json == expected)
    #expect(try store.select("selectOrders").json == #"{"a":\#(expected)}"#)
    #expect(try store.select("selectOrdersValues").json == "[\(expected)]")
    #expect(try store.select("selectOrdersValues", ["min": 1]).json == "[\(expected)]")
    #expect(try store.state().json == state(["a": order("a", donuts: own)], donuts: menu))
  }

  @Test func anOrderHasNoDonutsBeforeTheMenuWasReceived() throws {
    let store = try AnyStore.foodTruck()
    try store.dispatch(received(order("a", donuts: [donut(0), donut(1)])))
    #expect(try store.select("selectOrder", ["orderID": "a"]).json == order("a"))
    try store.dispatch(receivedDonuts(donut(1), donut(0, name: "New")))
    #expect(
      try store.select("selectOrder", ["orderID": "a"]).json
        == order("a", donuts: [donut(0, name: "New"), donut(1)]))
  }

  @Test func unknownOrders() throws {
    let store = try AnyStore.foodTruck(state(["a": order("a")]))
    for id: Value in [.null, "b"] {
      #expect(try store.select("selectOrder", ["orderID": id]) == .null)
    }
    let error = #expect(throws: EngineError.self) { try store.select("selectOrder") }
    #expect(error?.message == #""selectOrder": arguments: the member "orderID" is missing"#)
  }

  @Test(arguments: [
    ("[]", "{}"), (#"["a"]"#, #"{"a":"ready"}"#), (#"["none"]"#, "{}"),
    (#"["c","a","none","a","c","b"]"#, #"{"a":"ready","b":"placed","c":"completed"}"#),
  ])
  func statuses(_ ids: String, _ statuses: String) throws {
    let store = try AnyStore.foodTruck(
      state(["a": order("a", "ready"), "b": order("b"), "c": order("c", "completed")]))
    let output = try store.select("selectOrdersStatuses", ["orderIDs": Value(json: ids)])
    #expect(output.json == statuses)
  }

  // MARK: Search

  private static let menu = [
    "0": donut(0, name: "The Classic", glaze: "chocolate", topping: "sprinkles"),
    "1": donut(1, name: "Crème brûlée", dough: "lemonade", topping: "sourAppleLattice"),
    "2": donut(2, name: "STRASSE", dough: "powdered", glaze: "spicy"),
  ]

  /// The order 4 has a donut that is not on the menu.
  private static let searched = state(
    [
      "Order#1": order("Order#1", donuts: [donut(0)]),
      "Order#2": order("Order#2", donuts: [donut(2), donut(1)]),
      "Order#3": order("Order#3"),
      "Order#4": order("Order#4", donuts: [donut(9, name: "Cosmos"), donut(0)]),
    ], donuts: menu)

  @Test(arguments: [
    ("", "1 2 3 4"), ("order", "1 2 3 4"), ("ORDER#1", "1"), ("#3", "3"), (" ", "1 2 4"),
    ("classic", "1 4"), ("CLASSIC", "1 4"), ("brûlée", "2"), ("bru\u{302}le\u{301}e", "2"),
    ("BRÛLÉE", "2"), ("brulee", ""), ("straße", "2"),
    // Display names of ingredients, not their raw values.
    ("sour apple", "2"), ("sourApple", ""), ("Powdered Dough", "2"), ("spicy spread", "2"),
    ("Chocolate Glaze", "1 4"), ("lemonade", "2"), ("Plain", "1 4"), ("sprinkles", "1 4"),
    // An order's own donuts do not count if they are not on the menu.
    ("cosmos", ""), ("Cupertino", ""), ("Order#1 ", ""),
  ])
  func ordersContainTheText(_ text: String, _ ids: String) throws {
    let expected = ids.split(separator: " ").map { "Order#\($0)" }
    #expect(
      try self.select(Self.searched, ["searchText": .string(text)])
        == expected.joined(separator: " "))
    let output = try AnyStore.foodTruck(Self.searched)
      .select("selectOrders", ["searchText": .string(text)])
    guard case .object(let orders) = output else {
      Issue.record("\(output) is not an object")
      return
    }
    #expect(orders.map { $0.key } == expected)
  }

  // MARK: Sorting

  private static let sorted = state([
    "a": order(
      "a", "ready", sales: #"{"0":2,"1":3}"#, total: "9.10", city: "B", spot: "z", created: 3,
      completed: 5, temperature: "-1.5"),
    "b": order(
      "b", "placed", sales: #"{"0":5}"#, total: "10.00", city: "A", spot: "Z", created: 1,
      temperature: "0.0"),
    "c": order(
      "c", "completed", total: "-1.00", city: "B", spot: "z", created: 2, completed: -4,
      temperature: "-0.0"),
    "d": order(
      "d", "preparing", sales: #"{"5":-7}"#, total: "9.10", city: "é", spot: "", created: 3,
      completed: 5, temperature: "99.5"),
  ])

  @Test(arguments: [
    ("[]", "a b c d"),
    (#"[{"by":"id"}]"#, "a b c d"), (#"[{"by":"id","order":"reverse"}]"#, "d c b a"),
    (#"[{"by":"status"}]"#, "b d a c"), (#"[{"by":"status","order":"reverse"}]"#, "c a d b"),
    (#"[{"by":"totalSales"}]"#, "d c a b"),
    (#"[{"by":"totalSales","order":"reverse"}]"#, "a b c d"),
    (#"[{"by":"grandTotal"}]"#, "c a d b"),
    (#"[{"by":"grandTotal","order":"reverse"}]"#, "b a d c"),
    (#"[{"by":"city"}]"#, "b a c d"), (#"[{"by":"city","order":"reverse"}]"#, "d a c b"),
    (#"[{"by":"parkingSpot"}]"#, "d b a c"),
    (#"[{"by":"parkingSpot","order":"reverse"}]"#, "a c b d"),
    (#"[{"by":"creationDate"}]"#, "b c a d"),
    (#"[{"by":"creationDate","order":"reverse"}]"#, "a d c b"),
    // Orders without a date come first.
    (#"[{"by":"completionDate"}]"#, "b c a d"),
    (#"[{"by":"completionDate","order":"reverse"}]"#, "a d c b"),
    (#"[{"by":"temperature"}]"#, "a b c d"),
    (#"[{"by":"temperature","order":"reverse"}]"#, "d b c a"),
    // Several keys; one that occurs again decides nothing.
    (#"[{"by":"city"},{"by":"creationDate"}]"#, "b c a d"),
    (#"[{"by":"creationDate","order":"reverse"},{"by":"status"}]"#, "d a c b"),
    (#"[{"by":"city"},{"by":"city","order":"reverse"},{"by":"status"}]"#, "b a c d"),
    (#"[{"by":"grandTotal"},{"by":"creationDate"},{"by":"id","order":"reverse"}]"#, "c d a b"),
  ])
  func sorting(_ sort: String, _ ids: String) throws {
    let sort = try Value(json: sort)
    #expect(try self.select(Self.sorted, ["sort": sort]) == ids)
    for count in 0...5 {
      let first = ids.split(separator: " ").prefix(count).joined(separator: " ")
      let arguments: Value = ["sort": sort, "min": .integer(Int64(count))]
      #expect(try self.select(Self.sorted, arguments) == first)
    }
  }

  @Test func tiesAreOrderedByTheBytesOfIds() throws {
    let ids = ["", "10", "9", "Z", "_", "a", "z", "Å", "é", "東"]
    let orders = Dictionary(uniqueKeysWithValues: ids.map { ($0, order($0)) })
    for direction in ["forward", "reverse"] {
      let sort: Value = [["by": "status", "order": .string(direction)]]
      #expect(try self.select(state(orders), ["sort": sort]) == ids.joined(separator: " "))
      #expect(
        try self.select(state(orders), ["sort": sort, "min": 4])
          == ids.prefix(4).joined(separator: " "))
    }
  }

  @Test func minCountsOrdersThatContainTheText() throws {
    let arguments: Value = [
      "searchText": "classic", "sort": [["by": "id", "order": "reverse"]], "min": 1,
    ]
    #expect(try self.select(Self.searched, arguments) == "Order#4")
  }

  /// A sum beyond the range of `Int` is the nearest integer, in any order of the counts.
  @Test(arguments: [
    ([:], 0), ([1: 2, 2: 3], 5), ([1: .max, 2: 1], .max), ([1: .min, 2: -1], .min),
    ([1: .max, 2: .max, 3: .min], .max - 1), ([1: .min, 2: .min, 3: .max], .min),
  ])
  func totalSales(_ sales: [Int: Int], _ total: Int) {
    var order = Order("a")
    order.sales = sales
    #expect(order.totalSales == total)
  }

  // MARK: Errors

  @Test(arguments: [
    (
      #"{"min":-1}"#,
      #""selectOrdersValues": arguments/min: -1 is negative; expected 0 or more"#
    ),
    (
      #"{"sort":"status"}"#,
      #""selectOrdersValues": arguments/sort: expected an array, found a string"#
    ),
    (
      #"{"sort":[{"by":"status"},{"by":"name"}]}"#,
      #""selectOrdersValues": arguments/sort/1/by: invalid value "name"; expected one of: "city", "#
        + #""completionDate", "creationDate", "grandTotal", "id" and 4 more"#
    ),
    (
      #"{"sort":[{"order":"forward"}]}"#,
      #""selectOrdersValues": arguments/sort/0: the member "by" is missing"#
    ),
    (
      #"{"sort":[{"by":"id","order":"down"}]}"#,
      #""selectOrdersValues": arguments/sort/0/order: invalid value "down"; expected one of: "#
        + #""forward", "reverse""#
    ),
    (
      #"{"max":1}"#,
      #""selectOrdersValues": arguments: unknown member "max"; expected one of: "min", "#
        + #""searchText", "sort""#
    ),
  ])
  func invalidArguments(_ arguments: String, _ message: String) throws {
    #expect(try self.select(state(), Value(json: arguments)) == message)
  }
}
