/// Parses dates and times by the grammar of RFC 3339, section 5.6.
struct RFC3339Parser {
  private let text: String
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    self.text = text
    self.bytes = Array(text.utf8)
  }
}

extension RFC3339Parser {
  var isAtEnd: Bool {
    self.position == self.bytes.count
  }

  /// Parses a `full-date`.
  mutating func date() throws(DateError) -> CalendarDate {
    let year = try self.number(digits: 4, "the year")
    try self.expect("-", after: "the year")
    let month = try self.number(digits: 2, "the month", 1...12)
    try self.expect("-", after: "the month")
    let start = self.position
    let day = try self.number(digits: 2, "the day")
    guard let date = CalendarDate(year: year, month: month, day: day) else {
      let count = CalendarDate.dayCount(year: year, month: month)
      throw self.error("the day must be 01 to \(count)", at: start)
    }
    return date
  }

  /// Parses what follows the date of a `date-time`.
  mutating func time(on date: CalendarDate) throws(DateError) -> Timestamp {
    guard self.skip("T") || self.skip("t") else {
      throw self.error("a time must begin with \"T\"")
    }
    let hour = try self.number(digits: 2, "the hour", 0...23)
    try self.expect(":", after: "the hour")
    let minute = try self.number(digits: 2, "the minute", 0...59)
    try self.expect(":", after: "the minute")
    let startOfSecond = self.position
    let second = try self.number(digits: 2, "the second", 0...60)
    let millisecond = try self.fraction()
    let offset = try self.offset()
    guard self.isAtEnd else { throw self.error("the text must end here") }
    let minutes = date.daysSince1970 * 1_440 + hour * 60 + minute - offset
    if second == 60, !Self.isLastMinuteOfMonth(minutes) {
      throw self.error("the second 60 exists only at the end of a month in UTC", at: startOfSecond)
    }
    return Timestamp(milliseconds: (minutes * 60 + second) * 1_000 + millisecond)
  }

  /// Parses an optional fraction of a second. Returns its milliseconds.
  private mutating func fraction() throws(DateError) -> Int64 {
    guard self.skip(".") else { return 0 }
    let start = self.position
    var milliseconds: Int64 = 0
    while let digit = self.digit() {
      let scale: Int64 =
        switch self.position - start {
        case 1: 100
        case 2: 10
        case 3: 1
        default: 0
        }
      milliseconds += digit * scale
    }
    guard self.position > start else { throw self.error("the fraction must have digits") }
    return milliseconds
  }

  /// Parses a `time-offset`. Returns the number of minutes that local time is ahead of UTC.
  private mutating func offset() throws(DateError) -> Int64 {
    if self.skip("Z") || self.skip("z") { return 0 }
    let isNegative = self.skip("-")
    guard isNegative || self.skip("+") else {
      throw self.error("the offset from UTC must be \"Z\" or a form such as \"+02:00\"")
    }
    let hours = try self.number(digits: 2, "the hours of the offset", 0...23)
    try self.expect(":", after: "the hours of the offset")
    let minutes = hours * 60 + (try self.number(digits: 2, "the minutes of the offset", 0...59))
    return isNegative ? -minutes : minutes
  }

  /// Whether the next minute begins a month in UTC.
  private static func isLastMinuteOfMonth(_ minutes: Int64) -> Bool {
    let (days, minute) = floorDivide(minutes + 1, by: 1_440)
    return minute == 0 && CalendarDate(daysSince1970: days).components.day == 1
  }
}

extension RFC3339Parser {
  /// Parses a number with this many digits.
  private mutating func number(
    digits count: Int, _ name: String, _ range: ClosedRange<Int64>? = nil
  ) throws(DateError) -> Int64 {
    let start = self.position
    var number: Int64 = 0
    while self.position < start + count {
      guard let digit = self.digit() else {
        throw self.error("\(name) must have \(count) digits")
      }
      number = number * 10 + digit
    }
    if let range, !range.contains(number) {
      let (low, high) = (range.lowerBound, range.upperBound)
      throw self.error("\(name) must be 0\(low) to \(high)", at: start)
    }
    return number
  }

  private mutating func digit() -> Int64? {
    guard !self.isAtEnd, 0x30...0x39 ~= self.bytes[self.position] else { return nil }
    defer { self.position += 1 }
    return Int64(self.bytes[self.position] - 0x30)
  }

  /// Skips this character, if it is the next one.
  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard !self.isAtEnd, self.bytes[self.position] == UInt8(ascii: character) else { return false }
    self.position += 1
    return true
  }

  private mutating func expect(
    _ character: Unicode.Scalar, after name: String
  ) throws(DateError) {
    guard self.skip(character) else {
      throw self.error("\(name) must be followed by \"\(character)\"")
    }
  }

  private func error(_ reason: String, at position: Int? = nil) -> DateError {
    DateError(text: self.text, position: (position ?? self.position) + 1, reason: reason)
  }
}
