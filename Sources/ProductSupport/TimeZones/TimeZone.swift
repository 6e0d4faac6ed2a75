/// A time zone: the offsets of its local time from UTC, and when they change.
package struct TimeZone: Sendable {
  /// The name in the IANA time zone database, for example `Europe/Berlin`. The zone of the system
  /// can also be named by a rule, such as `CET-1CEST,M3.5.0,M10.5.0/3`, or by the path of a file.
  package let name: String

  let changes: OffsetChanges

  package static let utc = TimeZone(name: "UTC", changes: OffsetChanges(initialOffset: 0))
}

extension TimeZone: Hashable {
  package func hash(into hasher: inout Hasher) {
    hasher.combine(self.name)
  }
}

extension TimeZone {
  /// The number of seconds that local time is ahead of UTC. O(log n) in the number of changes.
  package func offset(at time: Timestamp) -> Int64 {
    self.changes.segment(at: floorDivide(time.milliseconds, by: 1_000).quotient).offset
  }

  /// The day that contains a point in time, from its start to the start of the next day.
  ///
  /// Every point in time is in exactly one day. If clocks go back across midnight, the repeated
  /// time belongs to the day that has begun already.
  package func day(at time: Timestamp) -> Range<Timestamp> {
    let second = floorDivide(time.milliseconds, by: 1_000).quotient
    let local = second + self.changes.segment(at: second).offset
    let date = CalendarDate(daysSince1970: floorDivide(local, by: 86_400).quotient)
    let day = self.day(date)
    return time < day.upperBound
      ? day : self.day(CalendarDate(daysSince1970: date.daysSince1970 + 1))
  }

  /// The day with this date, from its start to the start of the next day.
  ///
  /// A day starts when the local date reaches or passes its date for the first time: usually at
  /// midnight. If midnight is skipped, that is the first time after it; if it is repeated, the
  /// first of the two. The range of a date that the zone skipped is empty.
  package func day(_ date: CalendarDate) -> Range<Timestamp> {
    // Clamped, so that nothing overflows. A `Timestamp` is at most about 10¹¹ days from 1970.
    let days = max(-1 << 40, min(date.daysSince1970, 1 << 40))
    let start = self.start(ofDay: days)
    return start..<max(start, self.start(ofDay: days + 1))
  }

  private func start(ofDay days: Int64) -> Timestamp {
    let midnight = days * 86_400
    // Local time is at most 26 hours ahead of UTC, so the day does not start before this second.
    var segment = self.changes.segment(at: midnight - OffsetChanges.maximumOffset)
    while let end = segment.end, end <= midnight - segment.offset {
      segment = self.changes.segment(at: end)
    }
    let (milliseconds, overflow) =
      max(segment.start, midnight - segment.offset).multipliedReportingOverflow(by: 1_000)
    if overflow { return Timestamp(milliseconds: midnight < 0 ? .min : .max) }
    return Timestamp(milliseconds: milliseconds)
  }
}
