/// A point in time: the number of milliseconds since 1970-01-01T00:00:00Z, as POSIX counts them,
/// without leap seconds. In JSON it is this number.
public struct Timestamp: Hashable, Sendable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }
}

extension Timestamp: Comparable {
  public static func < (left: Self, right: Self) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

extension Timestamp: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self.milliseconds)
  }
}

extension Timestamp: CustomStringConvertible {
  /// The time in UTC with milliseconds as RFC 3339 writes it: `2026-03-29T08:30:00.000Z`. RFC 3339
  /// has years from 0000 to 9999; other years have a sign and at least six digits, as in ISO 8601.
  public var description: String {
    let (days, millisecondOfDay) = floorDivide(self.milliseconds, by: 86_400_000)
    let (year, month, day) = CalendarDate(daysSince1970: days).components
    let (second, millisecond) = floorDivide(millisecondOfDay, by: 1_000)
    let date = "\(year.asYear)-\(month.padded(2))-\(day.padded(2))"
    let time =
      "\((second / 3_600).padded(2)):\((second / 60 % 60).padded(2)):\((second % 60).padded(2))"
    return "\(date)T\(time).\(millisecond.padded(3))Z"
  }
}

extension CalendarDate: CustomStringConvertible {
  /// The date as RFC 3339 writes it: `2026-03-29`.
  package var description: String {
    let (year, month, day) = self.components
    return "\(year.asYear)-\(month.padded(2))-\(day.padded(2))"
  }
}

extension Int64 {
  fileprivate var asYear: String {
    0...9_999 ~= self
      ? self.padded(4) : "\(self < 0 ? "-" : "+")\(Int64(self.magnitude).padded(6))"
  }

  /// The digits of a number that is not negative, with leading zeros.
  fileprivate func padded(_ count: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(count - digits.utf8.count, 0)) + digits
  }
}
