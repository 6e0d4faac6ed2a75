extension Sequence where Element: Identifiable, Element.ID == String {
  /// Sorts the elements by the first key, those with equal first keys by the second, and so on;
  /// elements with equal keys by the bytes of their ids, ascending. O(n log n).
  package func sorted(by keys: [SortKey<Element>]) -> [Element] {
    let keyed = KeyedElements(elements: Array(self), keys: keys)
    return keyed.elements.indices.map(keyed.entry).sorted(by: keyed.areInOrder)
      .map { keyed.elements[$0.index] }
  }

  /// Returns the first `count` elements of ``sorted(by:)``, without sorting the others;
  /// none if `count` is negative. O(n log `count`).
  package func first(_ count: Int, sortedBy keys: [SortKey<Element>]) -> [Element] {
    let keyed = KeyedElements(elements: Array(self), keys: keys)
    var first = BoundedHeap(capacity: count, areInOrder: keyed.areInOrder)
    for index in keyed.elements.indices {
      first.insert(keyed.entry(index))
    }
    return first.elements.sorted(by: keyed.areInOrder).map { keyed.elements[$0.index] }
  }
}
