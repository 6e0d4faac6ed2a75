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
    if let integer = sum.integer {
      return .real(
        Double(
          nearest: integer.magnitude, dividedBy: UInt64(count), isNegative: integer < 0))
    }
    let real = sum.real
    guard real.isFinite else { throw self.sumIsNotFinite }
    return .real(real.divided(by: UInt64(count)))
  }

  private var sumIsNotFinite: ExpressionError {
    ExpressionError(
      .invalidValue,
      "the sum of argument 1 of \(self.call.function.rawValue)() is not a finite number",
      at: self.call.offsets[0])
  }
}

extension Double {
  /// A finite number, divided.
  fileprivate func divided(by divisor: UInt64) -> Double {
    Double(
      nearest: UInt128(self.significandBits), exponent: self.exponentPattern - 1074,
      dividedBy: divisor, isNegative: self.sign == .minus)
  }
}
