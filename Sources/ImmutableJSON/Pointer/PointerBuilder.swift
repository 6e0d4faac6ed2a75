/// The text of a JSON Pointer, extended and truncated during a walk over a value.
struct PointerBuilder {
  private var bytes: [UInt8] = []

  /// The size in bytes.
  var count: Int {
    self.bytes.count
  }

  var string: String {
    String(decoding: self.bytes, as: UTF8.self)
  }

  /// Removes all bytes after the first `count`.
  mutating func truncate(to count: Int) {
    self.bytes.removeLast(self.bytes.count - count)
  }

  mutating func append(key: UnsafeRawBufferPointer) {
    self.bytes.append(UInt8(ascii: "/"))
    for byte in key {
      switch byte {
      case UInt8(ascii: "~"): self.bytes.append(contentsOf: "~0".utf8)
      case UInt8(ascii: "/"): self.bytes.append(contentsOf: "~1".utf8)
      default: self.bytes.append(byte)
      }
    }
  }

  mutating func append(index: Int) {
    self.bytes.append(UInt8(ascii: "/"))
    self.bytes.append(contentsOf: index.description.utf8)
  }
}
