import ProductSupport

/// A record of a ``RecordTable``, which is received in lists.
protocol TableRecord: Hashable, Identifiable, IdentityComparable, Sendable
where ID: Sendable & LosslessStringConvertible {
  /// Whether JSON can write the record.
  var isRepresentable: Bool { get }
}

/// What differs between two lists of records with unique ids.
///
/// Finding it takes one comparison of references for each record that is in both lists and was not
/// replaced: it does not read these records.
struct ListDifference<Element: TableRecord> {
  /// The records that were replaced by others with the same ids, in the common prefix and suffix of
  /// both lists.
  private(set) var replaced: [(old: Element, new: Element)] = []

  /// The records between the common prefix and suffix of both lists.
  let removed: ArraySlice<Element>
  let inserted: ArraySlice<Element>

  /// O(n).
  init(from old: [Element], to new: [Element]) {
    let count = min(old.count, new.count)
    var start = 0
    var end = 0
    var replaced: [(old: Element, new: Element)] = []
    /// Whether the records at these positions have the same id.
    func match(_ index: Int, _ newIndex: Int) -> Bool {
      if old[index].isIdentical(to: new[newIndex]) { return true }
      guard old[index].id == new[newIndex].id else { return false }
      replaced.append((old[index], new[newIndex]))
      return true
    }
    while start < count, match(start, start) { start += 1 }
    while end < count - start, match(old.count - 1 - end, new.count - 1 - end) { end += 1 }
    self.replaced = replaced
    self.removed = old[start..<old.count - end]
    self.inserted = new[start..<new.count - end]
  }
}
