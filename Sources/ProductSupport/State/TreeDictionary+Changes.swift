import HashTreeCollections

/// A record before and after a change; `nil` where it does not exist.
@usableFromInline package struct RecordChange<Element> {
  @usableFromInline package let old: Element?
  @usableFromInline package let new: Element?

  @usableFromInline package init(old: Element?, new: Element?) {
    self.old = old
    self.new = new
  }
}

// Inlinable, so that the dictionaries are compared by code that knows their types.
extension TreeDictionary where Value: IdentityComparable {
  /// The records that differ between two versions of a dictionary, in no particular order; `nil` if
  /// there are more than `limit`. O(k · log n) for k records.
  @inlinable package static func changes(
    from old: Self, to new: Self, limit: Int
  ) -> [RecordChange<Value>]? {
    guard abs(new.count - old.count) <= limit else { return nil }
    if old.count == new.count, let pairs = self.replaced(from: old, to: new, limit: limit) {
      return pairs.map { RecordChange(old: $0.0, new: $0.1) }
    }
    let inserted = new.keys.subtracting(old.keys)
    let removed = old.keys.subtracting(new.keys)
    let limit = limit - inserted.count - removed.count
    guard limit >= 0 else { return nil }
    // With the keys of the old version.
    var aligned = new
    var changes: [RecordChange<Value>] = []
    for key in inserted {
      changes.append(RecordChange(old: nil, new: aligned.removeValue(forKey: key)))
    }
    for key in removed {
      changes.append(RecordChange(old: old[key], new: nil))
      aligned[key] = old[key]
    }
    guard let pairs = self.replaced(from: old, to: aligned, limit: limit) else { return nil }
    return changes + pairs.map { RecordChange(old: $0.0, new: $0.1) }
  }

  /// The records that differ between two versions with the same keys; `nil` if their keys differ.
  @inlinable static func replaced(
    from old: Self, to new: Self, limit: Int
  ) -> [(Value, Value)]? {
    Differences.collect(limit: limit) { old == new }
  }
}
