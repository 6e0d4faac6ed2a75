import ProductSupport

/// What quakes are sorted by.
public enum QuakeSort: String, Codable, Hashable, Sendable, CaseIterable {
  case time, magnitude
}

extension QuakeSort {
  func key(_ order: SortOrder) -> SortKey<Quake> {
    switch self {
    case .time: .integer({ $0.time.milliseconds }, order)
    case .magnitude: .double({ $0.magnitude }, order)
    }
  }
}
