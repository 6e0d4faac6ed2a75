import ImmutableJSON
import StateEngine
import TestSupport
import Testing
import Threading

@testable import QuakesData
@testable import SQLiteStorage

/// The domain with its cache and a stand-in for the program's fetch, through JSON.
@Suite struct DomainTests {
  /// GeoJSON of quakes. The magnitude of each is 1.5, or 2.5 if it has changed.
  private static func feed(_ count: Int, hasChanged: (Int) -> Bool = { _ in false }) -> [UInt8] {
    let features = (0..<count).map { index in
      #"{"id":"q\#(index)","properties":{"mag":\#(hasChanged(index) ? 2.5 : 1.5),"place":"West","#
        + #""time":\#(index),"updated":1},"geometry":{"coordinates":[-125,35,7]}}"#
    }
    return Array(#"{"features":[\#(features.joined(separator: ","))]}"#.utf8)
  }

  private func serve(_ store: AnyStore, _ body: [UInt8]) throws {
    try store.setFetch { task in
      let headers = [FetchHeader("Content-Type", "application/json")]
      try? task.resolve(status: 200, headers: headers, body)
    }
  }

  private func refresh(_ store: AnyStore) throws {
    try store.dispatch(refreshDay)
    try store.settle()
  }

  /// A failed effect has the code of its cause.
  @Test func aFailureOfTheCacheHasItsCode() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("quakes.sqlite")
    let errors = Recorder<EngineError>()
    let store = try AnyStore(QuakesDomain.self, options: ["store": .string(path)])
    try store.setEffectErrorHandler { errors.append($0) }
    try Database(path: path, lockTimeout: 0).execute("ALTER TABLE quakes RENAME TO lost")
    try store.dispatch(ui("onAppear"))
    try store.settle()
    #expect(errors.all.map(\.code) == [.corrupt])
  }

  @Test func fromTheFeedToTheCache() throws {
    let folder = try TemporaryFolder()
    let options: Value = ["store": .string(folder.file("quakes.sqlite"))]
    let store = try AnyStore(QuakesDomain.self, options: options)
    try store.dispatch(ui("onAppear"))
    try store.settle()
    try self.serve(store, Self.feed(3))
    try self.refresh(store)
    #expect(try store.select("selectQuakesStatus") == ["success": [:]])
    let output = try store.select(
      "selectQuakes", ["searchDate": "1970-01-01", "searchText": "West"])
    guard case .object(let quakes) = output else {
      Issue.record("\(output) is not an object")
      return
    }
    #expect(quakes.map { $0.key } == ["q0", "q1", "q2"])
    let other = try AnyStore(QuakesDomain.self, options: options)
    #expect(try other.select("selectQuakesCount") == 0)
    try other.dispatch(ui("onAppear"))
    try other.settle()
    #expect(try other.state() == store.state())
  }

  /// 2,000 quakes, then the same again with 20 of them changed.
  @Test func onlyObserversOfChangedQuakesAreCalled() throws {
    let store = try AnyStore(QuakesDomain.self)
    try self.serve(store, Self.feed(2_000))
    try self.refresh(store)
    #expect(try store.select("selectQuakesCount") == 2_000)
    let called = Recorder<String>()
    for index in stride(from: 0, to: 2_000, by: 50) {
      _ = try store.observe("selectQuake", ["quakeId": .string("q\(index)")]) { _ in
        called.append("q\(index)")
      }
    }
    let initial = called.all.count
    var options = StreamOptions()
    options.types = [ActionPattern("data/persistentSession/localStore/didSaveQuakes")]
    let stream = try store.makeStream(options)
    try self.serve(store, Self.feed(2_000) { $0 % 100 == 0 })
    try self.refresh(store)
    guard case .element(let element) = try stream.next() else {
      Issue.record("the stream of actions ended")
      return
    }
    #expect(try element.action["payload"] == ["result": ["success": ["changes": 20]]])
    let expected = stride(from: 0, to: 2_000, by: 100).map { "q\($0)" }
    #expect(Set(called.all.dropFirst(initial)) == Set(expected))
    #expect(called.all.count - initial == 20)
  }

  @Test func withoutAFetchFunction() throws {
    let store = try AnyStore(
      QuakesDomain.self, options: ["state": Value(json: state(["1": quake("1")]))])
    try self.refresh(store)
    let message = "the program has not set a function that performs HTTP requests"
    #expect(
      try store.state().json
        == state(["1": quake("1")], status: #"{"failure":{"error":"\#(message)"}}"#))
  }

  @Test(arguments: [
    (
      #"{"store":"/no/such/folder/x"}"#, EngineError.Code.io,
      #"cannot open "/no/such/folder/x": the directory "/no/such/folder" does not exist"#
    ),
    (#"{"store":1}"#, .invalidArgument, "options/store: expected a string, found an integer"),
    (
      #"{"feed":"localhost"}"#, .invalidArgument,
      #"options/feed: "localhost" is not a valid URL; expected, for example, "#
        + #"https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary"#
    ),
    (
      #"{"timeout":0}"#, .invalidArgument, "options/timeout: 0 is not between 1 and 2147483647"
    ),
    (
      #"{"state":{"quakes":{"data":{"2":\#(quake("1"))}}}}"#, .invalidArgument,
      #"options/state/quakes/data: the key "2" differs from the quakeId "1""#
    ),
    (
      #"{"state":{"quakes":{"data":{"\#u{E9}":\#(quake("e\u{301}"))}}}}"#, .invalidArgument,
      "options/state/quakes/data: the key \"\u{E9}\" differs from the quakeId \"e\u{301}\", "
        + "but only in its Unicode normalization"
    ),
    (
      #"{"feeds":""}"#, .invalidArgument,
      #"unknown option "feeds"; did you mean "feed"?"#
    ),
  ])
  func invalidOptions(_ options: String, _ code: EngineError.Code, _ message: String) throws {
    #expect(throws: EngineError(code, message)) {
      try AnyStore(QuakesDomain.self, options: Value(json: options))
    }
  }

  /// The fetch that the state was waiting for is not in flight in another store.
  @Test func aRestoredStateThatWaitsReadsTheCache() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("quakes.sqlite")
    try LocalStore(path: path).didFetchRemoteQuakesMutation(
      inserted: [Quake("1")], updated: [], deleted: [])
    let options: Value = [
      "store": .string(path), "state": try Value(json: state(status: waiting)),
    ]
    let store = try AnyStore(QuakesDomain.self, options: options)
    try store.settle()
    #expect(try store.state().json == state(["1": quake("1")], status: success))
    try self.serve(store, Self.feed(1))
    try self.refresh(store)
    #expect(try store.select("selectQuakesCount") == 2)
  }

  @Test func anActionWithoutItsPathIsSuggested() throws {
    let store = try AnyStore(QuakesDomain.self)
    let message = #"unknown action type "onAppear"; did you mean "ui/quakeList/onAppear"?"#
    #expect(throws: EngineError(.invalidAction, message)) {
      try store.dispatch(#"{"type":"onAppear"}"#)
    }
  }

  @Test func theDefaultFeedIsThatOfTheGeologicalSurvey() throws {
    let store = try AnyStore(QuakesDomain.self)
    let urls = Recorder<String>()
    try store.setFetch { task in
      urls.append(task.request.url)
      try? task.reject("no")
    }
    try self.refresh(store)
    #expect(
      urls.all == ["https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_day.geojson"])
  }

  @Test func theCacheIsBackedUp() throws {
    let folder = try TemporaryFolder()
    let store = try AnyStore(QuakesDomain.self)
    try self.serve(store, Self.feed(2))
    try self.refresh(store)
    try store.backup(to: folder.file("copy.sqlite"))
    #expect(try LocalStore(path: folder.file("copy.sqlite")).fetchLocalQuakesQuery().count == 2)
  }

  @Test func otherDecodersReadTheSame() throws {
    #expect(try differences(Quake.self, Value(json: quake("1"))).isEmpty)
  }
}
