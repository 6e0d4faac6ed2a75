import HashTreeCollections
import ImmutableJSON

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
    self.init(
      orders: try container.records(.orders), donuts: try container.records(.donuts))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(self.orders, forKey: .orders)
    try container.encode(self.donuts, forKey: .donuts)
  }
}

extension KeyedDecodingContainer {
  /// Decodes records by id. Each must have its id as its key.
  fileprivate func records<Element>(_ key: Key) throws -> [Element]
  where Element: Decodable & Identifiable, Element.ID: CustomStringConvertible {
    let records = try self.decode([String: Element].self, forKey: key)
    // In a defined order, so that the same state has the same error.
    for (name, record) in records.sorted(by: { $0.key < $1.key }) where name != "\(record.id)" {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: self.codingPath + [key],
          debugDescription: "the key \(quoted(name)) differs from the id \(quoted("\(record.id)"))"
        ))
    }
    return Array(records.values)
  }
}
