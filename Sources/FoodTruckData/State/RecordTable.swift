import HashTreeCollections
import ImmutableJSON
import ProductSupport

/// Records by id, with the list in which they were received.
///
/// The list is not a part of the value: tables with the same records are equal. It shows which
/// records of the next list are new, without looking up all of them.
struct RecordTable<Element: TableRecord>: Sendable {
  /// Why a list is refused.
  struct ListError: Error {
    enum Kind {
      /// Several records have the id.
      case duplicate
      /// JSON cannot write the record with the id, or the id as a key.
      case unrepresentable
    }

    let kind: Kind
    let id: Element.ID
  }

  private(set) var records: TreeDictionary<Element.ID, Element>

  /// Records equal to those in `records`, in the order in which they were received; in any order if
  /// several of them had one id. Iterating over an array is much faster than over the dictionary.
  private(set) var list: [Element]

  /// - Parameter list: If several records have one id, the last one wins.
  init(_ list: [Element]) {
    self.records = TreeDictionary(list.lazy.map { ($0.id, $0) }) { $1 }
    self.list = self.records.count == list.count ? list : Array(self.records.values)
  }
}

extension RecordTable {
  /// Replaces the records by those of a list. Records that are equal to the previous ones keep
  /// their identity, so that comparing the dictionaries skips them.
  ///
  /// For a list of n records with k differences, compares n references, and updates the dictionary
  /// k times.
  ///
  /// - Throws: ``ListError``; the table then stays as it was. The error depends only on `list`,
  ///   because the previous list may have the order of a dictionary.
  mutating func replace(with list: [Element]) throws(ListError) {
    let difference = ListDifference(from: self.list, to: list)
    let removed = Set(difference.removed.map(\.id))
    var inserted: Set<Element.ID> = []
    for record in difference.inserted {
      let isKept = self.records[record.id] != nil && !removed.contains(record.id)
      guard !isKept, inserted.insert(record.id).inserted else {
        var ids: Set<Element.ID> = []
        let repeated = list.first { !ids.insert($0.id).inserted } ?? record
        throw ListError(kind: .duplicate, id: repeated.id)
      }
    }
    let new = difference.replaced.map(\.new) + difference.inserted
    if !new.allSatisfy(\.isRepresentable), let record = list.first(where: { !$0.isRepresentable }) {
      throw ListError(kind: .unrepresentable, id: record.id)
    }
    for id in removed.subtracting(inserted) {
      self.records[id] = nil
    }
    for record in new { self.records.merge(record) }
    self.list = list
  }

  /// The records that differ between two tables, and some that only moved in the list, each before
  /// and after the change; `nil` where it does not exist. In no particular order. O(n), but reads
  /// only these.
  static func changes(
    from old: Self, to new: Self
  ) -> [(old: Element?, new: Element?)] {
    let difference = ListDifference(from: old.list, to: new.list)
    let removed = difference.removed.filter { new.records[$0.id] == nil }
    return difference.replaced.map { ($0, $1) } + removed.map { ($0, nil) }
      + difference.inserted.map { (old.records[$0.id], $0) }
  }
}

extension RecordTable: Hashable {
  static func == (left: Self, right: Self) -> Bool {
    left.records == right.records
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(self.records)
  }
}
