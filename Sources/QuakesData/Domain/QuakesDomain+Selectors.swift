import ImmutableJSON
import ProductSupport
import StateEngine

extension QuakesDomain {
  public static var selectors: [SelectorDescription<QuakesState>] {
    let data = StatePart<QuakesState>(\.quakes.data)
    return [
      .init(
        "selectQuakes", "The quakes in an interval whose name contains a text, by id.",
        arguments: self.search, output: .dictionary(.any), reads: [data]
      ) { (state, arguments: Search) in
        QuakesState.selectQuakes(searchText: arguments.text, searchTimes: arguments.times)(state)
      },
      .init(
        "selectQuakesValues", "The quakes in an interval whose name contains a text, sorted.",
        arguments: self.search + self.sorting, output: .array(.any), reads: [data]
      ) { (state, arguments: SortedSearch, memo: inout SortedRecords<Quake.ID, Quake>?) in
        try SortedRecords.select(state.quakes.data, updating: &memo) {
          let filter = QuakeSearch(arguments.search.text, arguments.search.times)
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
        "searchDate", .string, isRequired: false,
        "A day in UTC (2026-03-29), with its midnight and that of the next day."),
      .init(
        "start", .integer, isRequired: false,
        "With end, instead of searchDate: the first time, in milliseconds since 1970."),
      .init(
        "end", .integer, isRequired: false, "The end of the interval, which it does not include."),
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

  private struct OneQuake: Decodable, Sendable {
    var quakeId: Quake.ID?
  }

  private struct Search: Decodable, Sendable {
    private enum CodingKeys: CodingKey {
      case searchText, searchDate, start, end
    }

    let text: String
    let times: Range<Timestamp>

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.text = try container.decodeIfPresent(String.self, forKey: .searchText) ?? ""
      let date = try container.decodeIfPresent(String.self, forKey: .searchDate)
      let start = try container.decodeIfPresent(Timestamp.self, forKey: .start)
      let end = try container.decodeIfPresent(Timestamp.self, forKey: .end)
      switch (date, start, end) {
      case (let date?, nil, nil):
        do {
          self.times = try .day(date)
        } catch {
          throw DecodingError.dataCorruptedError(
            forKey: .searchDate, in: container, debugDescription: error.message)
        }
      case (nil, let start?, let end?):
        self.times = start..<max(start, end)
      default:
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: decoder.codingPath,
            debugDescription: "expected either \"searchDate\", or both \"start\" and \"end\""))
      }
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
