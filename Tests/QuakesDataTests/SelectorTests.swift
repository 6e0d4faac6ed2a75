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
      "searchText": .string(text), "searchDate": "1970-01-01",
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
    let ids = try self.select([Self.day(offset)], ["searchDate": "2025-11-21"])
    #expect(ids == (isIncluded ? "1" : ""))
  }

  @Test(arguments: [
    ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2000-03-01", 11_017),
    ("2024-12-31", 20_088), ("0000-01-01", -719_528), ("0000-02-29", -719_469),
    ("9999-12-31", 2_932_896),
  ])
  func aDayIsOneInUTC(_ date: String, _ days: Int64) throws {
    let start = days * 86_400_000
    #expect(
      try Range.day(date)
        == Timestamp(milliseconds: start)..<Timestamp(milliseconds: start + 86_400_001))
  }

  /// Counts days and leap years one after the other, from 1899-01-01 to 2001-12-31.
  @Test func daysAreThoseOfTheCalendar() throws {
    var days: Int64 = -25_932
    for year in 1_899...2_001 {
      let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
      let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in zip(1..., lengths) {
        let prefix = "\(year)-\(month < 10 ? "0" : "")\(month)-"
        let (first, last) = (try Range.day(prefix + "01"), try Range.day(prefix + "\(length)"))
        #expect(first.lowerBound.milliseconds == days * 86_400_000)
        days += length
        #expect(last.upperBound.milliseconds == days * 86_400_000 + 1)
        #expect(throws: EngineError.self) { try Range.day(prefix + "\(length + 1)") }
      }
    }
  }

  @Test(arguments: [
    "", "yesterday", "12-01-01", "+026-01-01", "-001-01-01", "20260329", "2026/03/29", "2026-3-29",
    "2026-00-01", "2026-13-01", "2026-03", "2026-03-00", "2026-04-31", "2026-02-29", "1900-02-29",
    "2026-03-29T08:30:00Z", " 2026-03-29", "2026-03-29 ", "2026-03-2\u{301}9", "2026-03-2９",
    "2026-03-29-", "2026--3-29", "2026-+3-29",
  ])
  func otherTextsAreNoDays(_ text: String) {
    let message = "\"\(text)\" is not a day; expected, for example, \"2026-03-29\""
    #expect(throws: EngineError(.invalidArgument, message)) { try Range<Timestamp>.day(text) }
  }

  @Test(arguments: [
    (0, 3, "0 1 2"), (1, 2, "1"), (-1, 1, "0"), (2, 3, "2"), (1, 1, ""), (2, 1, ""),
    (.min, .max, "0 1 2"), (.max, .min, ""),
  ])
  func anIntervalEndsBeforeItsEnd(_ start: Int64, _ end: Int64, _ ids: String) throws {
    let quakes = (0...2).map { quake("\($0)", time: $0) }
    #expect(try self.select(quakes, ["start": .integer(start), "end": .integer(end)]) == ids)
  }

  // MARK: Sorting

  @Test(arguments: [
    ("time", "forward", "c a b d"), ("time", "reverse", "d a b c"),
    ("magnitude", "forward", "a b d c"), ("magnitude", "reverse", "c a b d"),
    ("quakeId", "forward", "a b c d"), ("quakeId", "reverse", "d c b a"),
  ])
  func quakesAreSortedWithTiesById(_ sort: String, _ order: String, _ ids: String) throws {
    // The magnitudes 0.0 and −0.0 are equal.
    let quakes = [
      quake("a", magnitude: "0.0", time: 2), quake("b", magnitude: "-0.0", time: 2),
      quake("c", magnitude: "9.5", time: 1), quake("d", magnitude: "0.0", time: 3),
    ]
    let arguments: Value = [
      "searchDate": "1970-01-01", "sort": .string(sort),
      "order": .string(order),
    ]
    #expect(try self.select(quakes, arguments) == ids)
  }

  @Test func tiesAreOrderedByTheBytesOfIds() throws {
    let ids = ["", "10", "9", "Z", "_", "a", "z", "Å", "é", "東"]
    let quakes = ids.map { quake($0) }.shuffled()
    for order in ["forward", "reverse"] {
      let arguments: Value = [
        "searchDate": "1970-01-01", "order": .string(order),
      ]
      #expect(
        try self.select(quakes, arguments)
          == ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: " "))
    }
  }

  @Test func theDefaultIsByTimeForward() throws {
    let quakes = [quake("1", magnitude: "1.0", time: 2), quake("2", magnitude: "2.0", time: 1)]
    let arguments: Value = ["searchDate": "1970-01-01"]
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
    (
      #"{"searchDate":"2025-02-29"}"#,
      #""selectQuakesValues": arguments/searchDate: "2025-02-29" is not a day; expected, for "#
        + #"example, "2026-03-29""#
    ),
    (
      #"{"searchDate":7}"#,
      #""selectQuakesValues": arguments/searchDate: expected a string, found an integer"#
    ),
    (
      #"{"start":"2025-11-21","end":1}"#,
      #""selectQuakesValues": arguments/start: expected an integer, found a string"#
    ),
    (
      #"{"start":1,"end":1.5}"#,
      #""selectQuakesValues": arguments/end: expected an integer, found 1.5"#
    ),
    (
      #"{"start":1,"end":null}"#,
      #""selectQuakesValues": arguments/end: expected an integer, found null"#
    ),
    (
      #"{"searchDate":"2025-11-21","sort":"name"}"#,
      #""selectQuakesValues": arguments/sort: invalid value "name"; expected one of: "magnitude", "#
        + #""quakeId", "time""#
    ),
    (
      #"{"searchDate":"2025-11-21","order":"backward"}"#,
      #""selectQuakesValues": arguments/order: invalid value "backward"; expected one of: "#
        + #""forward", "reverse""#
    ),
    (
      #"{"searchDate":"2025-11-21","timeZone":"UTC"}"#,
      #""selectQuakesValues": arguments: unknown member "timeZone"; expected one of: "end", "#
        + #""order", "searchDate", "searchText", "sort" and 1 more"#
    ),
  ])
  func invalidArguments(_ arguments: String, _ message: String) throws {
    #expect(try self.select([], Value(json: arguments)) == message)
  }

  @Test(arguments: [
    "{}", #"{"start":1}"#, #"{"end":1}"#, #"{"searchDate":"2025-11-21","start":1}"#,
    #"{"searchDate":"2025-11-21","end":1}"#, #"{"searchDate":"2025-11-21","start":1,"end":2}"#,
  ])
  func aSearchHasADayOrAnInterval(_ arguments: String) throws {
    #expect(
      try self.select([], Value(json: arguments))
        == #""selectQuakesValues": arguments: expected either "searchDate", or both "start" and "#
        + #""end""#
    )
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
