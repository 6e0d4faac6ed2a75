import ProductSupport

/// The direction of a sort.
public typealias SortOrder = ProductSupport.SortOrder

/// What quakes are sorted by.
public enum QuakeSort: String, Codable, Hashable, Sendable, CaseIterable {
  case time, magnitude, quakeId
}

extension QuakeSort {
  func key(_ order: SortOrder) -> SortKey<Quake> {
    switch self {
    case .time: SortKey(order) { $0.time.milliseconds }
    case .magnitude: SortKey(order) { $0.magnitude }
    case .quakeId: SortKey(order) { $0.quakeId }
    }
  }
}
