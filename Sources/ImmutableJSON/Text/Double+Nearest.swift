internal import CScan

// The rounding mode and the flags for subnormal numbers belong to the program, which may have
// changed them. So what values mean is computed with integers wherever a result could be rounded,
// and doubles are compared by their bits.

extension Double {
  /// The double nearest to `integer` times 2^`exponent`, ties to even; infinite if there is none.
  package init(nearest integer: UInt128, exponent: Int = 0, isNegative: Bool = false) {
    let width = 128 - integer.leadingZeroBitCount
    // The exponent of the last bit of the result.
    let last = max(exponent + width - 53, -1074)
    let shift = last - exponent
    var bits = UInt64(truncatingIfNeeded: shift > 128 ? 0 : integer >> shift)
    if shift > 0, shift <= 128 {
      let half = UInt128(1) << (shift - 1)
      let rest = integer & (half | (half - 1))
      bits += rest > half || (rest == half && bits & 1 == 1) ? 1 : 0
    }
    if last > 971 {
      bits = bits == 0 ? 0 : Double.infinity.bitPattern
    } else if bits >> 52 != 0 {
      // The implicit bit of the significand adds 1 to the exponent. A carry adds another one, also
      // from the greatest double to infinity.
      bits += UInt64(last + 1074) << 52
    }
    self.init(bitPattern: bits | (isNegative ? 1 << 63 : 0))
  }

  /// The double nearest to `integer` times 2^`exponent`, divided by `divisor`, which is positive.
  package init(
    nearest integer: UInt128, exponent: Int = 0, dividedBy divisor: UInt64, isNegative: Bool = false
  ) {
    // A quotient of at least 55 bits has two bits more than a double. The last one is a sticky bit,
    // set if there is a remainder, so that it rounds as the exact quotient does.
    let shift = max(
      0, 55 + integer.leadingZeroBitCount - 64 - divisor.leadingZeroBitCount)
    let (quotient, rest) = (integer << shift).quotientAndRemainder(dividingBy: UInt128(divisor))
    self.init(
      nearest: quotient | (rest == 0 ? 0 : 1), exponent: exponent - shift, isNegative: isNegative)
  }

  /// The double nearest to an integer.
  package init(nearest integer: Int64) {
    if integer.magnitude <= 1 << 53 {
      self.init(integer)
    } else {
      self.init(nearest: UInt128(integer.magnitude), isNegative: integer < 0)
    }
  }

  /// The double nearest to a decimal number in JSON's syntax; `nil` if it is not finite.
  package init?(nearest text: String) {
    let mode = scan_round_to_nearest()
    defer { scan_set_rounding(mode) }
    guard let real = Double(text), real.isFinite else { return nil }
    self = real
  }

  /// An integer that is ordered as the number is: equal for 0.0 and -0.0, and for nothing else that
  /// is not the same number.
  package var order: Int64 {
    let bits = Int64(bitPattern: self.bitPattern)
    return bits < 0 ? .min &- bits : bits
  }
}

extension FixedWidthInteger {
  /// The integer equal to a double.
  package init?(equalTo real: Double) {
    // `init(exactly:)` compares, so that it can take a subnormal number for 0.
    guard !real.isSubnormal else { return nil }
    self.init(exactly: real)
  }
}
