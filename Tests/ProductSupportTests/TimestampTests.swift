import ImmutableJSON
import ProductSupport
import TestSupport
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"),
    (-1, "1969-12-31T23:59:59.999Z"),
    (482_196_050_520, "1985-04-12T23:20:50.520Z"),
    (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
    (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
    (.max, "+292278994-08-17T07:12:55.807Z"),
    (.min, "-292275055-05-16T16:47:04.192Z"),
  ])
  func aTimeIsWrittenInUTC(_ milliseconds: Int64, _ text: String) {
    #expect(Timestamp(milliseconds: milliseconds).description == text)
  }

  @Test func whatIsWrittenIsParsed() throws {
    var generator = SeededGenerator(1)
    for _ in 0..<10_000 {
      let time = Timestamp(
        milliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &generator))
      #expect(try DateOrTime(time.description) == .time(time))
    }
  }

  @Test func aTimeIsANumberInJSON() throws {
    let time = Timestamp(milliseconds: 482_196_050_520)
    #expect(try Value(encoding: time) == 482_196_050_520)
    #expect(try Value(482_196_050_520).decode(Timestamp.self) == time)
    #expect(throws: DecodingError.self) { try Value("1985").decode(Timestamp.self) }
    #expect(throws: DecodingError.self) { try Value(1.5).decode(Timestamp.self) }
  }
}

@Suite struct CalendarDateTests {
  /// Counts days and leap years one after the other, from 0000-01-01 to 4000-12-31.
  @Test func datesAreThoseOfTheCalendar() {
    var days: Int64 = -719_528
    for year: Int64 in 0...4_000 {
      let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
      let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in zip(1..., lengths) {
        for day in [1, length] {
          let date = CalendarDate(daysSince1970: days + day - 1)
          #expect(date.components == (year, Int64(month), day))
          #expect(CalendarDate(year: year, month: Int64(month), day: day) == date)
        }
        #expect(CalendarDate(year: year, month: Int64(month), day: length + 1) == nil)
        days += length
      }
    }
  }

  @Test func noNumberTraps() {
    for number: Int64 in [.min, .min + 1, -1, 0, 1, .max - 1, .max] {
      _ = CalendarDate(daysSince1970: number).description
      #expect(CalendarDate(year: number, month: number, day: number) == nil || number == 1)
    }
    #expect(CalendarDate(year: 999_999_999, month: 12, day: 31)?.description == "+999999999-12-31")
  }

  @Test func datesAreOrdered() {
    #expect(CalendarDate(daysSince1970: -1) < CalendarDate(daysSince1970: 0))
    #expect(CalendarDate(daysSince1970: -1).description == "1969-12-31")
  }
}
