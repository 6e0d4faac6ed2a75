import ImmutableJSON

extension Money: CustomStringConvertible {
  /// The amount with two to four decimals: as few as possible. The same amount has the same text.
  public var description: String {
    let (units, fraction) = self.tenThousandths.magnitude.quotientAndRemainder(dividingBy: 10_000)
    var decimals = String(fraction + 10_000).dropFirst()
    while decimals.count > 2, decimals.last == "0" {
      decimals.removeLast()
    }
    return "\(self.tenThousandths < 0 ? "-" : "")\(units).\(decimals)"
  }
}

extension Money {
  /// Parses an amount: an optional minus sign, digits, and optionally a point and one to four
  /// decimals. Never rounds.
  ///
  /// - Throws: `MoneyError` if the text has another form, or the amount is out of range.
  public init(_ text: String) throws(MoneyError) {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let parts = text.utf8.dropFirst(isNegative ? 1 : 0)
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let units = parts.first, !units.isEmpty, parts.count <= 2 else { throw .invalid(text) }
    let decimals = parts.dropFirst().first
    guard decimals.map({ 1...4 ~= $0.count }) ?? true else { throw .invalid(text) }
    let zeros = repeatElement(UInt8(ascii: "0"), count: 4 - (decimals?.count ?? 0))
    var number: Int64 = 0
    for byte in [Array(units), Array(decimals ?? ""[...].utf8), Array(zeros)].joined() {
      guard 0x30...0x39 ~= byte else { throw .invalid(text) }
      let digit = Int64(byte - 0x30)
      // Negative numbers go one further than positive ones.
      let (shifted, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = shifted.addingReportingOverflow(isNegative ? -digit : digit)
      if overflow || carry { throw .tooLarge(quoted(text)) }
      number = sum
    }
    self.init(tenThousandths: number)
  }
}

extension Money: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(container.decode(String.self))
    } catch let error as MoneyError {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: error.description)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self.description)
  }
}
