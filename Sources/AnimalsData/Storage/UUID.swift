/// A random identifier (RFC 9562, version 4).
struct UUID {
  private let high: UInt64
  private let low: UInt64

  init() {
    var generator = SystemRandomNumberGenerator()
    // Four bits encode the version, two the variant.
    self.high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    self.low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
  }
}

extension UUID: CustomStringConvertible {
  /// The RFC's text form, in upper case: `5E0C4A96-4FD1-4C0B-9B42-9E3F0A1C7D55`.
  var description: String {
    [
      (self.high, 32, 8), (self.high, 16, 4), (self.high, 0, 4), (self.low, 48, 4),
      (self.low, 0, 12),
    ]
    .map { bits, shift, digits in hexadecimal(bits >> UInt64(shift), digits: digits) }
    .joined(separator: "-")
  }
}

/// The last hexadecimal digits of a number.
private func hexadecimal(_ number: UInt64, digits: Int) -> String {
  let text = String(number, radix: 16, uppercase: true).suffix(digits)
  return String(repeating: "0", count: digits - text.count) + text
}
