import ImmutableJSON
import ProductSupport
import StateEngine

extension QuakesDomain {
  public static var selectors: [SelectorDescription<QuakesState>] {
    let data = StatePart<QuakesState>(\.quakes.data)
    return [
      .init(
        "selectQuakes", "The quakes of a day whose name contains a text, by id.",
        arguments: self.search, output: .dictionary(.any), reads: [data],
        completing: self.completed
      ) { (state, arguments: Search) in
        QuakesState.selectQuakes(searchText: arguments.text, searchDay: arguments.day)(state)
      },
      .init(
        "selectQuakesValues", "The quakes of a day whose name contains a text, sorted.",
        arguments: self.search + self.sorting, output: .array(.any), reads: [data],
        completing: self.completed
      ) { (state, arguments: SortedSearch, memo: inout SortedRecords<Quake.ID, Quake>?) in
        try SortedRecords.select(state.quakes.data, updating: &memo) {
          let filter = QuakeSearch(arguments.search.text, arguments.search.day)
          return SortedRecords(by: [arguments.sort.key(arguments.order)], where: filter.includes)
        }
      },
      .init(
        "selectQuakesCount", "The number of all quakes.", output: .integer, reads: [data],
        QuakesState.selectQuakesCount()),
      .init(
        "selectQuakesStatus", "The status of fetching; also the failure of a later change.",
        output: .nullable(.any), reads: [StatePart(\.quakes.status)],
        QuakesState.selectQuakesStatus()),
      .init(
        "selectQuake", "A quake.",
        arguments: [.init("quakeId", .nullable(.string), "The id; null selects nothing.")],
        output: .nullable(.any), reads: [StatePart(\.quakes.data, at: "quakeId") { $0[$1] }]
      ) { (state, arguments: OneQuake) in
        QuakesState.selectQuake(quakeId: arguments.quakeId)(state)
      },
    ]
  }
}

// MARK: Arguments

extension QuakesDomain {
  private static var search: [Schema.Property] {
    [
      .init(
        "searchText", .string, isRequired: false,
        "What the name must contain, case-sensitive; empty by default, for all."),
      .init(
        "searchDate", .string,
        "The day: a date (2026-03-29), or a time in it (2026-03-29T08:30:00Z), as in RFC 3339."),
      .init(
        "timeZone", .string, isRequired: false,
        "The time zone of the day, such as Europe/Berlin; that of the system by default."),
    ]
  }

  private static var sorting: [Schema.Property] {
    [
      .init(
        "sort", .oneOf(QuakeSort.allCases.map(\.rawValue)), isRequired: false,
        "The sort key; time by default."),
      .init(
        "order", .oneOf(SortOrder.allCases.map(\.rawValue)), isRequired: false,
        "The direction; forward by default. Equal elements are in order of ids."),
    ]
  }

  /// Adds the time zone of the system, which may change while the program runs.
  private static func completed(_ arguments: JSONObject) -> JSONObject {
    guard arguments["timeZone"] == nil, let system = try? TimeZone.system else { return arguments }
    var arguments = arguments
    arguments["timeZone"] = .string(system.name)
    return arguments
  }

  private struct OneQuake: Decodable, Sendable {
    var quakeId: Quake.ID?
  }

  private struct Search: Decodable, Sendable {
    private enum CodingKeys: CodingKey {
      case searchText, searchDate, timeZone
    }

    let text: String
    let day: SearchDay

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.text = try container.decodeIfPresent(String.self, forKey: .searchText) ?? ""
      let date = try container.decode(String.self, forKey: .searchDate)
      let zone = try container.decodeIfPresent(String.self, forKey: .timeZone)
      self.day = SearchDay(
        try container.converting(.searchDate) { try DateOrTime(date) },
        in: try container.converting(.timeZone) { try TimeZone.forSearch(named: zone) })
    }
  }

  private struct SortedSearch: Decodable, Sendable {
    private enum CodingKeys: CodingKey {
      case sort, order
    }

    let search: Search
    let sort: QuakeSort
    let order: SortOrder

    init(from decoder: any Decoder) throws {
      self.search = try Search(from: decoder)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.sort = try container.decodeIfPresent(QuakeSort.self, forKey: .sort) ?? .time
      self.order = try container.decodeIfPresent(SortOrder.self, forKey: .order) ?? .forward
    }
  }
}

extension KeyedDecodingContainer {
  /// Runs `convert`, and describes its error as one of the member.
  fileprivate func converting<Result>(_ key: Key, _ convert: () throws -> Result) throws -> Result {
    do {
      return try convert()
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\(error)")
    }
  }
}
