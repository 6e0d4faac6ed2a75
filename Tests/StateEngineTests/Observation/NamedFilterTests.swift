import ImmutableJSON
import StateEngine
import TestSupport
import Testing

@Suite struct NamedFilterTests {
  private let store: AnyStore
  private let deliveries = DeliveryRecorder()

  init() throws {
    self.store = try AnyStore(ShelfDomain.self)
  }

  private func observe(_ selector: String, _ arguments: Value, _ options: Value) throws(EngineError)
  {
    try self.store.observe(selector, arguments, ObservationOptions(options)) { [deliveries] in
      deliveries.append($0)
    }
  }

  private static func action(_ type: String, _ book: String, _ shelf: String) -> Value {
    ["type": .string(type), "payload": ["book": .string(book), "shelf": .string(shelf)]]
  }

  @Test func itGetsTheArgumentsOfTheObservationAndTheOldState() throws {
    try self.observe("selectBooks", ["shelf": "a"], ["filter": "filterShelf"])
    try self.store.dispatch(Self.action("put", "1", "a"))
    try self.store.dispatch(Self.action("put", "2", "b"))
    try self.store.dispatch(Self.action("move", "2", "c"))
    try self.store.dispatch(Self.action("move", "1", "c"))
    #expect(self.deliveries.texts == ["[]", #"["1"]"#, "[]"])
    #expect(try self.store.statistics()["visits"] == 4)
  }

  @Test func itGetsOnlyTheArgumentsThatItDeclares() throws {
    try self.observe("selectBooks", ["shelf": "a"], ["filter": "filterAll"])
    try self.store.dispatch(Self.action("put", "1", "a"))
    #expect(self.deliveries.texts == ["[]", #"["1"]"#])
  }

  @Test func theDomainDescribesThem() throws {
    let descriptions = try DomainRegistry([ShelfDomain.self, NotesDomain.self]).descriptions
    guard case .array(let domains) = descriptions else {
      Issue.record("no array")
      return
    }
    let filters = domains.map { $0["filters"] }
    // In order of the names of the domains. One without filters has no such member.
    let shelf: Value = [
      "name": "filterShelf",
      "summary": "The actions that add books to a shelf, or move books from or to it.",
      "arguments": Schema.object([.init("shelf", .string, "The shelf.")]).json,
    ]
    let all: Value = [
      "name": "filterAll", "summary": "All actions.", "arguments": Schema.object([]).json,
    ]
    #expect(filters == [nil, [all, shelf]])
  }

  @Test(arguments: [
    (
      "selectBooks", #"{"shelf":"a"}"#, "filterShelv",
      #"options/filter: unknown filter "filterShelv"; did you mean "filterShelf"?"#
    ),
    (
      "selectCount", "{}", "filterShelf",
      #"options/filter: "filterShelf": arguments: the member "shelf" is missing"#
    ),
  ])
  func itIsRefused(
    _ selector: String, _ arguments: String, _ filter: String, _ message: String
  ) throws {
    let arguments = try Value(json: arguments)
    let error = failure { () throws(EngineError) in
      try self.observe(selector, arguments, ["filter": .string(filter)])
    }
    #expect(error == EngineError(.invalidArgument, message))
    #expect(try self.store.statistics()["observations"] == 0)
  }

  @Test(arguments: [
    (
      "notes", #"options/filter: unknown filter "f"; the domain "notes" has none"#
    ),
    (
      "",
      #"options/filter: unknown filter "f": a store with your own reducer has no named "#
        + "filters; pass a filter function instead"
    ),
  ])
  func aStoreWithoutFiltersRefusesAName(_ domain: String, _ message: String) throws {
    let store = try domain.isEmpty ? makeMergeStore(["x": 0]) : AnyStore(NotesDomain.self)
    try store.define("all", "@")
    let error = failure { () throws(EngineError) in
      try store.observe("all", [:], ObservationOptions(["filter": "f"])) { _ in }
    }
    #expect(error == EngineError(.invalidArgument, message))
  }
}
