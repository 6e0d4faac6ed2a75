/// A few keys in ascending order of their UTF-8 bytes, immutable.
///
/// The keys of one node. Versions of a node that differ only in values share their block, as do the
/// records of a text that have the same members.
///
/// ```
///   prefix 0 … prefix n-1 | end 0 … end n-1 | bytes of key 0, of key 1, …
///   8 bytes each            4 bytes each
/// ```
///
/// The prefix of a key is its first eight bytes as a big-endian number, so that most comparisons
/// are of two numbers; ends count from the first byte of the first key.
///
/// In an inner node the first key says nothing, and may be out of order.
final class KeyBlock: ManagedBuffer<KeyBlockHeader, UInt64> {
  /// How many keys there are.
  var count: Int {
    self.header.count
  }

  /// The bytes of the keys in JSON, each with its quotes and a colon.
  var textSize: UInt64 {
    self.header.textSize
  }
}

/// Both in one word.
struct KeyBlockHeader {
  private var word: UInt64

  init(count: Int, textSize: UInt64) {
    self.word = UInt64(UInt16(truncatingIfNeeded: count)) | textSize << 16
  }

  var count: Int {
    Int(truncatingIfNeeded: self.word & 0xFFFF)
  }

  var textSize: UInt64 {
    self.word >> 16
  }
}

// MARK: Keys

/// The bytes of a key, borrowed.
struct KeyBytes {
  let prefix: UInt64
  let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    let missing = 8 * UInt64(max(8 - bytes.count, 0))
    if bytes.count >= 8 {
      self.prefix = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    } else if bytes.count >= 4 {
      // The first four bytes and the last four, which may be some of the first.
      let first = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
      let last = UInt32(
        bigEndian: bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self))
      self.prefix = UInt64(first) << 32 | UInt64(last) << missing
    } else {
      self.prefix = bytes.reduce(0) { $0 << 8 | UInt64($1) } << missing
    }
  }

  /// The bytes of a text, before `end`: what stands behind the key may be looked at.
  init(_ bytes: UnsafeBufferPointer<UInt8>, before end: UnsafePointer<UInt8>) {
    let bytes = UnsafeRawBufferPointer(bytes)
    guard bytes.count < 8, let start = bytes.baseAddress, end - 8 >= start else {
      self.init(bytes)
      return
    }
    let word = UInt64(bigEndian: start.loadUnaligned(as: UInt64.self))
    self.init(prefix: word & ~(UInt64.max >> (8 * UInt64(bytes.count))), bytes: bytes)
  }

  fileprivate init(prefix: UInt64, bytes: UnsafeRawBufferPointer) {
    self.prefix = prefix
    self.bytes = bytes
  }

  /// Less than 0, 0 or more: as this stands before, at or behind `other` in the order of bytes.
  func compare(_ other: KeyBytes) -> Int {
    if self.prefix != other.prefix {
      return self.prefix < other.prefix ? -1 : 1
    }
    let common = min(self.bytes.count, other.bytes.count)
    // Equal prefixes of keys that short say only that the shorter is the beginning of the longer,
    // or differs from it by U+0000.
    for index in min(8, common)..<common where self.bytes[index] != other.bytes[index] {
      return self.bytes[index] < other.bytes[index] ? -1 : 1
    }
    return self.bytes.count - other.bytes.count
  }
}

extension String {
  /// Runs `body` with the bytes of this key.
  func withKeyBytes<Result>(_ body: (KeyBytes) throws -> Result) rethrows -> Result {
    var key = self
    return try key.withUTF8 { try body(KeyBytes(UnsafeRawBufferPointer($0))) }
  }
}

// MARK: Reading

extension KeyBlock {
  /// Runs `body` with the bytes of the key at `index`, valid in it alone.
  func withKey<Result>(at index: Int, _ body: (KeyBytes) throws -> Result) rethrows -> Result {
    try self.withUnsafeMutablePointerToElements { words in
      let layout = Layout(words, self.count)
      return try body(KeyBytes(prefix: words[index], bytes: layout.bytes(at: index)))
    }
  }

  /// The key at `index`, copied.
  func string(at index: Int) -> String {
    self.withKey(at: index) { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// The first index, from `start` on, whose key is not before `key`, and whether it is `key`.
  func search(_ key: KeyBytes, from start: Int) -> (index: Int, isFound: Bool) {
    self.withUnsafeMutablePointerToElements { words in
      let count = self.count
      // Counting takes no branch that could be guessed wrongly, and blocks are short.
      var low = start
      for index in start..<max(count, start) {
        low &+= words[index] < key.prefix ? 1 : 0
      }
      var high = low
      while high < count, words[high] == key.prefix {
        high &+= 1
      }
      let layout = Layout(words, count)
      while low < high {
        let middle = low &+ (high &- low) / 2
        let order = KeyBytes(prefix: words[middle], bytes: layout.bytes(at: middle)).compare(key)
        if order < 0 {
          low = middle &+ 1
        } else if order > 0 {
          high = middle
        } else {
          return (middle, true)
        }
      }
      return (low, false)
    }
  }

  /// Whether both blocks have the same keys.
  func isEqual(to other: KeyBlock) -> Bool {
    if self === other { return true }
    guard self.count == other.count else { return false }
    return (0..<self.count).allSatisfy { index in
      self.withKey(at: index) { left in
        other.withKey(at: index) { left.compare($0) == 0 }
      }
    }
  }
}

// MARK: Making

extension KeyBlock {
  /// A run of keys of another block.
  struct Run {
    let block: KeyBlock
    let range: Range<Int>
  }

  /// A block of keys that are given in order.
  static func make(_ keys: [KeyBytes]) -> KeyBlock {
    let byteCount = keys.reduce(0) { $0 + $1.bytes.count }
    let textSize = keys.reduce(0) { $0 + $1.textSize }
    return self.make(count: keys.count, byteCount: byteCount, textSize: textSize) { writer in
      for key in keys {
        writer.append(key)
      }
    }
  }

  /// A block of runs of other blocks, one behind the other.
  static func joining(_ runs: [Run]) -> KeyBlock {
    let count = runs.reduce(0) { $0 + $1.range.count }
    let byteCount = runs.reduce(0) { $0 + $1.byteCount }
    let textSize = runs.reduce(0) { $0 + $1.textSize }
    return self.make(count: count, byteCount: byteCount, textSize: textSize) { writer in
      for run in runs {
        writer.append(run)
      }
    }
  }

  func inserting(_ key: KeyBytes, at index: Int) -> KeyBlock {
    let before = Run(block: self, range: 0..<index)
    let after = Run(block: self, range: index..<self.count)
    let byteCount = before.byteCount + key.bytes.count + after.byteCount
    let textSize = self.textSize + key.textSize
    return Self.make(count: self.count + 1, byteCount: byteCount, textSize: textSize) { writer in
      writer.append(before)
      writer.append(key)
      writer.append(after)
    }
  }

  func removing(at index: Int) -> KeyBlock {
    .joining([self.run(0..<index), self.run((index + 1)..<self.count)])
  }

  func run(_ range: Range<Int>) -> Run {
    Run(block: self, range: range)
  }

  private static func make(
    count: Int, byteCount: Int, textSize: UInt64, _ fill: (inout Writer) -> Void
  ) -> KeyBlock {
    let words = count + (4 * count + byteCount + 7) / 8
    let buffer = self.create(minimumCapacity: words) { _ in
      KeyBlockHeader(count: count, textSize: textSize)
    }
    let block = unsafeDowncast(buffer, to: KeyBlock.self)
    block.withUnsafeMutablePointerToElements { words in
      var writer = Writer(words: words, layout: Layout(words, count))
      fill(&writer)
    }
    return block
  }

  private struct Writer {
    let words: UnsafeMutablePointer<UInt64>
    let layout: Layout
    var index = 0
    var end = 0

    mutating func append(_ key: KeyBytes) {
      UnsafeMutableRawBufferPointer(start: self.layout.bytes + self.end, count: key.bytes.count)
        .copyMemory(from: key.bytes)
      self.words[self.index] = key.prefix
      self.end += key.bytes.count
      self.layout.ends[self.index] = UInt32(truncatingIfNeeded: self.end)
      self.index += 1
    }

    mutating func append(_ run: Run) {
      for index in run.range {
        run.block.withKey(at: index) { self.append($0) }
      }
    }
  }

  /// Where the parts of a block are. Its keys have at most 4 GiB together: no text is longer.
  private struct Layout {
    let ends: UnsafeMutablePointer<UInt32>
    let bytes: UnsafeMutableRawPointer

    init(_ words: UnsafeMutablePointer<UInt64>, _ count: Int) {
      let ends = UnsafeMutableRawPointer(words + count)
      self.ends = ends.assumingMemoryBound(to: UInt32.self)
      self.bytes = ends + 4 * count
    }

    func bytes(at index: Int) -> UnsafeRawBufferPointer {
      let start = index == 0 ? 0 : Int(self.ends[index - 1])
      return UnsafeRawBufferPointer(
        start: self.bytes + start, count: Int(self.ends[index]) - start)
    }
  }
}

extension KeyBlock.Run {
  fileprivate var byteCount: Int {
    self.range.reduce(0) { total, index in
      total + self.block.withKey(at: index) { $0.bytes.count }
    }
  }

  fileprivate var textSize: UInt64 {
    if self.range.count == self.block.count { return self.block.textSize }
    return self.range.reduce(0) { total, index in
      total + self.block.withKey(at: index) { $0.textSize }
    }
  }
}

extension KeyBytes {
  /// The bytes of this key in JSON, with its quotes and a colon.
  fileprivate var textSize: UInt64 {
    UInt64(self.bytes.textSize) + 1
  }
}
