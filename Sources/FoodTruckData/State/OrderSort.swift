import ProductSupport

/// The direction of a sort.
public typealias SortOrder = ProductSupport.SortOrder

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
    case .id: [SortKey(self.order) { $0.id }]
    case .status: [SortKey(self.order) { $0.status.rank }]
    case .totalSales: [SortKey(self.order) { $0.totalSales }]
    case .grandTotal: [SortKey(self.order) { $0.grandTotal.tenThousandths }]
    case .city: [SortKey(self.order) { $0.city }]
    case .parkingSpot: [SortKey(self.order) { $0.parkingSpot }]
    case .creationDate: [SortKey(self.order) { $0.creationDate.milliseconds }]
    case .completionDate:
      // Forward, orders without a date come before those with one.
      [
        SortKey(self.order) { $0.completionDate == nil ? 0 : 1 },
        SortKey(self.order) { $0.completionDate?.milliseconds ?? 0 },
      ]
    case .temperature: [SortKey(self.order) { $0.temperature }]
    }
  }

  /// The keys of several sorts. A key that occurs again decides nothing, and is left out.
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
