internal import CScan

// The size of a scalar's text, in bytes.

extension Int64 {
  /// The size of the text, or one more.
  var textSizeBound: Int {
    // 1233 / 4096 is slightly less than log10(2). Up to 64 bits, the products have the same integer
    // part.
    let bits = Int64.bitWidth - self.magnitude.leadingZeroBitCount
    return ((bits * 1233) >> 12) + 1 + (self < 0 ? 1 : 0)
  }
}

extension Double {
  /// The length of the longest text, `-2.2250738585072014e-308`.
  static var textSizeBound: Int { 24 }
}

extension UnsafeRawBufferPointer {
  /// The size of this string or key as JSON, quotes included. O(n).
  var textSize: Int {
    guard let start = self.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 2 }
    var size = 2 + self.count
    var at = start
    let end = start + self.count
    while let special = scan_unescaped(at, end), special < end {
      size += special.pointee.escapeSize
      at = special + 1
    }
    return size
  }
}

extension UInt8 {
  /// The number of bytes that escaping adds to this one.
  fileprivate var escapeSize: Int {
    switch self {
    case 0x08, 0x09, 0x0A, 0x0C, 0x0D, UInt8(ascii: "\""), UInt8(ascii: "\\"): 1
    case 0..<0x20: 5
    default: 0
    }
  }
}
