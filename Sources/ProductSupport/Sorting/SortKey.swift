import ImmutableJSON

/// The direction of a sort.
///
/// Foundation has a `SortOrder` too: in a file that imports both, write `ProductSupport.SortOrder`.
public enum SortOrder: String, Codable, Hashable, Sendable, CaseIterable {
  case forward, reverse
}

/// One key of a sort: what the elements are compared by, and in which order.
///
/// Text compares by its UTF-8 bytes, which is the order of code points, and the same in every
/// locale. Other keys compare by `<`, and NaN is greater than all other numbers.
@usableFromInline package struct SortKey<Element>: Sendable {
  /// Negative if the first element comes before the second by this key, 0 if the keys are equal.
  @usableFromInline let compare: @Sendable (Element, Element) -> Int

  /// Returns the first elements by this key, at most a number of them; those with equal keys in the
  /// order of a function. Computes the key of each element once.
  @usableFromInline
  let first: @Sendable (_ count: Int, [Element], (Element, Element) -> Bool) -> [Element]

  // Inlinable, so that keys are compared by code that knows their type.
  @inlinable package init<Key: Comparable & SendableMetatype>(
    _ order: SortOrder = .forward, _ key: @escaping @Sendable (Element) -> Key
  ) {
    self.compare =
      switch order {
      case .forward: { key($0).compare(with: key($1)) }
      case .reverse: { key($1).compare(with: key($0)) }
      }
    self.first = { count, elements, areInOrder in
      let keys = elements.map(key)
      let first = elements.indices.first(count) { left, right in
        let comparison = keys[left].compare(with: keys[right])
        if comparison == 0 { return areInOrder(elements[left], elements[right]) }
        return (comparison < 0) == (order == .forward)
      }
      return first.map { elements[$0] }
    }
  }
}

extension Comparable {
  @inlinable func compare(with other: Self) -> Int {
    if let text = self as? String, let other = other as? String {
      return text.compareBytes(with: other)
    }
    if self < other { return -1 }
    if other < self { return 1 }
    // Only NaN differs from itself.
    return (self == self ? 0 : 1) - (other == other ? 0 : 1)
  }
}
