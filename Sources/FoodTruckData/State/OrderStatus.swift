/// The progress of an order. The cases are in the order of progress.
public enum OrderStatus: String, Codable, Hashable, Sendable, CaseIterable {
  case placed, preparing, ready, completed
}

extension OrderStatus {
  /// The position among all statuses, from 0.
  var rank: Int64 {
    switch self {
    case .placed: 0
    case .preparing: 1
    case .ready: 2
    case .completed: 3
    }
  }
}

extension OrderStatus: Comparable {
  public static func < (left: Self, right: Self) -> Bool {
    left.rank < right.rank
  }
}
