/// A day of the proleptic Gregorian calendar: today's rules, applied to all years. Year 0 is the
/// year before year 1.
package struct CalendarDate: Hashable, Sendable {
  /// The number of days since 1970-01-01; negative before it.
  package let daysSince1970: Int64

  package init(daysSince1970: Int64) {
    self.daysSince1970 = daysSince1970
  }

  /// The day with this year, month and day of the month; `nil` if the calendar has no such day, or
  /// the year is not in -999,999,999 ... 999,999,999.
  package init?(year: Int64, month: Int64, day: Int64) {
    guard -999_999_999...999_999_999 ~= year, 1...12 ~= month,
      1...Self.dayCount(year: year, month: month) ~= day
    else { return nil }
    self.daysSince1970 = Self.days(year: year, month: month, day: day)
  }
}

extension CalendarDate: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    left.daysSince1970 < right.daysSince1970
  }
}

// The algorithms of Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms",
// https://howardhinnant.github.io/date_algorithms.html. A year begins in March here, so that a leap
// day is its last day. The pattern of leap years repeats in eras of 400 years.
extension CalendarDate {
  private static let daysOfEra: Int64 = 146_097

  /// The number of days from 0000-03-01, the first day of era 0, to 1970-01-01.
  private static let daysTo1970: Int64 = 719_468

  /// The year, the month and the day of the month, both from 1.
  package var components: (year: Int64, month: Int64, day: Int64) {
    // Clamped, so that nothing overflows. A `Timestamp` is at most about 10¹¹ days from 1970.
    let days = max(-1 << 40, min(self.daysSince1970, 1 << 40)) + Self.daysTo1970
    let era = floorDivide(days, by: Self.daysOfEra).quotient
    let dayOfEra = days - era * Self.daysOfEra
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
  }

  /// The year must be in the range that the initializer accepts.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let (era, yearOfEra) = floorDivide(month <= 2 ? year - 1 : year, by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Self.daysOfEra + dayOfEra - Self.daysTo1970
  }

  /// The number of days of a month from 1 to 12.
  package static func dayCount(year: Int64, month: Int64) -> Int64 {
    switch month {
    case 2: self.isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  package static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }
}

/// Divides with a remainder that is never negative. The divisor must be positive.
func floorDivide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
  let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}
