/// A rule for offsets that repeats each year: the value of the POSIX variable TZ, with the
/// extension of RFC 9636, section 3.3.2, that hours may be from -167 to 167.
struct OffsetRule: Hashable, Sendable {
  let standardOffset: Int64
  var daylight: Daylight?

  /// The summer time of a rule.
  struct Daylight: Hashable, Sendable {
    let offset: Int64

    /// When it begins, in standard time, and when it ends, in summer time.
    let start, end: Date
  }

  /// A time of each year.
  struct Date: Hashable, Sendable {
    let day: Day

    /// Seconds after midnight; may be on another day.
    let time: Int64
  }

  /// A day of each year.
  enum Day: Hashable, Sendable {
    /// `Jn`: a day from 1 to 365; February 29 is not counted.
    case withoutLeapDay(Int64)
    /// `n`: a day from 0 to 365; February 29 is counted.
    case withLeapDay(Int64)
    /// `Mm.w.d`: the `w`th time that the day of the week `d`, 0 for Sunday, occurs in the month
    /// `m`; the last time if `w` is 5.
    case weekday(Int64, week: Int64, month: Int64)
  }
}

extension OffsetRule {
  /// The period of one offset that contains this second.
  func segment(at second: Int64) -> OffsetChanges.Segment {
    guard let daylight = self.daylight else {
      return .init(start: .min, offset: self.standardOffset, end: nil)
    }
    // The latest change can be that of an earlier year: times can be a week before or after their
    // day, and both changes of a year can be at its end.
    let year = CalendarDate(daysSince1970: floorDivide(second, by: 86_400).quotient).components.year
    var changes: [Change] = []
    for year in year - 2...year + 2 {
      let start = daylight.start.second(of: year) - self.standardOffset
      let end = daylight.end.second(of: year) - daylight.offset
      changes.append(Change(time: start, number: changes.count, offset: daylight.offset))
      changes.append(Change(time: end, number: changes.count, offset: self.standardOffset))
    }
    changes.sort()
    let next = changes.firstIndex { $0.time > second } ?? changes.endIndex
    let last = next > 0 ? changes[next - 1] : nil
    return .init(
      start: last?.time ?? .min, offset: last?.offset ?? self.standardOffset,
      end: next < changes.count ? changes[next].time : nil)
  }

  /// A change of the offset.
  private struct Change: Comparable {
    let time: Int64

    /// The order of changes at the same time. If summer time begins when that of the previous year
    /// ends, it lasts all year.
    let number: Int

    let offset: Int64

    static func < (left: Self, right: Self) -> Bool {
      (left.time, left.number) < (right.time, right.number)
    }
  }
}

extension OffsetRule.Date {
  /// The seconds from 1970 to this time of the year, in local time.
  fileprivate func second(of year: Int64) -> Int64 {
    self.day.date(in: year) * 86_400 + self.time
  }
}

extension OffsetRule.Day {
  /// The days from 1970 to this day of the year.
  fileprivate func date(in year: Int64) -> Int64 {
    switch self {
    case .withLeapDay(let day):
      return self.date(year, 1) + day
    case .withoutLeapDay(let day):
      return self.date(year, 1) + day - (CalendarDate.isLeap(year) && day >= 60 ? 0 : 1)
    case .weekday(let weekday, let week, let month):
      let first = self.date(year, month)
      // 1970-01-01 was a Thursday.
      let weekdayOfFirst = floorDivide(first + 4, by: 7).remainder
      let day = floorDivide(weekday - weekdayOfFirst, by: 7).remainder + (week - 1) * 7
      return first + (day < CalendarDate.dayCount(year: year, month: month) ? day : day - 7)
    }
  }

  private func date(_ year: Int64, _ month: Int64) -> Int64 {
    CalendarDate(year: year, month: month, day: 1)?.daysSince1970 ?? 0
  }
}
