import HashTreeCollections
import ImmutableJSON

extension TreeDictionary
where Value: Identifiable & Equatable, Value.ID == Key, Key: LosslessStringConvertible {
  /// Inserts new and changed records; the last of several with one id wins. Unchanged ones keep
  /// their identity, so that comparing the dictionaries skips them. O(k) for k records.
  @inlinable
  package mutating func merge(_ records: some Sequence<Value>) {
    guard !self.isEmpty else {
      for record in records {
        if let old = self.updateValue(record, forKey: record.id) {
          self.updateKey(of: record, replacing: old)
        }
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
    let old = self[record.id]
    guard old != record else { return }
    self[record.id] = record
    if let old { self.updateKey(of: record, replacing: old) }
  }

  /// Setting a value keeps the key, which may be canonically equivalent to the id of the new
  /// record.
  @inlinable
  mutating func updateKey(of record: Value, replacing old: Value) {
    guard !String(old.id).hasSameBytes(as: String(record.id)) else { return }
    self[record.id] = nil
    self[record.id] = record
  }
}
