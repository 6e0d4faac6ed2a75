import ImmutableData
import ImmutableJSON
import ProductSupport
import Testing

@testable import QuakesData
@testable import StateEngine

@Suite struct SelectorTests {
  /// The ids that `selectQuakesValues` returns, and the message of an error.
  private func select(_ quakes: [String], _ arguments: Value) throws -> String {
    let data = try quakes.map { text in
      guard case .string(let id)? = try Value(json: text)["quakeId"] else { return ("", text) }
      return (id, text)
    }
    let store = try AnyStore.quakes(state(Dictionary(uniqueKeysWithValues: data)))
    do {
      guard case .array(let values) = try store.select("selectQuakesValues", arguments)
      else { return "not an array" }
      guard case .object(let members) = try store.select("selectQuakes", arguments.search)
      else { return "not an object" }
      #expect(members.count == values.count)
      #expect(values.allSatisfy { members[$0["quakeId"]?.text ?? ""] == $0 })
      return values.map { $0["quakeId"]?.text ?? "" }.joined(separator: " ")
    } catch {
      return error.message
    }
  }

  // MARK: Text

  @Test(arguments: [
    ("", "1 2 3"), ("West", "1 2"), ("west", "3"), ("West of California", "1"), ("of", "1 3"),
    (" ", "1 2 3"), ("West ", "1 2"), ("é", ""), ("e\u{301}", "2"), ("California!", ""),
  ])
  func namesContainTheTextByItsBytes(_ text: String, _ ids: String) throws {
    let quakes = [
      quake("1", name: "West of California"), quake("2", name: "West Ile\u{301}"),
      quake("3", name: "the west of 東京"),
    ]
    let arguments: Value = [
      "searchText": .string(text), "searchDate": "1970-01-01", "timeZone": "UTC",
    ]
    #expect(try self.select(quakes, arguments) == ids)
  }

  // MARK: Days

  /// 2025-11-21T00:00:00Z.
  private static let start: Int64 = 1_763_683_200_000

  private static func day(_ offset: Int64) -> String {
    quake("1", time: self.start + offset)
  }

  @Test(arguments: [
    (-1, false), (0, true), (1, true), (86_399_999, true), (86_400_000, true), (86_400_001, false),
  ])
  func theEndOfADayIsIncluded(_ offset: Int64, _ isIncluded: Bool) throws {
    for date in ["2025-11-21", "2025-11-21T00:00:00Z", "2025-11-21T23:59:59.999Z"] {
      let ids = try self.select(
        [Self.day(offset)], ["searchDate": .string(date), "timeZone": "UTC"])
      #expect(ids == (isIncluded ? "1" : ""), "\(date)")
    }
  }

  /// The days on which clocks change have 23 and 25 hours.
  @Test(arguments: [
    // 2025-03-30 from 00:00 CET to 24:00 CEST.
    ("2025-03-30", "Europe/Berlin", 1_743_289_200_000, 23),
    ("2025-03-30T12:00:00+02:00", "Europe/Berlin", 1_743_289_200_000, 23),
    ("2025-03-29T23:30:00Z", "Europe/Berlin", 1_743_289_200_000, 23),
    // 2025-10-26 from 00:00 CEST to 24:00 CET.
    ("2025-10-26", "Europe/Berlin", 1_761_429_600_000, 25),
    ("2025-10-26T22:59:59Z", "Europe/Berlin", 1_761_429_600_000, 25),
    ("2025-11-21", "Asia/Kathmandu", 1_763_662_500_000, 24),
    ("2025-11-21", "America/Los_Angeles", 1_763_712_000_000, 24),
    // Clocks skip midnight, so the day begins at 01:00.
    ("2018-11-04", "America/Sao_Paulo", 1_541_300_400_000, 23),
  ])
  func aDayIsOneOfItsTimeZone(_ date: String, _ zone: String, _ start: Int64, _ hours: Int64) throws
  {
    let day = try SearchDay(date, timeZone: zone)
    #expect(day.times.lowerBound.milliseconds == start)
    #expect(day.times.upperBound.milliseconds == start + hours * 3_600_000)
    let end = start + hours * 3_600_000
    let quakes = [
      quake("0", time: start - 1), quake("1", time: start), quake("2", time: end),
      quake("3", time: end + 1),
    ]
    let arguments: Value = ["searchDate": .string(date), "timeZone": .string(zone)]
    #expect(try self.select(quakes, arguments) == "1 2")
  }

  @Test func theTimeZoneOfTheSystemIsTheDefault() throws {
    let system = try TimeZone.system
    #expect(
      try SearchDay("2025-11-21").times
        == SearchDay(DateOrTime("2025-11-21"), in: system).times)
    // It is a part of the arguments, hence of the key of the cached output.
    let selector = DomainSelector(
      try #require(QuakesDomain.selectors.first { $0.name == "selectQuakes" }))
    #expect(
      selector.completed(["searchDate": "2025-11-21"])
        == ["searchDate": "2025-11-21", "timeZone": .string(system.name)])
    #expect(
      selector.completed(["searchDate": "2025-11-21", "timeZone": "UTC"])
        == ["searchDate": "2025-11-21", "timeZone": "UTC"])
    #expect(selector.completed([1]) == [1])
    let store = try AnyStore.quakes(state())
    _ = try store.select("selectQuakes", ["searchDate": "2025-11-21"])
    _ = try store.select(
      "selectQuakes", ["searchDate": "2025-11-21", "timeZone": .string(system.name)])
    #expect(try store.statistics()["evaluations"] == 1)
  }

  // MARK: Sorting

  @Test(arguments: [
    ("time", "forward", "c a b d"), ("time", "reverse", "d a b c"),
    ("magnitude", "forward", "a b d c"), ("magnitude", "reverse", "c a b d"),
  ])
  func quakesAreSortedWithTiesById(_ sort: String, _ order: String, _ ids: String) throws {
    // The magnitudes 0.0 and −0.0 are equal.
    let quakes = [
      quake("a", magnitude: "0.0", time: 2), quake("b", magnitude: "-0.0", time: 2),
      quake("c", magnitude: "9.5", time: 1), quake("d", magnitude: "0.0", time: 3),
    ]
    let arguments: Value = [
      "searchDate": "1970-01-01", "timeZone": "UTC", "sort": .string(sort),
      "order": .string(order),
    ]
    #expect(try self.select(quakes, arguments) == ids)
  }

  @Test func tiesAreOrderedByTheBytesOfIds() throws {
    let ids = ["", "10", "9", "Z", "_", "a", "z", "Å", "é", "東"]
    let quakes = ids.map { quake($0) }.shuffled()
    for order in ["forward", "reverse"] {
      let arguments: Value = [
        "searchDate": "1970-01-01", "timeZone": "UTC", "order": .string(order),
      ]
      #expect(
        try self.select(quakes, arguments)
          == ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: " "))
    }
  }

  @Test func theDefaultIsByTimeForward() throws {
    let quakes = [quake("1", magnitude: "1.0", time: 2), quake("2", magnitude: "2.0", time: 1)]
    let arguments: Value = ["searchDate": "1970-01-01", "timeZone": "UTC"]
    #expect(try self.select(quakes, arguments) == "2 1")
  }

  // MARK: Others

  @Test func theOtherSelectors() throws {
    let store = try AnyStore.quakes(
      state(["1": quake("1"), "2": quake("2", time: 100_000_000)], status: failed))
    #expect(try store.select("selectQuakesCount") == 2)
    #expect(try store.select("selectQuakesStatus") == ["failure": ["error": "no"]])
    #expect(try store.select("selectQuake", ["quakeId": "1"]).json == quake("1"))
    #expect(try store.select("selectQuake", ["quakeId": "3"]) == .null)
    #expect(try store.select("selectQuake", ["quakeId": .null]) == .null)
    let error = #expect(throws: EngineError.self) { try store.select("selectQuake") }
    #expect(error?.message == #""selectQuake": arguments: the member "quakeId" is missing"#)
    #expect(try AnyStore.quakes(state()).select("selectQuakesStatus") == .null)
  }

  @Test(arguments: [
    (#"{}"#, #""selectQuakesValues": arguments: the member "searchDate" is missing"#),
    (
      #"{"searchDate":"2025-02-29"}"#,
      #""selectQuakesValues": arguments/searchDate: "2025-02-29" is not a date or time of RFC 3339: at character 9, the day must be 01 to 28; expected, for example, "2026-03-29" or "2026-03-29T08:30:00Z""#
    ),
    (
      #"{"searchDate":7}"#,
      #""selectQuakesValues": arguments/searchDate: expected a string, found an integer"#
    ),
    (
      #"{"searchDate":"2025-11-21","timeZone":"Europe/Atlantis"}"#,
      #""selectQuakesValues": arguments/timeZone: unknown time zone "Europe/Atlantis"; expected a name of the IANA time zone database, for example "Europe/Berlin""#
    ),
    (
      #"{"searchDate":"2025-11-21","timeZone":"right/Europe/Berlin"}"#,
      #""selectQuakesValues": arguments/timeZone: unknown time zone "right/Europe/Berlin"; expected a name of the IANA time zone database, for example "Europe/Berlin""#
    ),
    (
      #"{"searchDate":"2025-11-21","sort":"name"}"#,
      #""selectQuakesValues": arguments/sort: invalid value "name"; expected one of: "magnitude", "time""#
    ),
    (
      #"{"searchDate":"2025-11-21","order":"backward"}"#,
      #""selectQuakesValues": arguments/order: invalid value "backward"; expected one of: "forward", "reverse""#
    ),
    (
      #"{"searchDate":"2025-11-21","start":1}"#,
      #""selectQuakesValues": arguments: unknown member "start"; expected one of: "order", "searchDate", "searchText", "sort", "timeZone""#
    ),
  ])
  func invalidArguments(_ arguments: String, _ message: String) throws {
    #expect(try self.select([], Value(json: arguments)) == message)
  }
}

extension Value {
  fileprivate var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The arguments of `selectQuakes` among those of `selectQuakesValues`.
  fileprivate var search: Value {
    guard case .object(let members) = self else { return self }
    return .object(
      JSONObject(members.filter { !["sort", "order"].contains($0.key) }.map { ($0.key, $0.value) }))
  }
}
