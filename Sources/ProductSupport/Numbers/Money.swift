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
