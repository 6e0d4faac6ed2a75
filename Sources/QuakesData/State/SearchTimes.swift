import ImmutableJSON
import ProductSupport
import StateEngine

extension Range<Timestamp> {
  /// The times of a day in UTC. The midnight at its end is included.
  ///
  /// - Parameter date: A date such as `2026-03-29`, with a year from 0000 to 9999.
  /// - Throws: `EngineError`: `invalidArgument`.
  public static func day(_ date: String) throws(EngineError) -> Self {
    guard let days = daysSince1970(date) else {
      throw EngineError(
        .invalidArgument, "\(quoted(date)) is not a day; expected, for example, \"2026-03-29\"")
    }
    let start = days * 86_400_000
    return Timestamp(milliseconds: start)..<Timestamp(milliseconds: start + 86_400_001)
  }
}

/// The number of days from 1970-01-01 to a date; `nil` if the calendar has no such date.
private func daysSince1970(_ date: String) -> Int64? {
  let parts = date.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
  guard parts.map(\.count) == [4, 2, 2],
    parts.allSatisfy({ $0.allSatisfy { 0x30...0x39 ~= $0 } }),
    let year = Int64(Substring(parts[0])), let month = Int64(Substring(parts[1])),
    let day = Int64(Substring(parts[2])), 1...12 ~= month, day >= 1
  else { return nil }
  let days = daysSince1970(year, month) + day - 1
  return days < daysSince1970(year, month + 1) ? days : nil
}

/// The number of days from 1970-01-01 to the first day of a month; 13 is the next January.
///
/// This is `days_from_civil` of https://howardhinnant.github.io/date_algorithms.html: a year begins
/// in March, so that a leap day is its last day. 400 years, which have 146,097 days, are added so
/// that no number is negative.
private func daysSince1970(_ year: Int64, _ month: Int64) -> Int64 {
  let year = (month <= 2 ? year - 1 : year) + 400
  let month = month <= 2 ? month + 9 : month - 3
  return year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 - 719_468 - 146_097
}
