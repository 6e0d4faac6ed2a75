import FoodTruckData
import ImmutableJSON
import StateEngine

// States and actions are written as JSON, composed of these functions.

/// A donut as JSON.
func donut(
  _ id: Int, name: String = "Classic", dough: String = "plain", glaze: String? = nil,
  topping: String? = nil
) -> String {
  let glaze = glaze.map { #""glaze":"\#($0)","# } ?? ""
  let topping = topping.map { #","topping":"\#($0)""# } ?? ""
  return #"{"dough":"\#(dough)",\#(glaze)"id":\#(id),"name":"\#(name)"\#(topping)}"#
}

/// An order as JSON.
func order(
  _ id: String, _ status: String = "placed", donuts: [String] = [], sales: String = "{}",
  total: String = "4.78", city: String = "Cupertino", spot: String = "Apple Park",
  created: Int = 1_000, completed: Int? = nil, temperature: String = "72.0", rain: Bool = false
) -> String {
  let completion = completed.map { #""completionDate":\#($0),"# } ?? ""
  return #"{"city":"\#(city)",\#(completion)"creationDate":\#(created),"#
    + #""donuts":[\#(donuts.joined(separator: ","))],"grandTotal":"\#(total)","id":"\#(id)","#
    + #""parkingSpot":"\#(spot)","sales":\#(sales),"status":"\#(status)","#
    + #""temperature":\#(temperature),"wasRaining":\#(rain)}"#
}

/// A state as JSON.
func state(_ orders: [String: String] = [:], donuts: [String: String] = [:]) -> String {
  func members(_ records: [String: String]) -> String {
    records.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
  }
  return "{\"donuts\":{\(members(donuts))},\"orders\":{\(members(orders))}}"
}

let emptyState = state()

// MARK: Actions

func tapStatus(_ id: String) -> String {
  #"{"payload":{"orderID":"\#(id)"},"type":"ui/orderDetailView/onTapStatusButton"}"#
}

func tapComplete(_ id: String) -> String {
  #"{"payload":{"orderID":"\#(id)"},"type":"ui/ordersView/onTapCompleteOrderButton"}"#
}

let tapAdd = #"{"type":"ui/ordersView/onTapAddOrderButton"}"#

func received(_ orders: String...) -> String {
  #"{"payload":{"orders":[\#(orders.joined(separator: ","))]},"#
    + #""type":"data/modelListener/didReceiveOrders"}"#
}

func receivedDonuts(_ donuts: String...) -> String {
  #"{"payload":{"donuts":[\#(donuts.joined(separator: ","))]},"#
    + #""type":"data/modelListener/didReceiveDonuts"}"#
}

// MARK: Stores and values

extension AnyStore {
  static func foodTruck(_ state: String = emptyState) throws -> AnyStore {
    try AnyStore(FoodTruckDomain.self, options: ["state": Value(json: state)])
  }

  func dispatch(_ action: String) throws {
    try self.dispatch(Value(json: action))
  }
}

extension Value {
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }
}

extension Order {
  /// An order for tests that need Swift values.
  init(
    _ id: String, _ status: OrderStatus = .placed, donuts: [Donut] = [], created: Int64 = 1_000,
    temperature: Double = 72
  ) {
    self.init(
      id: id, status: status, donuts: donuts, sales: [:], grandTotal: Money(tenThousandths: 47_800),
      city: "Cupertino", parkingSpot: "Apple Park",
      creationDate: Timestamp(milliseconds: created), temperature: temperature, wasRaining: false)
  }
}

extension Donut {
  init(_ id: Int, name: String = "Classic") {
    self.init(id: id, name: name, dough: .plain)
  }
}
