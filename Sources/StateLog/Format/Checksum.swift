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
    // All eight at once: each gets a byte of its own, the first one the lowest.
    var word = UInt64(self.bits.byteSwapped)
    word = (word | word &<< 16) & 0x0000_FFFF_0000_FFFF
    word = (word | word &<< 8) & 0x00FF_00FF_00FF_00FF
    word = (word &>> 4 | word &<< 8) & 0x0F0F_0F0F_0F0F_0F0F
    let isLetter = (word &+ 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
    return (word &+ 0x3030_3030_3030_3030 &+ isLetter &* 0x27).littleEndian
  }
}
