/// Values by keys, bounded in number and in weight. Beyond a bound, those that were not used for
/// the longest time are dropped: never the latest one, and the heaviest one does not count, so that
/// it stays beside lighter ones.
///
/// What is dropped may be large. It is returned, so that the caller can destroy it without holding
/// a lock.
///
/// The hash of a key is searched among all: they are few, so that is faster than a hash table.
struct BoundedCache<Key: Hashable, Value> {
  /// What is no longer in the cache.
  struct Dropped {
    /// The last value of the same key.
    var replaced: Value?

    /// Those beyond the bounds.
    var evicted: [(key: Key, value: Value)] = []
  }

  private struct Entry {
    let key: Key
    var value: Value
    var weight: Int
    var lastUse: Int
  }

  private let capacity: Int
  private let weightCapacity: Int

  private var hashes: ContiguousArray<Int> = []
  private var entries: ContiguousArray<Entry> = []
  private var uses = 0

  /// The number of uses when a value was last inserted, or its weight changed.
  private var lastChange = 0

  /// The weight of all values.
  private(set) var weight = 0

  init(capacity: Int, weightCapacity: Int = .max) {
    self.capacity = capacity
    self.weightCapacity = weightCapacity
  }
}

extension BoundedCache {
  var count: Int {
    self.entries.count
  }

  /// The values in any order.
  var values: some Sequence<Value> {
    self.entries.lazy.map(\.value)
  }

  /// Returns a value, and counts this as a use.
  mutating func find(_ key: Key) -> Value? {
    guard let index = self.index(of: key) else { return nil }
    self.use(index)
    return self.entries[index].value
  }

  private mutating func use(_ index: Int) {
    guard self.entries[index].lastUse != self.uses else { return }
    self.uses += 1
    self.entries[index].lastUse = self.uses
  }

  /// Adds or replaces a value, and counts this as a use.
  mutating func insert(_ value: Value, for key: Key, weight: Int = 0) -> Dropped {
    self.uses += 1
    self.lastChange = self.uses
    self.weight += weight
    let entry = Entry(key: key, value: value, weight: weight, lastUse: self.uses)
    guard let index = self.index(of: key) else {
      self.hashes.append(key.hashValue)
      self.entries.append(entry)
      return Dropped(evicted: self.trim())
    }
    let old = self.entries[index]
    self.weight -= old.weight
    self.entries[index] = entry
    return Dropped(replaced: old.value, evicted: self.trim())
  }

  /// Changes the weight of a value, if it is there, and counts this as a use.
  mutating func setWeight(_ weight: Int, of key: Key) -> Dropped {
    guard let index = self.index(of: key) else { return Dropped() }
    if self.entries[index].weight != weight { self.lastChange = self.uses }
    self.use(index)
    self.weight += weight - self.entries[index].weight
    self.entries[index].weight = weight
    return Dropped(evicted: self.trim())
  }

  mutating func remove(_ key: Key) -> Value? {
    self.index(of: key).map { self.remove(at: $0).value }
  }

  mutating func removeAll(where isUseless: (Value) -> Bool = { _ in true }) -> [Value] {
    self.entries.indices.reversed().compactMap { index in
      isUseless(self.entries[index].value) ? self.remove(at: index).value : nil
    }
  }

  /// Removes the values from the first on that is too old, in the order of their last use, latest
  /// first.
  mutating func removeOldest(from isTooOld: (Value) -> Bool) -> [Value] {
    self.sortByLastUse()
    let first = self.entries.firstIndex { isTooOld($0.value) } ?? self.entries.endIndex
    return self.entries.indices[first...].reversed().map { self.remove(at: $0).value }
  }
}

// For threads that search at once: nothing is written, not even a count of references.
extension BoundedCache where Value: AnyObject {
  /// Returns a value, and whether it was used last, or since the last change. If not, ``use(_:)``
  /// is to be called. Another use would matter little: all that were not used since then are
  /// dropped first.
  func findUnretained(_ key: Key) -> (value: Unmanaged<Value>, isRecent: Bool)? {
    guard let index = self.index(of: key) else { return nil }
    let lastUse = self.entries[index].lastUse
    return self.entries.withUnsafeBufferPointer {
      (.passUnretained($0[index].value), lastUse == self.uses || lastUse > self.lastChange)
    }
  }

  /// Counts a use of a value, if it is there.
  mutating func use(_ key: Key) {
    if let index = self.index(of: key) { self.use(index) }
  }
}

extension BoundedCache {
  private func index(of key: Key) -> Int? {
    let hash = key.hashValue
    for index in self.hashes.indices
    where self.hashes[index] == hash && self.entries[index].key == key {
      return index
    }
    return nil
  }

  private mutating func remove(at index: Int) -> (key: Key, value: Value) {
    self.hashes.swapAt(index, self.hashes.count - 1)
    self.entries.swapAt(index, self.entries.count - 1)
    self.hashes.removeLast()
    let entry = self.entries.removeLast()
    self.weight -= entry.weight
    return (entry.key, entry.value)
  }

  /// The latest is then first.
  private mutating func sortByLastUse() {
    self.entries.sort { $0.lastUse > $1.lastUse }
    self.hashes = ContiguousArray(self.entries.map(\.key.hashValue))
  }

  /// Drops an eighth at once, so that sorting costs little for each.
  private mutating func trim() -> [(key: Key, value: Value)] {
    let isFull = self.entries.count > self.capacity
    guard isFull || self.isTooHeavy else { return [] }
    let count = isFull ? self.capacity - self.capacity / 8 : self.capacity
    self.sortByLastUse()
    var dropped: [(key: Key, value: Value)] = []
    while self.entries.count > count || self.isTooHeavy {
      dropped.append(self.remove(at: self.entries.endIndex - 1))
    }
    return dropped
  }

  /// One value alone is never too heavy.
  private var isTooHeavy: Bool {
    guard self.weight > self.weightCapacity else { return false }
    return self.weight - (self.entries.lazy.map(\.weight).max() ?? 0) > self.weightCapacity
  }
}
