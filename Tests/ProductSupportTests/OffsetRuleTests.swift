import Testing

@testable import ProductSupport

@Suite struct OffsetRuleTests {
  /// The offset at a time, in seconds.
  @Test(arguments: [
    ("UTC0", "2026-07-01T00:00:00Z", 0),
    ("EST5", "2026-07-01T00:00:00Z", -18_000),
    ("<+0330>-3:30", "2026-07-01T00:00:00Z", 12_600),
    ("<-03>+3", "2026-07-01T00:00:00Z", -10_800),
    ("LMT0:1:15", "2026-07-01T00:00:00Z", -75),
    // Mm.w.d: from the last Sunday of March, 02:00, to the last Sunday of October, 03:00.
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T00:59:59Z", 3_600),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", 7_200),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T00:59:59Z", 7_200),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00Z", 3_600),
    // Without dates: those of the United States.
    ("EST5EDT", "2026-03-08T06:59:59Z", -18_000),
    ("EST5EDT", "2026-03-08T07:00:00Z", -14_400),
    ("EST5EDT", "2026-11-01T06:00:00Z", -18_000),
    ("EST5EDT4,M3.2.0,M11.1.0", "2026-07-01T00:00:00Z", -14_400),
    // The southern hemisphere: summer time at the turn of the year.
    ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-01-01T00:00:00Z", 46_800),
    ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2026-07-01T00:00:00Z", 43_200),
    // Summer time is less than standard time, in winter.
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-01T00:00:00Z", 0),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01T00:00:00Z", 3_600),
    // Hours beyond a day: Thursday 26:00 is Friday 02:00, and Sunday -01:00 is Saturday 23:00.
    ("IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-26T23:59:59Z", 7_200),
    ("IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-27T00:00:00Z", 10_800),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7_200),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3_600),
    ("AAA0BBB,J1/-167,J300", "2026-12-25T00:59:59Z", 0),
    ("AAA0BBB,J1/-167,J300", "2026-12-25T01:00:00Z", 3_600),
    ("AAA0BBB,J60,J365/167", "2027-01-06T21:59:59Z", 3_600),
    ("AAA0BBB,J60,J365/167", "2027-01-06T22:00:00Z", 0),
    // Jn: day 60 is always March 1. n: day 59 is February 29 in a leap year.
    ("AAA0BBB,J60/0,J300", "2024-02-29T23:59:59Z", 0),
    ("AAA0BBB,J60/0,J300", "2024-03-01T00:00:00Z", 3_600),
    ("AAA0BBB,J60/0,J300", "2026-02-28T23:59:59Z", 0),
    ("AAA0BBB,J60/0,J300", "2026-03-01T00:00:00Z", 3_600),
    ("AAA0BBB,J59/0,J300", "2024-02-28T00:00:00Z", 3_600),
    ("AAA0BBB,59/0,300", "2024-02-28T23:59:59Z", 0),
    ("AAA0BBB,59/0,300", "2024-02-29T00:00:00Z", 3_600),
    ("AAA0BBB,59/0,300", "2026-02-28T23:59:59Z", 0),
    ("AAA0BBB,59/0,300", "2026-03-01T00:00:00Z", 3_600),
    // Summer time all year: RFC 9636, section 3.3.1.
    ("XXX3EDT4,0/0,J365/23", "2026-01-01T02:59:59Z", -14_400),
    ("XXX3EDT4,0/0,J365/23", "2026-01-01T03:00:00Z", -14_400),
    ("XXX3EDT4,0/0,J365/23", "2026-07-01T00:00:00Z", -14_400),
    ("XXX3EDT4,0/0,J365/23", "2026-12-31T23:59:59Z", -14_400),
  ])
  func rulesGiveOffsets(_ text: String, _ time: String, _ offset: Int64) throws {
    let rule = try #require(OffsetRule(text))
    guard case .time(let time) = try DateOrTime(time) else { throw TimeZoneError.unknown(time) }
    #expect(rule.segment(at: time.milliseconds / 1_000).offset == offset)
  }

  @Test(arguments: [
    "", "0", "UTC", "UT0", "U1C0", "<UTC0", "<U>0", "UTC25", "UTC-25", "UTC0:60", "UTC0:0:60",
    "UTC0:", "UTC0001", "UTC+-1", "UTC0x", "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,",
    "CET-1CEST,M0.5.0,M10.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.0.0,M10.5.0",
    "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5,M10.5.0",
    "CET-1CEST,J0,J1", "CET-1CEST,J366,J1", "CET-1CEST,366,1", "CET-1CEST,M3.5.0/168,M10.5.0",
    "CET-1CEST,M3.5.0/,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0,", "Europe/Berlin", "ÄÖÜ0",
    "CET-99999999999999999999",
  ])
  func otherTextsAreNoRules(_ text: String) {
    #expect(OffsetRule(text) == nil)
  }

  @Test func periodsFollowEachOther() throws {
    for text in ["CET-1CEST,M3.5.0,M10.5.0/3", "NZST-12NZDT,M9.5.0,M4.1.0/3"] {
      let rule = try #require(OffsetRule(text))
      for start: Int64 in [
        -.max / 1_000, -62_167_219_200, 0, 253_402_300_799, .max / 1_000 - 1 << 32,
      ] {
        var segment = rule.segment(at: start)
        for _ in 0..<10 {
          let end = try #require(segment.end)
          #expect(rule.segment(at: end - 1).offset == segment.offset)
          segment = rule.segment(at: end)
          #expect(segment.start == end)
        }
      }
    }
  }
}
