import CAllocations

/// A collection to be measured, and the keys of its records.
final class Measured<C: RecordCollection> {
  let collection: C

  /// The bytes that the collection takes.
  let bytes: Int

  /// The keys of all records, in scattered order.
  private let keys: [C.Key]

  init(count: Int) {
    let before = current_allocations()
    self.collection = C.records(count: count)
    let after = current_allocations()
    self.bytes = Int(after.bytes - before.bytes - (after.freed_bytes - before.freed_bytes))
    self.keys = (0..<count).map { C.key(scattered($0, below: count)) }
  }

  /// The keys of `count` records. Samples use different keys until most have been used.
  func keys(sample: Int, count: Int) -> ArraySlice<C.Key> {
    let start = sample * count % (self.keys.count - count + 1)
    return self.keys[start..<start + count]
  }

  /// The key of a record.
  func key(sample: Int) -> C.Key {
    self.keys[sample & (self.keys.count - 1)]
  }
}
