import Testing

@testable import ProductSupport

@Suite struct RFC3339Tests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0),
    ("1970-01-01T00:00:00.001Z", 1),
    ("1969-12-31T23:59:59.999Z", -1),
    ("1970-01-01T00:00:00.0019999Z", 1),
    ("1970-01-01T00:00:00.1Z", 100),
    ("1970-01-01t00:00:00z", 0),
    ("1970-01-01T01:00:00+01:00", 0),
    ("1969-12-31T19:30:00-04:30", 0),
    ("1970-01-01T00:00:00-00:00", 0),
    // The examples of RFC 3339, section 5.8.
    ("1985-04-12T23:20:50.52Z", 482_196_050_520),
    ("1996-12-19T16:39:57-08:00", 851_042_397_000),
    ("1990-12-31T23:59:60Z", 662_688_000_000),
    ("1990-12-31T15:59:60-08:00", 662_688_000_000),
    ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130),
    ("2016-12-31T23:59:60.5Z", 1_483_228_800_500),
    ("2000-02-29T00:00:00Z", 951_782_400_000),
    ("0000-01-01T00:00:00Z", -62_167_219_200_000),
    ("0000-01-01T00:00:00+23:59", -62_167_305_540_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ("9999-12-31T23:59:59.999-23:59", 253_402_387_139_999),
  ])
  func timesAreParsed(_ text: String, _ milliseconds: Int64) throws {
    #expect(try DateOrTime(text) == .time(Timestamp(milliseconds: milliseconds)))
  }

  @Test(arguments: [
    ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("0000-01-01", -719_528),
    ("9999-12-31", 2_932_896), ("0000-02-29", -719_469),
  ])
  func datesAreParsed(_ text: String, _ days: Int64) throws {
    #expect(try DateOrTime(text) == .date(CalendarDate(daysSince1970: days)))
  }

  @Test(arguments: [
    ("", 1, "the year must have 4 digits"),
    ("yesterday", 1, "the year must have 4 digits"),
    ("12-01-01", 3, "the year must have 4 digits"),
    ("+2026-01-01", 1, "the year must have 4 digits"),
    ("-001-01-01", 1, "the year must have 4 digits"),
    ("20260329", 5, #"the year must be followed by "-""#),
    ("2026/03/29", 5, #"the year must be followed by "-""#),
    ("2026-3-29", 7, "the month must have 2 digits"),
    ("2026-00-01", 6, "the month must be 01 to 12"),
    ("2026-13-01", 6, "the month must be 01 to 12"),
    ("2026-03", 8, #"the month must be followed by "-""#),
    ("2026-03-00", 9, "the day must be 01 to 31"),
    ("2026-04-31", 9, "the day must be 01 to 30"),
    ("2026-02-29", 9, "the day must be 01 to 28"),
    ("2024-02-30", 9, "the day must be 01 to 29"),
    ("1900-02-29", 9, "the day must be 01 to 28"),
    ("2026-03-29 08:30:00Z", 11, #"a time must begin with "T""#),
    ("2026-03-29Z", 11, #"a time must begin with "T""#),
    ("2026-03-29T", 12, "the hour must have 2 digits"),
    ("2026-03-29T24:00:00Z", 12, "the hour must be 00 to 23"),
    ("2026-03-29T08", 14, #"the hour must be followed by ":""#),
    ("2026-03-29T08:60:00Z", 15, "the minute must be 00 to 59"),
    ("2026-03-29T08:30Z", 17, #"the minute must be followed by ":""#),
    ("2026-03-29T08:30:61Z", 18, "the second must be 00 to 60"),
    ("2026-03-31T23:58:60Z", 18, "the second 60 exists only at the end of a month in UTC"),
    ("2026-03-30T23:59:60Z", 18, "the second 60 exists only at the end of a month in UTC"),
    ("1990-12-31T23:59:60-08:00", 18, "the second 60 exists only at the end of a month in UTC"),
    ("2026-03-29T08:30:00.Z", 21, "the fraction must have digits"),
    (
      "2026-03-29T08:30:00,5Z", 20,
      #"the offset from UTC must be "Z" or a form such as "+02:00""#
    ),
    ("2026-03-29T08:30:00", 20, #"the offset from UTC must be "Z" or a form such as "+02:00""#),
    ("2026-03-29T08:30:00+24:00", 21, "the hours of the offset must be 00 to 23"),
    ("2026-03-29T08:30:00+0200", 23, #"the hours of the offset must be followed by ":""#),
    ("2026-03-29T08:30:00+02:60", 24, "the minutes of the offset must be 00 to 59"),
    ("2026-03-29T08:30:00+02:0", 25, "the minutes of the offset must have 2 digits"),
    ("2026-03-29T08:30:00Z ", 21, "the text must end here"),
    ("2026-03-29T08:30:0０Z", 19, "the second must have 2 digits"),
    ("2026-03-2\u{301}9", 10, "the day must have 2 digits"),
  ])
  func otherTextsAreRejected(_ text: String, _ position: Int, _ reason: String) {
    #expect(throws: DateError(text: text, position: position, reason: reason)) {
      try DateOrTime(text)
    }
  }

  @Test func anErrorQuotesTheText() {
    let error = #expect(throws: DateError.self) { try DateOrTime("2026-13-01") }
    #expect(
      error?.description == """
        "2026-13-01" is not a date or time of RFC 3339: at character 6, the month must be 01 to 12; \
        expected, for example, "2026-03-29" or "2026-03-29T08:30:00Z"
        """)
  }

  @Test func noTextTraps() {
    let text = Array("2016-12-31T23:59:60.123456789+23:59".utf8)
    for index in text.indices {
      _ = try? DateOrTime(String(decoding: text[..<index], as: UTF8.self))
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[index] = byte
        _ = try? DateOrTime(String(decoding: changed, as: UTF8.self))
      }
    }
    let fraction = String(repeating: "9", count: 100_000)
    #expect(
      try! DateOrTime("1970-01-01T00:00:00.\(fraction)Z") == .time(Timestamp(milliseconds: 999)))
  }
}
