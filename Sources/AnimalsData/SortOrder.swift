/// The direction of a sort.
public enum SortOrder: String, Codable, Hashable, Sendable, CaseIterable {
  case forward, reverse
}

extension Sequence where Element: Identifiable, Element.ID == String {
  /// The elements in the order of what `key` gives, as Swift's `<` has it. Where that is equal, in
  /// ascending order of the bytes of their ids, whatever the direction. O(n log n).
  func sorted<Key: Comparable>(by key: (Element) -> Key, _ order: SortOrder) -> [Element] {
    // Keys are taken once for each element, not for each comparison.
    var entries = self.map { (key: key($0), element: $0) }
    entries.sort { left, right in
      if left.key != right.key {
        return order == .forward ? left.key < right.key : right.key < left.key
      }
      return left.element.id.utf8.lexicographicallyPrecedes(right.element.id.utf8)
    }
    return entries.map(\.element)
  }
}
