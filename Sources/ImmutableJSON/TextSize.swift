// How many bytes the text of a scalar has.

extension Int64 {
  /// At most one more than the bytes of the text.
  var textSizeBound: Int {
    // 1233 / 4096 is just above the logarithm of 2 to the base of 10.
    let bits = Int64.bitWidth - self.magnitude.leadingZeroBitCount
    return (bits * 1233) >> 12 + 1 + (self < 0 ? 1 : 0)
  }
}

extension Double {
  /// The longest text is that of `-2.2250738585072014e-308`.
  static var textSizeBound: Int { 24 }
}

extension UnsafeRawBufferPointer {
  /// The bytes of this string or key in JSON, with its quotes. O(n).
  var textSize: Int {
    var size = 2 + self.count
    var start = 0
    while start + 8 <= self.count {
      let word = self.loadUnaligned(fromByteOffset: start, as: UInt64.self)
      if word.hasEscapedByte {
        for byte in self[start..<(start + 8)] {
          size += byte.escapeSize
        }
      }
      start += 8
    }
    for byte in self[start...] {
      size += byte.escapeSize
    }
    return size
  }
}

extension UInt64 {
  /// Whether one of the eight bytes is a control character, a quotation mark or a backslash.
  fileprivate var hasEscapedByte: Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = self ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslashes = self ^ (ones &* UInt64(UInt8(ascii: "\\")))
    // A borrow out of a byte that is below sets a bit in those above it: never one too few.
    let below =
      ((self &- ones &* 0x20) & ~self) | ((quotes &- ones) & ~quotes)
      | ((backslashes &- ones) & ~backslashes)
    return below & (ones &* 0x80) != 0
  }
}

extension UInt8 {
  /// How many bytes an escape has beside this one.
  fileprivate var escapeSize: Int {
    switch self {
    case 0x08, 0x09, 0x0A, 0x0C, 0x0D, UInt8(ascii: "\""), UInt8(ascii: "\\"): 1
    case 0..<0x20: 5
    default: 0
    }
  }
}
