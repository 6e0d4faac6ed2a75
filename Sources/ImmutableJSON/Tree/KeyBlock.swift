/// The keys of one node, in ascending order of their UTF-8 bytes. Immutable.
///
/// Versions of a node that differ only in values share their block, as do objects of one text with
/// the same keys.
///
/// ```
///   prefix 0 … prefix n-1 | end 0 … end n-1 | bytes of key 0, of key 1, …
///   8 bytes each            4 bytes each
/// ```
///
/// The prefix of a key is its first eight bytes as a big-endian number, so that most comparisons
/// compare two numbers. Ends are offsets from the first byte of the first key.
///
/// The first key of an inner node has no meaning, and may be out of order.
final class KeyBlock: ManagedBuffer<KeyBlockHeader, UInt64> {
  /// The number of keys.
  var count: Int {
    self.header.count
  }

  /// The size of the keys as JSON, in bytes, each with its quotes and a colon.
  var textSize: UInt64 {
    self.header.textSize
  }
}

/// The count and the text size, packed in one word.
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

/// The borrowed bytes of a key.
package struct KeyBytes {
  /// The first eight bytes, padded with zeros, as a big-endian number.
  package let prefix: UInt64
  package let bytes: UnsafeRawBufferPointer

  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    let missing = 8 * UInt64(max(8 - bytes.count, 0))
    if bytes.count >= 8 {
      self.prefix = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    } else if bytes.count >= 4 {
      // The first four bytes and the last four, which may overlap.
      let first = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
      let last = UInt32(
        bigEndian: bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self))
      self.prefix = UInt64(first) << 32 | UInt64(last) << missing
    } else {
      self.prefix = bytes.reduce(0) { $0 << 8 | UInt64($1) } << missing
    }
  }

  /// Creates a key from the bytes of a text that ends at `end`: the bytes after the key are
  /// readable.
  init(_ bytes: UnsafeBufferPointer<UInt8>, before end: UnsafePointer<UInt8>) {
    let bytes = UnsafeRawBufferPointer(bytes)
    guard bytes.count < 8, let start = bytes.baseAddress, end - 8 >= start else {
      self.init(bytes)
      return
    }
    let word = UInt64(bigEndian: start.loadUnaligned(as: UInt64.self))
    self.init(prefix: word & ~(UInt64.max >> (8 * UInt64(bytes.count))), bytes: bytes)
  }

  init(prefix: UInt64, bytes: UnsafeRawBufferPointer) {
    self.prefix = prefix
    self.bytes = bytes
  }

  /// Compares two keys by their bytes: negative, 0 or positive as this key is less than, equal to
  /// or greater than `other`.
  func compare(_ other: KeyBytes) -> Int {
    if self.prefix != other.prefix {
      return self.prefix < other.prefix ? -1 : 1
    }
    let common = min(self.bytes.count, other.bytes.count)
    // If the prefixes are equal and the shorter key has at most eight bytes, the longer begins with
    // it.
    for index in min(8, common)..<common where self.bytes[index] != other.bytes[index] {
      return self.bytes[index] < other.bytes[index] ? -1 : 1
    }
    return self.bytes.count - other.bytes.count
  }
}

extension String {
  /// Calls `body` with the bytes of this key.
  func withKeyBytes<Result>(_ body: (KeyBytes) throws -> Result) rethrows -> Result {
    var key = self
    return try key.withUTF8 { try body(KeyBytes(UnsafeRawBufferPointer($0))) }
  }
}

// MARK: Reading

extension KeyBlock {
  /// Whether no key has characters that are escaped.
  @inline(__always)
  var isPlain: Bool {
    // The text of a key also has two quotes and a colon.
    let plainSize = self.run(0..<self.count).byteCount + 3 * self.count
    return self.textSize == UInt64(truncatingIfNeeded: plainSize)
  }

  /// Calls `body` with the bytes of the key at `index`, which are valid only during the call.
  func withKey<Result>(at index: Int, _ body: (KeyBytes) throws -> Result) rethrows -> Result {
    try self.withUnsafeMutablePointerToElements { words in
      let layout = Layout(words, self.count)
      return try body(KeyBytes(prefix: words[index], bytes: layout.bytes(at: index)))
    }
  }

  /// A copy of the key at `index`.
  func string(at index: Int) -> String {
    self.withKey(at: index) { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// The first index at or after `start` whose key is not below `key`, and whether they are equal.
  func search(_ key: KeyBytes, from start: Int) -> (index: Int, isFound: Bool) {
    self.withUnsafeMutablePointerToElements { words in
      let count = self.count
      // Blocks are short. Counting avoids mispredicted branches; with `?:` the compiler would
      // branch.
      var low = start
      var index = start
      while index < count {
        low &+= Int(unsafeBitCast(words[index] < key.prefix, to: UInt8.self))
        index &+= 1
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

// MARK: Creating

extension KeyBlock {
  /// A range of the keys of a block.
  struct Run {
    let block: KeyBlock
    let range: Range<Int>
  }

  /// Creates a block of keys in ascending order.
  static func make(_ keys: [KeyBytes]) -> KeyBlock {
    let byteCount = keys.reduce(0) { $0 + $1.bytes.count }
    let textSize = keys.reduce(0) { $0 + $1.textSize }
    return self.make(count: keys.count, byteCount: byteCount, textSize: textSize) { writer in
      for key in keys {
        writer.append(key)
      }
    }
  }

  /// Concatenates ranges of other blocks.
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
    let before = Run(block: self, range: 0..<index)
    let after = Run(block: self, range: (index + 1)..<self.count)
    let byteCount = before.byteCount + after.byteCount
    let textSize = self.textSize - self.withKey(at: index) { $0.textSize }
    return Self.make(count: self.count - 1, byteCount: byteCount, textSize: textSize) { writer in
      writer.append(before)
      writer.append(after)
    }
  }

  /// The keys in a range.
  func part(_ range: Range<Int>) -> KeyBlock {
    let run = self.run(range)
    return Self.make(count: range.count, byteCount: run.byteCount, textSize: run.textSize) {
      $0.append(run)
    }
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
      let (first, count) = (run.range.lowerBound, run.range.count)
      run.block.withLayout { words, layout in
        let bytes = layout.bytes(in: run.range)
        (self.words + self.index).update(from: words + first, count: count)
        UnsafeMutableRawBufferPointer(start: self.layout.bytes + self.end, count: bytes.count)
          .copyMemory(from: bytes)
        let moved = UInt32(truncatingIfNeeded: self.end) &- layout.start(of: first)
        for index in 0..<count {
          self.layout.ends[self.index + index] = layout.ends[first + index] &+ moved
        }
        self.index += count
        self.end += bytes.count
      }
    }
  }

  /// The layout of a block in memory. Its keys take at most 4 GiB, because no limit of a
  /// value's text allows more.
  fileprivate struct Layout {
    let ends: UnsafeMutablePointer<UInt32>
    let bytes: UnsafeMutableRawPointer

    init(_ words: UnsafeMutablePointer<UInt64>, _ count: Int) {
      let ends = UnsafeMutableRawPointer(words + count)
      self.ends = ends.assumingMemoryBound(to: UInt32.self)
      self.bytes = ends + 4 * count
    }

    /// The offset of a key, or of the end of the last one.
    func start(of index: Int) -> UInt32 {
      index == 0 ? 0 : self.ends[index - 1]
    }

    func bytes(at index: Int) -> UnsafeRawBufferPointer {
      self.bytes(in: index..<(index + 1))
    }

    func bytes(in range: Range<Int>) -> UnsafeRawBufferPointer {
      let start = Int(self.start(of: range.lowerBound))
      return UnsafeRawBufferPointer(
        start: self.bytes + start, count: Int(self.start(of: range.upperBound)) - start)
    }
  }

  fileprivate func withLayout<Result>(
    _ body: (UnsafeMutablePointer<UInt64>, Layout) -> Result
  ) -> Result {
    self.withUnsafeMutablePointerToElements { words in body(words, Layout(words, self.count)) }
  }
}

extension KeyBlock.Run {
  fileprivate var byteCount: Int {
    self.block.withLayout { _, layout in layout.bytes(in: self.range).count }
  }

  fileprivate var textSize: UInt64 {
    if self.range.count == self.block.count { return self.block.textSize }
    return self.range.reduce(0) { total, index in
      total + self.block.withKey(at: index) { $0.textSize }
    }
  }
}

extension KeyBytes {
  /// The size of this key as JSON, in bytes, with its quotes and a colon.
  fileprivate var textSize: UInt64 {
    UInt64(self.bytes.textSize) + 1
  }
}
