import ProductSupport

/// One key of a sort of orders.
public struct OrderSort: Hashable, Sendable {
  /// What orders are compared by.
  public enum Key: String, Codable, Hashable, Sendable, CaseIterable {
    case id, status, totalSales, grandTotal, city, parkingSpot, creationDate, completionDate
    case temperature
  }

  public var key: Key
  public var order: SortOrder

  public init(_ key: Key, _ order: SortOrder = .forward) {
    self.key = key
    self.order = order
  }
}

extension OrderSort {
  private var keys: [SortKey<Order>] {
    switch self.key {
    case .id: [.text({ $0.id }, self.order)]
    case .status: [.integer({ $0.status.rank }, self.order)]
    case .totalSales: [.integer({ Int64($0.totalSales) }, self.order)]
    case .grandTotal: [.integer({ $0.grandTotal.tenThousandths }, self.order)]
    case .city: [.text({ $0.city }, self.order)]
    case .parkingSpot: [.text({ $0.parkingSpot }, self.order)]
    case .creationDate: [.integer({ $0.creationDate.milliseconds }, self.order)]
    case .completionDate:
      // Forward, orders without a date come before those with one.
      [
        .integer({ $0.completionDate == nil ? 0 : 1 }, self.order),
        .integer({ $0.completionDate?.milliseconds ?? 0 }, self.order),
      ]
    case .temperature: [.double({ $0.temperature }, self.order)]
    }
  }

  /// The keys of several sorts. A key that occurs again decides nothing, and is left out: sorting
  /// takes memory for each.
  static func keys(_ sorts: [OrderSort]) -> [SortKey<Order>] {
    var seen: Set<Key> = []
    return sorts.filter { seen.insert($0.key).inserted }.flatMap(\.keys)
  }
}

extension OrderSort: Codable {
  private enum CodingKeys: CodingKey {
    case by, order
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(Key.self, forKey: .by),
      try container.decodeIfPresent(SortOrder.self, forKey: .order) ?? .forward)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(self.key, forKey: .by)
    try container.encode(self.order, forKey: .order)
  }
}
