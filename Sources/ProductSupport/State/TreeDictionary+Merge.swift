import HashTreeCollections

extension TreeDictionary where Value: Identifiable & Equatable, Value.ID == Key {
  /// Inserts new and changed records; the last of several with one id wins. Unchanged ones keep
  /// their identity, so that comparing the dictionaries skips them. O(k) for k records.
  @inlinable
  package mutating func merge(_ records: some Sequence<Value>) {
    guard !self.isEmpty else {
      for record in records {
        self.updateValue(record, forKey: record.id)
      }
      return
    }
    for record in records {
      self.merge(record)
    }
  }

  /// Inserts a record, unless an equal one is there. O(1).
  @inlinable
  package mutating func merge(_ record: Value) {
    if self[record.id] != record {
      self[record.id] = record
    }
  }
}
