/// The elements of a sort by several keys, and the order of any two of them.
///
/// Elements with equal keys are ordered by the bytes of their ids, ascending, and those with equal
/// ids by their index. So the order is total: every correct algorithm returns the same result.
struct KeyedElements<Element: Identifiable> where Element.ID == String {
  let elements: [Element]
  let keys: [SortKey<Element>]

  /// An element during sorting. Contains only numbers, so that moving it retains nothing.
  struct Entry {
    let index: Int

    /// The prefix of the first key; inverted for a reverse order.
    let prefix: UInt64
  }

  func entry(_ index: Int) -> Entry {
    Entry(index: index, prefix: self.keys.first.map { self.prefix($0, index) } ?? 0)
  }

  func areInOrder(_ left: Entry, _ right: Entry) -> Bool {
    if left.prefix != right.prefix { return left.prefix < right.prefix }
    return self.areInOrder(left.index, right.index)
  }

  /// Compares two elements whose first keys have equal prefixes.
  private func areInOrder(_ left: Int, _ right: Int) -> Bool {
    let (element, other) = (self.elements[left], self.elements[right])
    for (number, key) in self.keys.enumerated() {
      if number > 0 {
        let (prefix, next) = (self.prefix(key, left), self.prefix(key, right))
        if prefix != next { return prefix < next }
      }
      if let isInOrder = key.ordersEqualPrefixes(element, other) { return isInOrder }
    }
    let (id, otherId) = (element.id.utf8, other.id.utf8)
    if id.lexicographicallyPrecedes(otherId) { return true }
    return left < right && !otherId.lexicographicallyPrecedes(id)
  }

  private func prefix(_ key: SortKey<Element>, _ index: Int) -> UInt64 {
    let prefix = key.prefix(self.elements[index])
    return key.order == .forward ? prefix : ~prefix
  }
}
