/// The direction of a sort.
public enum SortOrder: String, Codable, Hashable, Sendable, CaseIterable {
  case forward, reverse
}
