import ImmutableJSON

// Inlinable, so that elements and keys are compared by code that knows their types.
extension Sequence where Element: Identifiable, Element.ID == String {
  /// Sorts the elements by `key`, with Swift's `<`; elements with equal keys by the bytes of their
  /// ids, ascending in both directions. O(n log n).
  @inlinable package func sorted<Key: Comparable>(
    by key: (Element) -> Key, _ order: SortOrder
  ) -> [Element] {
    let elements = Array(self)
    // Computed once for each element, not for each comparison.
    let keys = elements.map(key)
    var entries = keys.indices.map {
      SortEntry(index: $0, prefix: (keys[$0] as? String)?.asciiPrefix)
    }
    let hasIdBefore = { (left: SortEntry, right: SortEntry) in
      elements[left.index].id.utf8.lexicographicallyPrecedes(elements[right.index].id.utf8)
    }
    if entries.contains(where: { $0.prefix == nil }) {
      // Swift's `<` is not transitive for some strings that are not in normal form. Sorting by id
      // first makes the result independent of the initial order.
      entries.sort(by: hasIdBefore)
    }
    entries.sort { left, right in
      if let prefix = left.prefix, let other = right.prefix, prefix != other {
        return (prefix < other) == (order == .forward)
      }
      let (key, other) = (keys[left.index], keys[right.index])
      if key < other { return order == .forward }
      if other < key { return order == .reverse }
      return hasIdBefore(left, right)
    }
    return entries.map { elements[$0.index] }
  }
}

/// Represents an element during sorting. Contains only numbers, so that moving it retains nothing.
@usableFromInline struct SortEntry {
  @usableFromInline let index: Int

  /// The first bytes of a string key; `nil` if they cannot decide a comparison.
  @usableFromInline let prefix: UInt64?

  @usableFromInline init(index: Int, prefix: UInt64?) {
    self.index = index
    self.prefix = prefix
  }
}

extension String {
  /// The first eight bytes as a number. If the numbers of two strings differ, they have the same order
  /// as the strings. `nil` unless all bytes are ASCII: other strings compare by their normal form.
  @usableFromInline var asciiPrefix: UInt64? {
    // Checks the ninth byte too: a combining mark there would change the eighth character.
    self.utf8.prefix(9).allSatisfy { $0 < 0x80 } ? self.bytePrefix : nil
  }
}
