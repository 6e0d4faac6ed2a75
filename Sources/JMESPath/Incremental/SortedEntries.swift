/// Sort keys in ascending order. Equal keys are in the order of their labels, which are unique.
///
/// The entries are in chunks of a few hundred. So to find, insert or remove one takes a search for
/// the chunk, a search in it, and a move of part of it.
struct SortedEntries {
  struct Entry {
    var key: SortKey
    let label: Int64
  }

  private var chunks: ContiguousArray<ContiguousArray<Entry>> = []
  private var counts: ContiguousArray<Int> = []

  /// Chunks are split beyond this number of entries.
  private static var capacity: Int { 512 }

  init() {}

  /// - Parameter entries: In ascending order.
  init(_ entries: ContiguousArray<Entry>) {
    let size = Self.capacity / 2
    for start in stride(from: 0, to: entries.count, by: size) {
      let chunk = ContiguousArray(entries[start..<min(start + size, entries.count)])
      self.chunks.append(chunk)
      self.counts.append(chunk.count)
    }
  }
}

extension SortedEntries {
  /// Inserts an entry, and returns its index.
  mutating func insert(_ entry: Entry) -> Int {
    guard !self.chunks.isEmpty else {
      (self.chunks, self.counts) = ([[entry]], [1])
      return 0
    }
    let (chunk, slot) = self.position(of: entry)
    self.chunks[chunk].insert(entry, at: slot)
    self.counts[chunk] += 1
    let index = self.index(chunk, slot)
    if self.counts[chunk] > Self.capacity {
      let half = self.counts[chunk] / 2
      self.chunks.insert(ContiguousArray(self.chunks[chunk][half...]), at: chunk + 1)
      self.counts.insert(self.counts[chunk] - half, at: chunk + 1)
      self.chunks[chunk].removeSubrange(half...)
      self.counts[chunk] = half
    }
    return index
  }

  /// Removes an entry, and returns its index; `nil` if there is none.
  mutating func remove(_ entry: Entry) -> Int? {
    guard let (chunk, slot) = self.find(entry) else { return nil }
    let index = self.index(chunk, slot)
    self.chunks[chunk].remove(at: slot)
    self.counts[chunk] -= 1
    if self.counts[chunk] == 0 {
      self.chunks.remove(at: chunk)
      self.counts.remove(at: chunk)
    }
    return index
  }

  /// Replaces the key of an entry by an equal one, and returns its index; `nil` if there is none.
  mutating func replace(_ entry: Entry, by key: SortKey) -> Int? {
    guard let (chunk, slot) = self.find(entry) else { return nil }
    self.chunks[chunk][slot].key = key
    return self.index(chunk, slot)
  }

  private func find(_ entry: Entry) -> (chunk: Int, slot: Int)? {
    guard !self.chunks.isEmpty else { return nil }
    let (chunk, slot) = self.position(of: entry)
    guard slot < self.counts[chunk], self.chunks[chunk][slot].label == entry.label else {
      return nil
    }
    return (chunk, slot)
  }

  /// Where an entry is, or would be inserted. Requires a chunk.
  private func position(of entry: Entry) -> (chunk: Int, slot: Int) {
    var (low, high) = (0, self.chunks.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if entry < self.chunks[middle][0] { high = middle - 1 } else { low = middle }
    }
    let chunk = low
    (low, high) = (0, self.counts[chunk])
    while low < high {
      let middle = (low + high) / 2
      if self.chunks[chunk][middle] < entry { low = middle + 1 } else { high = middle }
    }
    return (chunk, low)
  }

  private func index(_ chunk: Int, _ slot: Int) -> Int {
    self.counts[..<chunk].reduce(slot, +)
  }
}

extension SortedEntries.Entry {
  static func < (left: Self, right: Self) -> Bool {
    if left.key < right.key { return true }
    return left.label < right.label && !(right.key < left.key)
  }
}
