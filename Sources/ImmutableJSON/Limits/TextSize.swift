internal import CScan

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
  /// How many bytes an escape has beside this one.
  fileprivate var escapeSize: Int {
    switch self {
    case 0x08, 0x09, 0x0A, 0x0C, 0x0D, UInt8(ascii: "\""), UInt8(ascii: "\\"): 1
    case 0..<0x20: 5
    default: 0
    }
  }
}
