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

  /// The argument of a function that adds up, which is charged for.
  private func numbers() throws(ExpressionError) -> JSONArray {
    let numbers = try self.array(0)
    try self.charge(numbers.count)
    return numbers
  }

  private func sum(of numbers: JSONArray) throws(ExpressionError) -> Sum {
    // 128 bits hold the sum of as many integers of 64 bits as there can be.
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
        .invalidValue, "the sum of argument 1 of \(self.call.function.rawValue)() is no number",
        at: self.call.offsets[0])
    }
    return .reals(sum)
  }
}

/// The sum of numbers: exact while all are integers.
private enum Sum {
  case integers(Int128)
  case reals(Double)

  /// An integer where that is one of 64 bits, else a double.
  var value: Value {
    switch self {
    case .integers(let sum): Int64(exactly: sum).map { .integer($0) } ?? .real(Double(sum))
    case .reals(let sum): .real(sum)
    }
  }
}

extension Int128 {
  /// The double nearest to the quotient, for the sum of `count` integers of 64 bits.
  fileprivate func divided(by count: Int) -> Double {
    let (sum, count) = (self.magnitude, count.magnitude)
    // A quotient of 55 bits or more has two that a double has no room for. If the last of them tells
    // whether there is a remainder, the conversion rounds as the exact quotient would.
    let shift = Swift.max(0, 55 + sum.leadingZeroBitCount - 64 - count.leadingZeroBitCount)
    let (quotient, remainder) = (sum << shift).quotientAndRemainder(dividingBy: UInt128(count))
    let rounded = Double(UInt64(truncatingIfNeeded: quotient) | (remainder == 0 ? 0 : 1))
    return Double(sign: self < 0 ? .minus : .plus, exponent: -shift, significand: rounded)
  }
}
