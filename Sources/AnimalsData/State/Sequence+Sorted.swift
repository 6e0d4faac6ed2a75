extension Sequence where Element: Identifiable, Element.ID == String {
  /// The elements in the order of what `key` gives, as Swift's `<` has it. Where that is equal, in
  /// ascending order of the bytes of their ids, whatever the direction. O(n log n).
  func sorted<Key: Comparable>(by key: (Element) -> Key, _ order: SortOrder) -> [Element] {
    let elements = Array(self)
    // Taken once for each element, not for each comparison.
    let keys = elements.map(key)
    var places = keys.indices.map { Place(index: $0, start: (keys[$0] as? String)?.start) }
    let hasIdBefore = { (left: Place, right: Place) in
      elements[left.index].id.utf8.lexicographicallyPrecedes(elements[right.index].id.utf8)
    }
    if places.contains(where: { $0.start == nil }) {
      // Of some texts that are not in normal form, Swift's `<` has each before the next in a circle.
      // Where they come out must not depend on how they came in.
      places.sort(by: hasIdBefore)
    }
    places.sort { left, right in
      if let start = left.start, let other = right.start, start != other {
        return (start < other) == (order == .forward)
      }
      let (key, other) = (keys[left.index], keys[right.index])
      if key < other { return order == .forward }
      if other < key { return order == .reverse }
      return hasIdBefore(left, right)
    }
    return places.map { elements[$0.index] }
  }
}

/// What a sort moves instead of the element itself: numbers, so that nothing has to be retained.
private struct Place {
  let index: Int

  /// The start of the key, if that is a text that has one.
  let start: UInt64?
}

extension String {
  /// The first eight bytes as a number, which of two texts with different ones is less where the text
  /// is. `nil` if they are not all ASCII: other texts are compared in their normal form, whose bytes
  /// are not at hand.
  fileprivate var start: UInt64? {
    // The byte behind them too: a mark there would join with the last of them.
    let bytes = self.utf8.prefix(9)
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    let number = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    return number << UInt64(8 * (8 - Swift.min(bytes.count, 8)))
  }
}
