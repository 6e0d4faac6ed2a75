import ImmutableJSON
import StateEngine
import TestSupport
import Testing

/// Selectors that read one element of a part, which an argument names.
@Suite struct ElementPartTests {
  private let store: AnyStore

  init() throws {
    self.store = try AnyStore(ShelfDomain.self)
  }

  private func put(_ book: String, _ shelf: String) throws {
    try self.store.dispatch(
      ["type": "put", "payload": ["book": .string(book), "shelf": .string(shelf)]])
  }

  private func observe(_ selector: String, _ arguments: Value = [:]) throws -> DeliveryRecorder {
    let deliveries = DeliveryRecorder()
    try self.store.observe(selector, arguments) { deliveries.append($0) }
    return deliveries
  }

  private func statistic(_ name: String) throws -> Value? {
    try self.store.statistics()[name]
  }

  @Test func onlyTheObserversOfTheElementAreVisited() throws {
    let books = (0..<100).map { "book \($0)" }
    for book in books { try self.put(book, "a") }
    let recorders = try books.map { try self.observe("selectShelf", ["book": .string($0)]) }
    let (null, missing) = (
      try self.observe("selectShelf", ["book": .null]), try self.observe("selectShelf")
    )
    try self.put("book 7", "b")
    #expect(try self.statistic("visits") == 1)
    #expect(recorders[7].texts == [#""a""#, #""b""#])
    // A new element, and one that nobody reads.
    try self.put("book 100", "b")
    #expect(try self.statistic("visits") == 1)
    try self.store.dispatch(["type": "remove", "payload": ["book": "book 8"]])
    #expect(try self.statistic("visits") == 2)
    #expect(recorders[8].texts == [#""a""#, "null"])
    #expect(null.texts == ["null"] && missing.texts == ["null"])
  }

  @Test func observersOfAllElementsAreVisitedToo() throws {
    let (count, shelf) = (
      try self.observe("selectCount"), try self.observe("selectShelf", ["book": "1"])
    )
    try self.put("1", "a")
    try self.put("2", "a")
    #expect(count.texts == ["0", "1", "2"])
    #expect(shelf.texts == ["null", #""a""#])
    #expect(try self.statistic("visits") == 3)
  }

  @Test func aCancelledObservationIsNotVisited() throws {
    let deliveries = DeliveryRecorder()
    let first = try self.store.observe("selectShelf", ["book": "1"]) { deliveries.append($0) }
    let second = try self.observe("selectShelf", ["book": "1"])
    first.cancel()
    try self.put("1", "a")
    #expect(deliveries.texts == ["null"])
    #expect(second.texts == ["null", #""a""#])
    #expect(try self.statistic("visits") == 1)
  }

  @Test func outputsOfOtherElementsStayCached() throws {
    for book in ["1", "2"] { try self.put(book, "a") }
    func shelf(_ book: Value) throws -> Value {
      try self.store.select("selectShelf", ["book": book])
    }
    #expect(try [shelf("1"), shelf("2"), shelf(.null)] == ["a", "a", .null])
    #expect(try self.statistic("evaluations") == 3)
    try self.put("1", "b")
    #expect(try [shelf("1"), shelf("2"), shelf(.null)] == ["b", "a", .null])
    #expect(try self.statistic("evaluations") == 4)
    try self.store.dispatch(["type": "remove", "payload": ["book": "2"]])
    #expect(try [shelf("1"), shelf("2"), shelf(.null)] == ["b", .null, .null])
    #expect(try self.statistic("evaluations") == 5)
  }

  @Test func aDependencyCanReadAnElement() throws {
    var options = ObservationOptions()
    options.dependencies = ["selectShelf"]
    try self.store.define("books", "keys(books)[?@ == $book]")
    let deliveries = DeliveryRecorder()
    try self.store.observe("books", ["book": "1"], options) { deliveries.append($0) }
    try self.put("2", "a")
    #expect(try self.statistic("visits") == 0)
    try self.put("1", "a")
    #expect(deliveries.texts == ["[]", #"["1"]"#])
    #expect(try self.statistic("visits") == 1)
  }
}
