/// The keys of a text that have escapes, decoded. They do not move, and are removed together.
struct UnescapedKeys: ~Copyable {
  private var blocks: [UnsafeMutableRawBufferPointer] = []

  /// The number of bytes used in the last block.
  private var used = 0

  /// The size of a block, unless a key is longer.
  private static var blockSize: Int { 4096 }

  init() {}

  deinit {
    for block in self.blocks {
      block.deallocate()
    }
  }
}

extension UnescapedKeys {
  /// Copies a key, and returns the copy. It is valid until ``removeAll()``.
  mutating func add(_ key: UnsafeBufferPointer<UInt8>) -> UnsafeRawBufferPointer {
    if self.used + key.count > self.blocks.last?.count ?? 0 {
      let size = max(key.count, Self.blockSize)
      self.blocks.append(.allocate(byteCount: size, alignment: 1))
      self.used = 0
    }
    guard let block = self.blocks.last else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let copy = UnsafeMutableRawBufferPointer(rebasing: block[self.used..<(self.used + key.count)])
    copy.copyMemory(from: UnsafeRawBufferPointer(key))
    self.used += key.count
    return UnsafeRawBufferPointer(copy)
  }

  mutating func removeAll() {
    guard !self.blocks.isEmpty else { return }
    for block in self.blocks {
      block.deallocate()
    }
    self.blocks = []
    self.used = 0
  }
}
