import ImmutableJSON
import Glibc

// Strings are compared by their bytes, which yields the order of their code points.
extension String {
  /// Whether this string precedes another in byte order.
  func hasBytesBefore(_ other: String) -> Bool {
    self.compareBytes(with: other) < 0
  }

  func hasBytes(atStart other: String) -> Bool {
    Self.withBytes(self, other) { $0.starts($1, at: 0) }
  }

  func hasBytes(atEnd other: String) -> Bool {
    Self.withBytes(self, other) { $0.starts($1, at: $0.count - $1.count) }
  }

  /// The number of code points: bytes that are not continuation bytes.
  var codePointCount: Int {
    var text = self
    return text.withUTF8 { bytes in
      bytes.reduce(into: 0) { count, byte in count += byte & 0xC0 == 0x80 ? 0 : 1 }
    }
  }

  /// The code points in reverse order.
  var withCodePointsReversed: String {
    var text = self
    return text.withUTF8 { bytes in
      String(unsafeUninitializedCapacity: bytes.count) { reversed in
        var end = bytes.count
        for (index, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 {
          // Each code point is placed before the preceding ones, with its bytes in order.
          let length = byte.codePointLength
          for offset in 0..<Swift.min(length, end, bytes.count - index) {
            reversed.initializeElement(at: end - length + offset, to: bytes[index + offset])
          }
          end -= length
        }
        return bytes.count
      }
    }
  }

  private static func withBytes<Result>(
    _ left: String, _ right: String,
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    var (left, right) = (left, right)
    return left.withUTF8 { left in right.withUTF8 { right in body(left, right) } }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether these bytes contain others at an offset.
  fileprivate func starts(_ other: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    guard offset >= 0, other.count <= self.count - offset else { return false }
    guard !other.isEmpty, let start = self.baseAddress, let expected = other.baseAddress else {
      return true
    }
    return memcmp(start + offset, expected, other.count) == 0
  }
}

extension UInt8 {
  /// The length of the code point that starts with this byte.
  fileprivate var codePointLength: Int {
    self < 0x80 ? 1 : self < 0xE0 ? 2 : self < 0xF0 ? 3 : 4
  }
}

extension String {
  /// Whether this string contains the bytes of another. O(n).
  func contains(bytesOf other: String) -> Bool {
    var text = self
    let search = ByteSearch(other.utf8)
    return text.withUTF8 { search.end(in: $0) != nil }
  }
}
