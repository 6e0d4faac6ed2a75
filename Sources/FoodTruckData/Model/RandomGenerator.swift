/// A random number generator that returns the same numbers for the same seed, on every machine.
///
/// The algorithm is SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014. Its state is one number, and every seed is a good one. It has a period
/// of 2⁶⁴ and is not for secrets.
///
/// The methods below define how bounded numbers, shuffles and choices are made. The methods of
/// Swift's standard library with the same purpose may change between versions of Swift.
struct RandomGenerator: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    self.state = seed
  }

  /// Returns the next 64 bits.
  mutating func next() -> UInt64 {
    self.state &+= 0x9E37_79B9_7F4A_7C15
    var bits = self.state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

extension RandomGenerator {
  /// Returns an integer below `bound`, each with the same probability; 0 if `bound` is 0.
  ///
  /// Daniel Lemire, "Fast Random Integer Generation in an Interval", ACM TOMACS 29, 2019: the high
  /// half of a product, and a new number for the few products that would favor some results.
  mutating func integer(below bound: UInt64) -> UInt64 {
    guard bound > 0 else { return 0 }
    var product = bound.multipliedFullWidth(by: self.next())
    if product.low < bound {
      let threshold = (0 &- bound) % bound
      while product.low < threshold {
        product = bound.multipliedFullWidth(by: self.next())
      }
    }
    return product.high
  }

  /// Returns an integer in the range, each with the same probability.
  mutating func integer(in range: ClosedRange<Int64>) -> Int64 {
    let distance = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    let offset = distance == .max ? self.next() : self.integer(below: distance + 1)
    return range.lowerBound &+ Int64(bitPattern: offset)
  }

  /// Returns a multiple of 2⁻⁵³ in 0 ..< 1, each with the same probability.
  mutating func double() -> Double {
    Double(self.next() >> 11) * 0x1p-53
  }

  /// Returns one of the elements, each with the same probability; `nil` for an empty array.
  mutating func element<Element>(of elements: [Element]) -> Element? {
    guard !elements.isEmpty else { return nil }
    return elements[Int(self.integer(below: UInt64(elements.count)))]
  }

  /// Returns the elements in random order, each order with the same probability. O(n).
  ///
  /// The Fisher–Yates shuffle: Knuth, "The Art of Computer Programming", volume 2, algorithm P.
  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for index in elements.indices.reversed() {
      elements.swapAt(index, Int(self.integer(below: UInt64(index) + 1)))
    }
    return elements
  }
}
