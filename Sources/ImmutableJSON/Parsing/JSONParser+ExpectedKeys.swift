import Glibc

// Objects in one place of a text mostly have the same keys. So after the first key of an object,
// the parser compares the text with the keys of the last object that began in the same way, which
// takes about half of the instructions of parsing them.

extension JSONParser {
  /// The shape that an object is expected to have after its first key.
  @inline(__always)
  var expectedShape: ShapeCache.ID {
    guard let first = self.keys.last else { return .none }
    return self.shapes.expected(first, depth: self.containers.count)
  }

  /// Parses a key and the colon after it, if it is the next of the expected keys of its object.
  ///
  /// - Returns: Whether it is.
  @inline(__always)
  func parseExpectedKey(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>,
    _ expected: UnsafeMutableBufferPointer<KeyBytes>?, _ firstKey: Int
  ) -> Bool {
    let index = self.keys.count &- firstKey
    guard let expected, index < expected.count else { return false }
    let key = expected[index]
    let count = key.bytes.count
    // The quotes, the colon, and at least eight bytes for the comparison.
    guard end - at >= max(count &+ 3, 9), at.pointee == UInt8(ascii: "\""),
      key.isPrefix(of: at + 1),
      at[count &+ 1] == UInt8(ascii: "\"")
    else { return false }
    var next = at + (count &+ 2)
    skipWhitespace(&next, end)
    guard next < end, next.pointee == UInt8(ascii: ":") else { return false }
    self.keys.push(
      KeyBytes(
        prefix: key.prefix, bytes: UnsafeRawBufferPointer(start: at + 1, count: count)))
    at = next + 1
    return true
  }
}

extension KeyBytes {
  /// Whether a text of at least eight bytes, and at least the length of this key, begins with it.
  @inline(__always)
  fileprivate func isPrefix(of text: UnsafePointer<UInt8>) -> Bool {
    let word = UInt64(bigEndian: UnsafeRawPointer(text).loadUnaligned(as: UInt64.self))
    let count = self.bytes.count
    guard count > 8, let bytes = self.bytes.baseAddress else {
      return word & ~(UInt64.max >> (8 &* UInt64(truncatingIfNeeded: count))) == self.prefix
    }
    guard word == self.prefix else { return false }
    if count > 16 { return memcmp(text + 8, bytes + 8, count &- 8) == 0 }
    // The last eight bytes, which may overlap the first.
    let end = UnsafeRawPointer(text + count - 8).loadUnaligned(as: UInt64.self)
    return end == (bytes + count - 8).loadUnaligned(as: UInt64.self)
  }
}
