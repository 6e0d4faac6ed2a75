import ImmutableJSON

extension Array {
  /// Whether the first element comes before the second by the first key that differs, or by the
  /// bytes of their ids, or by the bytes of their JSON: two elements that have no order are equal.
  @inlinable func areInOrder<Record>(_ left: Record, _ right: Record) -> Bool
  where Element == SortKey<Record>, Record: Identifiable & Encodable, Record.ID == String {
    for key in self {
      let order = key.compare(left, right)
      if order != 0 { return order < 0 }
    }
    return left.isBefore(right)
  }
}

extension Identifiable where Self: Encodable, ID == String {
  /// Whether the element comes before another one by the bytes of their ids, or, if a table has
  /// two elements with one id, by those of their JSON.
  @inlinable func isBefore(_ other: Self) -> Bool {
    let order = self.id.compareBytes(with: other.id)
    return order != 0 ? order < 0 : self.contents.compareBytes(with: other.contents) < 0
  }

  @usableFromInline var contents: String {
    (try? Value(encoding: self))?.description ?? ""
  }
}

extension Sequence where Element: Identifiable & Encodable, Element.ID == String {
  /// Sorts the elements by the first key, those with equal first keys by the second, and so on;
  /// elements with equal keys by the bytes of their ids, and then of their JSON, ascending.
  /// O(n log n).
  @inlinable package func sorted(by keys: [SortKey<Element>]) -> [Element] {
    self.first(.max, sortedBy: keys)
  }

  /// Returns the first `count` elements of ``sorted(by:)``, without sorting the others;
  /// none if `count` is negative. O(n log `count`).
  @inlinable package func first(_ count: Int, sortedBy keys: [SortKey<Element>]) -> [Element] {
    guard let key = keys.first else {
      return self.first(count) { $0.isBefore($1) }
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
