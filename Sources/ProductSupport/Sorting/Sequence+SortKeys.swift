// Inlinable, so that elements are read by code that knows their type.
extension Sequence where Element: Identifiable, Element.ID == String {
  /// Sorts the elements by the first key, those with equal first keys by the second, and so on;
  /// elements with equal keys by the bytes of their ids, ascending. O(n log n).
  @inlinable package func sorted(by keys: [SortKey<Element>]) -> [Element] {
    let elements = Array(self)
    return elements.sortedIndexes(keys).all.map { elements[$0] }
  }

  /// Returns the first `count` elements of ``sorted(by:)``, without sorting the others;
  /// none if `count` is negative. O(n log `count`).
  @inlinable package func first(_ count: Int, sortedBy keys: [SortKey<Element>]) -> [Element] {
    let elements = Array(self)
    return elements.sortedIndexes(keys).first(count).map { elements[$0] }
  }
}

extension Array where Element: Identifiable, Element.ID == String {
  @inlinable func sortedIndexes(_ keys: [SortKey<Element>]) -> SortedIndexes {
    var columns = keys.map { $0.column(of: self) }
    // All texts of the first key are read, and often several times.
    if let first = columns.first {
      columns[0] = first.cached(for: self.count)
    }
    return SortedIndexes(count: self.count, columns: columns, id: { self[$0].id })
  }
}
