/// The direction of a sort.
///
/// Foundation has a `SortOrder` too: in a file that imports both, write `ProductSupport.SortOrder`.
public enum SortOrder: String, Codable, Hashable, Sendable, CaseIterable {
  case forward, reverse
}
