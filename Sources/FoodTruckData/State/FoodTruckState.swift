import HashTreeCollections
import ProductSupport

/// The orders and the menu of a food truck, as a model has last published them.
public struct FoodTruckState: Hashable, Sendable {
  var orderTable: RecordTable<Order>
  var donutTable: RecordTable<Donut>

  /// - Parameters:
  ///   - orders: If several have one id, the last one wins.
  ///   - donuts: If several have one id, the last one wins.
  public init(orders: [Order] = [], donuts: [Donut] = []) {
    self.orderTable = RecordTable(orders)
    self.donutTable = RecordTable(donuts)
  }

  /// The orders by id, as they were received: their donuts may differ from the menu.
  public var orders: TreeDictionary<Order.ID, Order> {
    self.orderTable.records
  }

  /// The menu by id.
  public var donuts: TreeDictionary<Donut.ID, Donut> {
    self.donutTable.records
  }
}

extension FoodTruckState: Codable {
  private enum CodingKeys: CodingKey {
    case orders, donuts
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let orders: TreeDictionary<String, Order> = try container.decodeRecords(.orders)
    let donuts: TreeDictionary<String, Donut> = try container.decodeRecords(.donuts)
    self.init(orders: Array(orders.values), donuts: Array(donuts.values))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(self.orders, forKey: .orders)
    try container.encode(self.donuts, forKey: .donuts)
  }
}
