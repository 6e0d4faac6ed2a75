import ImmutableJSON

/// An argument that means a day or a point in time, in the form of RFC 3339.
package enum DateOrTime: Hashable, Sendable {
  /// A `full-date`: `2026-03-29`.
  case date(CalendarDate)

  /// A `date-time`: `2026-03-29T08:30:00Z`, `2026-03-29t10:30:00.25+02:00`.
  case time(Timestamp)
}

extension DateOrTime {
  /// Parses a date or a time of RFC 3339, with years from 0000 to 9999. O(n).
  ///
  /// Digits of a fraction after the third are dropped. The second 60 is accepted in the last minute
  /// of a month in UTC, where leap seconds are inserted; it is the first second of the next month,
  /// because POSIX counts no leap seconds.
  ///
  /// - Throws: `DateError` if the text has another form, or the calendar or clock has no such date
  ///   or time.
  package init(_ text: String) throws(DateError) {
    var parser = RFC3339Parser(text)
    let date = try parser.date()
    if parser.isAtEnd {
      self = .date(date)
    } else {
      self = .time(try parser.time(on: date))
    }
  }
}

/// Text that is neither a date nor a time of RFC 3339.
package struct DateError: Error, Hashable, CustomStringConvertible {
  package let text: String

  /// The character at which the error is, counted from 1.
  package let position: Int

  package let reason: String

  package var description: String {
    "\(quoted(self.text)) is not a date or time of RFC 3339: at character \(self.position), "
      + "\(self.reason); expected, for example, \"2026-03-29\" or \"2026-03-29T08:30:00Z\""
  }
}
