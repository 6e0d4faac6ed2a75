internal import CScan

/// A CRC-32C, which lines state as eight hexadecimal digits.
package struct Checksum: Equatable, Sendable {
  var bits: UInt32 = 0
}

extension Checksum {
  static var digits: Int { 8 }

  init(_ bytes: UnsafeRawBufferPointer) {
    self.add(bytes)
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    self.bits = scan_crc32c(self.bits, start.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// Adds the digits of another checksum.
  mutating func add(digitsOf other: Checksum) {
    var digits = other.digitWord
    withUnsafeBytes(of: &digits) { self.add($0) }
  }

  /// The digits in the order in which they are written.
  var digitWord: UInt64 {
    var word: UInt64 = 0
    for index in 0..<8 {
      let digit = UInt64(truncatingIfNeeded: self.bits &>> UInt32(28 &- 4 &* index)) & 0xF
      let character = digit < 10 ? 0x30 &+ digit : 0x57 &+ digit
      word |= character &<< UInt64(8 &* index)
    }
    return word.littleEndian
  }
}
