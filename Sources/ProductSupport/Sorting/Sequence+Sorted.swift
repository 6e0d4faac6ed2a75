// Inlinable, so that elements and keys are compared by code that knows their types.
extension Sequence where Element: Identifiable, Element.ID == String {
  /// Sorts the elements by `key`: text by its UTF-8 bytes, as a ``SortKey`` does, and other keys by
  /// `<`. Elements with equal keys are sorted by the bytes of their ids, ascending in both
  /// directions. O(n log n).
  @inlinable package func sorted<Key: Comparable>(
    by key: (Element) -> Key, _ order: SortOrder
  ) -> [Element] {
    let elements = Array(self)
    // Computed once for each element, not for each comparison.
    let keys = elements.map(key)
    let indexes =
      if let texts = keys as? [String] {
        SortedIndexes(texts: texts, order) { elements[$0].id }.all
      } else {
        keys.indices.sorted { left, right in
          if keys[left] < keys[right] { return order == .forward }
          if keys[right] < keys[left] { return order == .reverse }
          return elements[left].id.hasBytes(before: elements[right].id)
        }
      }
    return indexes.map { elements[$0] }
  }
}

extension SortedIndexes {
  /// - Parameter id: The id of the element with an index.
  @usableFromInline init(texts: [String], _ order: SortOrder, id: @escaping (Int) -> String) {
    let column = SortColumn(text: { texts[$0] }, order: order)
    self.init(count: texts.count, columns: [column], id: id)
  }
}
