import Testing

@testable import ProductSupport

@Suite struct TimeZoneTests {
  /// The start of a day and of the next one, in UTC.
  @Test(arguments: [
    ("UTC", "2026-03-29", "2026-03-29T00:00:00.000Z", "2026-03-30T00:00:00.000Z"),
    ("Europe/Berlin", "2026-01-15", "2026-01-14T23:00:00.000Z", "2026-01-15T23:00:00.000Z"),
    // Days of 23 and 25 hours.
    ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"),
    ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"),
    // Half an hour.
    (
      "Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00.000Z",
      "2026-04-05T13:30:00.000Z"
    ),
    // Offsets of 45 minutes.
    ("Asia/Kathmandu", "2026-01-01", "2025-12-31T18:15:00.000Z", "2026-01-01T18:15:00.000Z"),
    ("Pacific/Chatham", "2026-01-01", "2025-12-31T10:15:00.000Z", "2026-01-01T10:15:00.000Z"),
    // Midnight is skipped: the day starts at 01:00.
    ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z", "2018-11-05T02:00:00.000Z"),
    ("Asia/Beirut", "2022-03-27", "2022-03-26T22:00:00.000Z", "2022-03-27T21:00:00.000Z"),
    // Midnight is repeated: the day starts with the first.
    ("America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z", "2026-11-02T05:00:00.000Z"),
    // At 00:01 clocks go back to 23:01 of the day before.
    (
      "America/St_Johns", "2010-11-07", "2010-11-07T02:30:00.000Z", "2010-11-08T03:30:00.000Z"
    ),
    ("America/St_Johns", "2010-11-06", "2010-11-06T02:30:00.000Z", "2010-11-07T02:30:00.000Z"),
    // The day was skipped.
    ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00.000Z", "2011-12-30T10:00:00.000Z"),
    ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z", "2011-12-30T10:00:00.000Z"),
    ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00.000Z", "2011-12-31T10:00:00.000Z"),
    // The day lasted 47 hours: it came before and after the International Date Line moved.
    (
      "Pacific/Kwajalein", "1969-09-30", "1969-09-29T13:00:00.000Z", "1969-10-01T12:00:00.000Z"
    ),
    // After the table: by the rule.
    ("Europe/Berlin", "9999-07-01", "9999-06-30T22:00:00.000Z", "9999-07-01T22:00:00.000Z"),
    ("Europe/Dublin", "2050-07-01", "2050-06-30T23:00:00.000Z", "2050-07-01T23:00:00.000Z"),
    ("America/Santiago", "2050-01-01", "2050-01-01T03:00:00.000Z", "2050-01-02T03:00:00.000Z"),
    // Before the table: local mean time.
    ("Europe/Berlin", "0000-01-01", "-000001-12-31T23:06:32.000Z", "0000-01-01T23:06:32.000Z"),
  ])
  func daysStartAndEnd(_ name: String, _ date: String, _ start: String, _ end: String) throws {
    guard case .date(let date) = try DateOrTime(date) else { throw TimeZoneError.unknown(date) }
    let day = try TimeZone.named(name).day(date)
    #expect(day.lowerBound.description == start)
    #expect(day.upperBound.description == end)
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-28T23:00:00.000Z"),
    ("Europe/Berlin", "2026-03-29T21:59:59.999Z", "2026-03-28T23:00:00.000Z"),
    ("Europe/Berlin", "2026-03-29T22:00:00Z", "2026-03-29T22:00:00.000Z"),
    ("America/Sao_Paulo", "2018-11-04T02:59:59.999Z", "2018-11-03T03:00:00.000Z"),
    ("America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-04T03:00:00.000Z"),
    ("Pacific/Apia", "2011-12-30T09:59:59.999Z", "2011-12-29T10:00:00.000Z"),
    ("Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-30T10:00:00.000Z"),
    // It is 23:30 of the day before again, but the day has begun.
    ("America/St_Johns", "2010-11-07T03:00:00Z", "2010-11-07T02:30:00.000Z"),
    ("UTC", "1969-12-31T23:59:59.999Z", "1969-12-31T00:00:00.000Z"),
  ])
  func everyTimeIsInADay(_ name: String, _ time: String, _ start: String) throws {
    guard case .time(let time) = try DateOrTime(time) else { throw TimeZoneError.unknown(time) }
    let day = try TimeZone.named(name).day(at: time)
    #expect(day.lowerBound.description == start)
    #expect(day.contains(time))
  }

  @Test func noTimeTraps() throws {
    let times: [Int64] = [.min, .min + 1, -86_400_000, 0, 86_400_000, .max - 1, .max]
    for name in ["UTC", "Europe/Berlin", "Pacific/Apia", "America/Santiago"] {
      let zone = try TimeZone.named(name)
      for number in times {
        let day = zone.day(at: Timestamp(milliseconds: number))
        #expect(day.lowerBound.milliseconds <= number && number <= day.upperBound.milliseconds)
        let date = zone.day(CalendarDate(daysSince1970: number))
        #expect(date.lowerBound <= date.upperBound)
      }
    }
  }

  @Test func zonesAreEqualByNameAndOffsets() throws {
    let berlin = try TimeZone.named("Europe/Berlin")
    #expect(try TimeZone.named("Europe/Berlin") == berlin)
    #expect(try TimeZone.named("Europe/Paris") != berlin)
    #expect(TimeZone(name: "Europe/Berlin", changes: TimeZone.utc.changes) != berlin)
  }
}
