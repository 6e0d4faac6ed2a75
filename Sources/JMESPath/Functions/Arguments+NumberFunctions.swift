import ImmutableJSON

extension Arguments {
  func sum() throws(ExpressionError) -> Value {
    try self.sum(of: self.numbers()).value
  }

  func average() throws(ExpressionError) -> Value {
    let numbers = try self.numbers()
    guard !numbers.isEmpty else { return .null }
    return switch try self.sum(of: numbers) {
    case .integers(let sum): .real(sum.divided(by: numbers.count))
    case .reals(let sum): .real(sum / Double(numbers.count))
    }
  }

  func toNumber() throws(ExpressionError) -> Value {
    let value = try self.value(0)
    if case .string(let text) = value {
      try self.charge(bytes: text.utf8.count)
      return Number(text: text)?.value ?? .null
    }
    return Number(value)?.value ?? .null
  }

  /// The array of numbers to add. Charges for its elements.
  private func numbers() throws(ExpressionError) -> JSONArray {
    let numbers = try self.array(0)
    try self.charge(numbers.count)
    return numbers
  }

  private func sum(of numbers: JSONArray) throws(ExpressionError) -> Sum {
    // 128 bits hold the sum of any possible number of 64-bit integers.
    var integers: Int128 = 0
    var reals: Double?
    for (index, value) in numbers.enumerated() {
      switch value {
      case .integer(let value): integers += Int128(value)
      case .real(let value): reals = (reals ?? 0) + value
      default: throw self.mismatch(0, element: index, "numbers", value)
      }
    }
    guard let reals else { return .integers(integers) }
    let sum = Double(integers) + reals
    guard sum.isFinite else {
      throw ExpressionError(
        .invalidValue,
        "the sum of argument 1 of \(self.call.function.rawValue)() is not a finite number",
        at: self.call.offsets[0])
    }
    return .reals(sum)
  }
}

/// A sum of numbers, exact if all are integers.
private enum Sum {
  case integers(Int128)
  case reals(Double)

  /// An integer if the sum fits in 64 bits, otherwise a double.
  var value: Value {
    switch self {
    case .integers(let sum): Int64(exactly: sum).map { .integer($0) } ?? .real(Double(sum))
    case .reals(let sum): .real(sum)
    }
  }
}

extension Int128 {
  /// The double nearest to this sum of `count` 64-bit integers, divided by `count`.
  fileprivate func divided(by count: Int) -> Double {
    let (sum, count) = (self.magnitude, count.magnitude)
    // A quotient of at least 55 bits has two bits more than a double. The last one is a sticky bit,
    // set if there is a remainder, so that the conversion rounds as for the exact quotient.
    let shift = Swift.max(0, 55 + sum.leadingZeroBitCount - 64 - count.leadingZeroBitCount)
    let (quotient, remainder) = (sum << shift).quotientAndRemainder(dividingBy: UInt128(count))
    let rounded = Double(UInt64(truncatingIfNeeded: quotient) | (remainder == 0 ? 0 : 1))
    return Double(sign: self < 0 ? .minus : .plus, exponent: -shift, significand: rounded)
  }
}
