import Testing

@testable import ImmutableJSON

/// Rounding by integers gives what the processor gives.
@Suite struct NearestTests {
  private var generator = SystemRandomNumberGenerator()

  @Test mutating func integers() {
    for _ in 0..<2_000 {
      let integer = UInt128(self.generator.next()) << Int.random(in: 0...64)
      #expect(Double(nearest: integer) == Double(integer))
      #expect(Double(nearest: integer, isNegative: true) == -Double(integer))
      let signed = Int64(bitPattern: self.generator.next())
      #expect(Double(nearest: signed) == Double(signed))
    }
  }

  @Test mutating func quotients() {
    for _ in 0..<2_000 {
      let (integer, divisor) = (self.generator.next() >> 11, self.generator.next() >> 11 | 1)
      let quotient = Double(nearest: UInt128(integer), dividedBy: divisor)
      #expect(quotient == Double(integer) / Double(divisor))
    }
  }

  /// Products with powers of two, down to subnormal numbers, which are exact.
  @Test mutating func exponents() {
    for exponent in stride(from: -1_074, through: 1_100, by: 7) {
      let integer = self.generator.next() >> 11
      #expect(
        Double(nearest: UInt128(integer), exponent: exponent)
          == Double(sign: .plus, exponent: exponent, significand: Double(integer)))
    }
  }

  @Test(
    arguments: [
      (0, 5, 0.0), (1, -1074, 5e-324), (1, -1075, 0), (3, -1076, 5e-324), (3, -1075, 1e-323),
      (1, -1_300, 0), (1 << 53 - 1, 971, .greatestFiniteMagnitude), (1 << 54 - 1, 970, .infinity),
      (1, 1_024, .infinity), (1 << 54 + 3, 0, 0x1.0000000000001p54),
    ] as [(UInt128, Int, Double)])
  func edges(_ integer: UInt128, _ exponent: Int, _ expected: Double) {
    #expect(Double(nearest: integer, exponent: exponent) == expected)
  }

  @Test func theOrderOfDoubles() {
    let reals: [Double] = [-.infinity, -1, -5e-324, 0, 5e-324, 1e-323, 1, .infinity]
    for (left, right) in zip(reals, reals.dropFirst()) {
      #expect(left.order < right.order)
    }
    #expect((0.0).order == (-0.0).order)
  }

  @Test func integersEqualToDoubles() {
    #expect(Int64(equalTo: 5e-324) == nil)
    #expect(Int64(equalTo: -0.0) == 0)
    #expect(Int64(equalTo: 0x1p62) == 1 << 62)
    #expect(Int64(equalTo: 0x1p63) == nil)
    #expect(UInt8(equalTo: 255) == 255)
  }
}
