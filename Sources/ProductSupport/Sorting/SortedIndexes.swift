import ImmutableJSON

/// Sorts the indexes of elements by several keys.
///
/// Elements with equal keys are ordered by the bytes of their ids, ascending, and those with equal
/// ids by their index. So the order is total: every correct algorithm returns the same result.
@usableFromInline struct SortedIndexes {
  private let count: Int

  /// The keys, and the ids.
  private let columns: [SortColumn]

  /// - Parameters:
  ///   - count: The number of elements.
  ///   - columns: Their keys.
  ///   - id: The id of the element with an index.
  @usableFromInline init(count: Int, columns: [SortColumn], id: @escaping (Int) -> String) {
    self.count = count
    self.columns = columns + [SortColumn(text: id, order: .forward)]
  }
}

extension SortedIndexes {
  @usableFromInline var all: [Int] {
    IndexSorter(count: self.count, columns: self.columns).sorted()
  }

  /// The first indexes of ``all``, at most this many.
  @usableFromInline func first(_ limit: Int) -> [Int] {
    if limit >= self.count { return self.all }
    var first = BoundedHeap(capacity: limit, areInOrder: self.areInOrder)
    for index in 0..<self.count {
      first.insert(self.entry(index))
    }
    return first.elements.sorted(by: self.areInOrder).map(\.index)
  }
}

extension SortedIndexes {
  /// An element during sorting. Contains only numbers, so that moving it retains nothing.
  private struct Entry {
    let index: Int

    /// The prefix of the first key.
    let prefix: UInt64
  }

  private func entry(_ index: Int) -> Entry {
    Entry(index: index, prefix: self.columns.first?.prefix(index) ?? 0)
  }

  private func areInOrder(_ left: Entry, _ right: Entry) -> Bool {
    left.prefix != right.prefix
      ? left.prefix < right.prefix : self.equalsAreInOrder(left.index, right.index)
  }

  /// Compares two elements whose first keys have equal prefixes.
  private func equalsAreInOrder(_ left: Int, _ right: Int) -> Bool {
    for (number, column) in self.columns.enumerated() {
      if number > 0 {
        let (prefix, other) = (column.prefix(left), column.prefix(right))
        if prefix != other { return prefix < other }
      }
      if let isInOrder = column.ordersEqualPrefixes(left, right) { return isInOrder }
    }
    return left < right
  }
}
