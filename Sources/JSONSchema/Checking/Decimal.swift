import ImmutableJSON

/// A number as it is written: an integer times a power of ten. So 0.3 is a multiple of 0.1,
/// although the quotient of the doubles is not an integer.
struct Decimal: Sendable {
  private let digits: UInt64
  private let exponent: Int
  private let isNegative: Bool

  /// `nil` for a value that is not a number.
  init?(_ number: Value) {
    switch number {
    case .integer(let integer):
      (self.digits, self.exponent, self.isNegative) = (integer.magnitude, 0, integer < 0)
    case .real(let real) where real.isFinite:
      var (digits, exponent) = (UInt64(0), 0)
      let parts = number.json.split(separator: "e", maxSplits: 1)
      var isFraction = false
      for byte in parts.first.map({ Array($0.utf8) }) ?? [] {
        guard byte != UInt8(ascii: ".") else {
          isFraction = true
          continue
        }
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { continue }
        // The shortest text of a double has at most 17 digits besides zeros at its end.
        let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
        if overflow || carry {
          exponent += isFraction ? 0 : 1
        } else {
          digits = sum
          exponent -= isFraction ? 1 : 0
        }
      }
      if parts.count == 2 { exponent += Int(parts[1].drop { $0 == "+" }) ?? 0 }
      (self.digits, self.exponent, self.isNegative) = (digits, exponent, real < 0)
    default: return nil
    }
  }
}

extension Decimal {
  var isPositive: Bool {
    self.digits != 0 && !self.isNegative
  }

  /// Whether a number is an integer times another one, which is not 0.
  func isMultiple(of divisor: Decimal) -> Bool {
    guard self.digits != 0, divisor.digits != 0 else { return self.digits == 0 }
    let shift = self.exponent - divisor.exponent
    guard shift < 0 else {
      return Self.product(
        self.digits % divisor.digits, Self.powerOfTen(shift, modulo: divisor.digits),
        modulo: divisor.digits) == 0
    }
    var scaled = divisor.digits
    for _ in shift..<0 {
      let (product, overflow) = scaled.multipliedReportingOverflow(by: 10)
      // The divisor is greater than this number.
      if overflow { return false }
      scaled = product
    }
    return self.digits.isMultiple(of: scaled)
  }

  private static func product(_ left: UInt64, _ right: UInt64, modulo divisor: UInt64) -> UInt64 {
    // Both are less than the divisor, so the quotient fits.
    divisor.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
  }

  private static func powerOfTen(_ exponent: Int, modulo divisor: UInt64) -> UInt64 {
    var (result, base, rest) = (1 % divisor, 10 % divisor, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result = self.product(result, base, modulo: divisor) }
      base = self.product(base, base, modulo: divisor)
      rest >>= 1
    }
    return result
  }
}
