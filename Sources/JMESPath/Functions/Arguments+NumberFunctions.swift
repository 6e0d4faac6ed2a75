import ImmutableJSON

extension Arguments {
  func sum() throws(ExpressionError) -> Value {
    try self.value(of: self.sum(of: self.numbers()))
  }

  func average() throws(ExpressionError) -> Value {
    let numbers = try self.numbers()
    return try self.average(of: self.sum(of: numbers), numbers.count)
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

  private func sum(of numbers: JSONArray) throws(ExpressionError) -> ExactSum {
    var sum = ExactSum()
    for (index, value) in numbers.enumerated() {
      switch value {
      case .integer(let value): sum.add(value)
      case .real(let value) where value.isFinite: sum.add(value)
      case .real: throw self.sumIsNotFinite
      default: throw self.mismatch(0, element: index, "numbers", value)
      }
    }
    return sum
  }

  /// An integer if all numbers are and the sum fits in 64 bits, otherwise a double.
  func value(of sum: ExactSum) throws(ExpressionError) -> Value {
    if let integer = sum.integer.flatMap({ Int64(exactly: $0) }) { return .integer(integer) }
    let real = sum.real
    guard real.isFinite else { throw self.sumIsNotFinite }
    return .real(real)
  }

  func average(of sum: ExactSum, _ count: Int) throws(ExpressionError) -> Value {
    guard count > 0 else { return .null }
    if let integer = sum.integer { return .real(integer.divided(by: count)) }
    let real = sum.real
    guard real.isFinite else { throw self.sumIsNotFinite }
    return .real(real / Double(count))
  }

  private var sumIsNotFinite: ExpressionError {
    ExpressionError(
      .invalidValue,
      "the sum of argument 1 of \(self.call.function.rawValue)() is not a finite number",
      at: self.call.offsets[0])
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
