import ImmutableJSON

extension Arguments {
  func sum() throws(Fault) -> Value {
    let numbers = try self.array(0)
    try self.charge(numbers.count)
    return try self.total(of: numbers).value
  }

  func average() throws(Fault) -> Value {
    let numbers = try self.array(0)
    try self.charge(numbers.count)
    let total = try self.total(of: numbers)
    guard !numbers.isEmpty else { return .null }
    let sum =
      switch total {
      case .integer(let sum): Double(sum)
      case .real(let sum): sum
      }
    return .real(sum / Double(numbers.count))
  }

  func toNumber() throws(Fault) -> Value {
    let value = try self.value(0)
    if case .string(let text) = value {
      try self.charge(bytes: text.utf8.count)
      return Number(text: text)?.value ?? .null
    }
    return Number(value)?.value ?? .null
  }

  /// The sum: exact while all are integers and it is one of 64 bits, else a double.
  private func total(of numbers: JSONArray) throws(Fault) -> Number {
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
    if reals == nil, let sum = Int64(exactly: integers) { return .integer(sum) }
    let sum = Double(integers) + (reals ?? 0)
    guard sum.isFinite else {
      throw Fault(
        .invalidValue, "the sum of argument 1 of \(self.call.function.rawValue)() is no number",
        at: self.call.offsets[0])
    }
    return .real(sum)
  }
}
