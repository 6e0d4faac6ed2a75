import ImmutableJSON

/// An exact amount of money: a decimal with at most four digits after the point.
///
/// Amounts are from -922337203685477.5808 to 922337203685477.5807. They carry no currency. In JSON
/// an amount is a string, written with two to four decimals, for example `"34.68"`: most programs
/// read JSON numbers as binary floating point, which cannot represent most decimals.
public struct Money: Hashable, Sendable {
  /// The amount in ten-thousandths.
  public let tenThousandths: Int64

  public init(tenThousandths: Int64) {
    self.tenThousandths = tenThousandths
  }
}

extension Money {
  /// Returns the sum.
  ///
  /// - Throws: `MoneyError` if it is too large.
  public func adding(_ other: Self) throws(MoneyError) -> Self {
    let (sum, overflow) = self.tenThousandths.addingReportingOverflow(other.tenThousandths)
    if overflow { throw .tooLarge("\(self) + \(other)") }
    return Self(tenThousandths: sum)
  }

  /// Returns the product with a number of pieces.
  ///
  /// - Throws: `MoneyError` if it is too large.
  public func multiplied(by count: Int64) throws(MoneyError) -> Self {
    let (product, overflow) = self.tenThousandths.multipliedReportingOverflow(by: count)
    if overflow { throw .tooLarge("\(self) × \(count)") }
    return Self(tenThousandths: product)
  }
}

extension Money: Comparable {
  public static func < (left: Self, right: Self) -> Bool {
    left.tenThousandths < right.tenThousandths
  }
}

/// An amount that cannot be represented, or text that is not an amount.
public enum MoneyError: Error, Hashable, CustomStringConvertible {
  /// The text is not an amount.
  case invalid(String)
  /// The amount of this text, or the result of this calculation, is out of range.
  case tooLarge(String)

  public var description: String {
    switch self {
    case .invalid(let text):
      "\(quoted(text)) is not an amount; expected digits and at most four decimals, as in \"12.50\""
    case .tooLarge(let amount):
      "\(amount) is out of range; amounts go up to ±\(Money(tenThousandths: .max))"
    }
  }
}

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
    let amount = text.utf8.dropFirst(isNegative ? 1 : 0)
    let point = amount.firstIndex(of: UInt8(ascii: "."))
    let units = amount[..<(point ?? amount.endIndex)]
    let decimals = amount[(point ?? amount.endIndex)...].dropFirst()
    let count = decimals.count
    guard !units.isEmpty, count <= 4, (count == 0) == (point == nil),
      !decimals.contains(UInt8(ascii: "."))
    else { throw .invalid(text) }
    var number: Int64 = 0
    func append(_ byte: UInt8) throws(MoneyError) {
      guard 0x30...0x39 ~= byte else { throw .invalid(text) }
      let digit = Int64(byte - 0x30)
      // Negative numbers go one further than positive ones.
      let (shifted, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = shifted.addingReportingOverflow(isNegative ? -digit : digit)
      if overflow || carry { throw .tooLarge(quoted(text)) }
      number = sum
    }
    for byte in units { try append(byte) }
    for byte in decimals { try append(byte) }
    for _ in count..<4 { try append(UInt8(ascii: "0")) }
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
