import ImmutableJSON

extension Array {
  /// Whether the first element comes before the second by the first key that differs, or by the
  /// bytes of their ids.
  @inlinable func areInOrder<Record>(_ left: Record, _ right: Record) -> Bool
  where Element == SortKey<Record>, Record: Identifiable, Record.ID == String {
    for key in self {
      let order = key.compare(left, right)
      if order != 0 { return order < 0 }
    }
    return left.id.hasBytes(before: right.id)
  }
}

extension Sequence where Element: Identifiable, Element.ID == String {
  /// Sorts the elements by the first key, those with equal first keys by the second, and so on;
  /// elements with equal keys by the bytes of their ids, ascending. Stable. O(n log n).
  @inlinable package func sorted(by keys: [SortKey<Element>]) -> [Element] {
    self.first(.max, sortedBy: keys)
  }

  /// Returns the first `count` elements of ``sorted(by:)``, without sorting the others;
  /// none if `count` is negative. O(n log `count`).
  @inlinable package func first(_ count: Int, sortedBy keys: [SortKey<Element>]) -> [Element] {
    guard let key = keys.first else {
      return self.first(count) { $0.id.hasBytes(before: $1.id) }
    }
    let others = Array(keys.dropFirst())
    return key.first(count, Array(self)) { others.areInOrder($0, $1) }
  }
}

extension Sequence {
  /// Returns the first elements in an order, at most `count`.
  @inlinable func first(
    _ count: Int, inOrder areInOrder: (Element, Element) -> Bool
  ) -> [Element] {
    guard count > 0 else { return [] }
    // The first elements so far, sorted, and up to as many that may be among them.
    var first: [Element] = []
    var last: Element?
    for element in self {
      if let last, !areInOrder(element, last) { continue }
      first.append(element)
      if first.count / 2 >= count {
        first = Array(first.sorted(by: areInOrder).prefix(count))
        last = first.last
      }
    }
    return Array(first.sorted(by: areInOrder).prefix(count))
  }
}

extension String {
  @usableFromInline func hasBytes(before other: String) -> Bool {
    self.compareBytes(with: other) < 0
  }
}
