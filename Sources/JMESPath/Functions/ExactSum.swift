/// The exact sum of integers and finite doubles. So it does not depend on their order, and numbers
/// can be subtracted again.
///
/// The sum of the doubles is an integer multiple of 2^-1074, the least double. Its digits have 32
/// bits in words of 64, so that carries can wait.
struct ExactSum {
  /// 128 bits hold the sum of any possible number of 64-bit integers.
  private var integers: Int128 = 0

  /// The digits of the sum of the doubles, which may be negative; empty before the first double.
  private var digits: [Int64] = []

  /// The number of doubles in the sum.
  private(set) var reals = 0

  /// The number of additions and subtractions since the last carries.
  private var pending = 0

  /// Enough digits for 2^32 times the greatest double.
  private static var digitCount: Int { 70 }
}

extension ExactSum {
  mutating func add(_ integer: Int64) {
    self.integers += Int128(integer)
  }

  mutating func subtract(_ integer: Int64) {
    self.integers -= Int128(integer)
  }

  mutating func add(_ real: Double) {
    self.reals += 1
    self.add(real.significandBits, real.exponentPattern, isNegative: real.sign == .minus)
  }

  mutating func subtract(_ real: Double) {
    self.reals -= 1
    self.add(real.significandBits, real.exponentPattern, isNegative: real.sign == .plus)
  }

  /// Adds `bits` times 2^(`position` - 1074).
  private mutating func add(_ bits: UInt64, _ position: Int, isNegative: Bool) {
    if self.digits.isEmpty {
      self.digits = Array(repeating: 0, count: Self.digitCount)
    }
    if self.pending >= 1 << 30 {
      self.carry()
    }
    self.pending += 1
    var (rest, index) = (UInt128(bits) << (position & 31), position >> 5)
    while rest != 0, index < Self.digitCount {
      let digit = Int64(truncatingIfNeeded: rest & 0xFFFF_FFFF)
      self.digits[index] += isNegative ? -digit : digit
      rest >>= 32
      index += 1
    }
  }

  /// Makes all digits but the last nonnegative numbers of 32 bits.
  private mutating func carry() {
    var carry: Int64 = 0
    for index in self.digits.indices.dropLast() {
      let digit = self.digits[index] + carry
      self.digits[index] = digit & 0xFFFF_FFFF
      carry = digit >> 32
    }
    self.digits[Self.digitCount - 1] += carry
    self.pending = 0
  }
}

extension ExactSum {
  /// The sum if there are only integers.
  var integer: Int128? {
    self.reals == 0 ? self.integers : nil
  }

  /// The double nearest to the sum; infinite if there is none.
  var real: Double {
    guard self.reals != 0 else {
      return Double(nearest: self.integers.magnitude, isNegative: self.integers < 0)
    }
    var sum = self
    var (rest, position) = (self.integers.magnitude, 1074)
    while rest != 0 {
      sum.add(UInt64(rest & 0xFFFF_FFFF), position, isNegative: self.integers < 0)
      rest >>= 32
      position += 32
    }
    sum.carry()
    let isNegative = sum.digits.last.map { $0 < 0 } ?? false
    if isNegative {
      for index in sum.digits.indices { sum.digits[index].negate() }
      sum.carry()
    }
    return sum.rounded(isNegative: isNegative)
  }

  /// The double nearest to a nonnegative sum after carries, or to its opposite.
  private func rounded(isNegative: Bool) -> Double {
    guard let last = self.digits.lastIndex(where: { $0 != 0 }) else { return 0 }
    let first = max(last - 2, 0)
    var bits: UInt128 = 0
    for digit in self.digits[first...last].reversed() {
      bits = bits << 32 | UInt128(digit.magnitude)
    }
    // More than 64 bits of a double: the last one can stand for all that follow.
    let isExact = self.digits[..<first].allSatisfy { $0 == 0 }
    return Double(
      nearest: bits | (isExact ? 0 : 1), exponent: 32 * first - 1074, isNegative: isNegative)
  }
}

extension Double {
  /// The significand of a finite number as an integer.
  var significandBits: UInt64 {
    self.significandBitPattern | (self.exponentBitPattern == 0 ? 0 : 1 << 52)
  }

  /// The number is ``significandBits`` times 2^(this - 1074).
  var exponentPattern: Int {
    max(Int(self.exponentBitPattern) - 1, 0)
  }
}
