import ImmutableJSON
import QuakesData
import StateEngine
import TestSupport
import Testing

@Suite struct ReducerTests {
  typealias Row = ReducerRow

  private static let one = ["1": quake("1")]
  private static let two = ["1": quake("1"), "2": quake("2")]

  static let ui: [Row] = [
    Row(state(), QuakesDataTests.ui("onAppear"), state(status: waiting)),
    Row(state(status: waiting), QuakesDataTests.ui("onAppear"), state(status: waiting)),
    Row(state(status: success), QuakesDataTests.ui("onAppear"), state(status: success)),
    Row(state(status: failed), QuakesDataTests.ui("onAppear"), state(status: failed)),

    Row(state(one), refreshDay, state(one, status: waiting)),
    Row(state(status: waiting), refreshDay, state(status: waiting)),
    Row(state(status: success), refreshDay, state(status: waiting)),
    Row(state(status: failed), refreshDay, state(status: waiting)),

    Row(
      state(two, status: success),
      QuakesDataTests.ui("onTapDeleteSelectedQuakeButton", #"{"quakeId":"2"}"#),
      state(one, status: success)),
    Row(
      state(one), QuakesDataTests.ui("onTapDeleteSelectedQuakeButton", #"{"quakeId":"2"}"#), nil),
    Row(
      state(two, status: waiting), QuakesDataTests.ui("onTapDeleteAllQuakesButton"),
      state(status: waiting)),
    Row(state(), QuakesDataTests.ui("onTapDeleteAllQuakesButton"), state()),

    Row(
      state(one, status: success), restore(quake("2"), quake("1")), state(two, status: success)),
    // Those that are there again are newer.
    Row(state(one), restore(quake("1", magnitude: "2.5")), state(one)),
    Row(state(one, status: failed), restore(), state(one, status: failed)),
  ]

  private static func restore(_ quakes: String...) -> String {
    QuakesDataTests.ui(
      "onTapRestoreQuakesButton", #"{"quakes":[\#(quakes.joined(separator: ","))]}"#)
  }

  static let fetches: [Row] = [
    // The last of several with one id wins.
    Row(
      state(one, status: waiting),
      local("didFetchQuakes", fetched(quake("2", magnitude: "3.0"), quake("2"))),
      state(two, status: success)),
    Row(
      state(one, status: waiting), local("didFetchQuakes", #"{"result":\#(failed)}"#),
      state(one, status: failed)),
    Row(
      state(one, status: waiting), remote("didFetchQuakes", #"{"result":\#(failed)}"#),
      state(one, status: failed)),
    Row(
      state(one, status: waiting), remote("didFetchQuakes", fetched()), state(one, status: success)
    ),
    Row(
      state(one, status: waiting),
      remote("didFetchQuakes", fetched(quake("1", magnitude: "4.5"), quake("2"))),
      state(["1": quake("1", magnitude: "4.5"), "2": quake("2")], status: success)),
    // In order: inserted, then removed, and the other way round.
    Row(
      state(status: waiting),
      remote(
        "didFetchQuakes",
        fetched(
          quake("1"), quake("1", magnitude: "0.0"), quake("2", magnitude: "0.0"), quake("2"))),
      state(["2": quake("2")], status: success)),
    Row(
      state(one, status: success), remote("didSkipFeatures", #"{"count":2,"error":"no"}"#),
      state(one, status: success)),
  ]

  static let magnitudes: [Row] = ["0.0", "-0.0", "-0.5", "0.1", "7.5"].flatMap { magnitude in
    let two = ["1": quake("1"), "2": quake("2", magnitude: magnitude)]
    let isKept = magnitude == "0.1" || magnitude == "7.5"
    return [
      Row(
        state(Self.two, status: waiting),
        remote("didFetchQuakes", fetched(quake("2", magnitude: magnitude))),
        state(isKept ? two : one, status: success)),
      Row(
        state(Self.two, status: waiting),
        local("didFetchQuakes", fetched(quake("2", magnitude: magnitude))),
        state(two, status: success)),
    ]
  }

  static let outcomes: [Row] = [
    Row(
      state(one, status: success), local("didSaveQuakes", #"{"result":{"success":{"changes":1}}}"#),
      state(one, status: success)),
    Row(
      state(one, status: success), local("didSaveQuakes", #"{"result":\#(failed)}"#),
      state(one, status: failed)),
    Row(
      state(one, status: success),
      local("didDeleteQuake", #"{"quakeId":"2","result":{"success":{}}}"#),
      state(one, status: success)),
    Row(
      state(one, status: success),
      local(
        "didDeleteQuake",
        #"{"quakeId":"2","result":{"failure":{"error":"no","quake":\#(quake("2"))}}}"#),
      state(two, status: failed)),
    // The feed sent a newer one meanwhile.
    Row(
      state(two, status: success),
      local(
        "didDeleteQuake",
        #"{"quakeId":"2","result":{"failure":{"error":"no","#
          + #""quake":\#(quake("2", magnitude: "9.0"))}}}"#
      ),
      state(two, status: failed)),
    Row(
      state(one, status: success), local("didDeleteAllQuakes", #"{"result":{"success":{}}}"#),
      state(one, status: success)),
    Row(
      state(status: success),
      local(
        "didDeleteAllQuakes",
        #"{"result":{"failure":{"error":"no","quakes":[\#(quake("1")),\#(quake("2"))]}}}"#),
      state(two, status: failed)),
  ]

  @Test(arguments: Self.ui + Self.fetches + Self.magnitudes + Self.outcomes)
  func nextState(_ row: Row) throws {
    let store = try AnyStore.quakes(row.before)
    do {
      try store.dispatch(row.action)
      #expect(try store.state().json == row.after)
    } catch let error as EngineError {
      #expect(row.after == nil, "\(error)")
      #expect(error.code == .reducerFailed)
      #expect(error.message == "there is no quake \"2\"")
      #expect(try store.state().json == row.before)
    }
  }

  @Test func longMessagesAreTruncated() throws {
    let store = try AnyStore.quakes(state())
    let failure = #"{"failure":{"error":"\#(String(repeating: "a", count: 1_000_000))"}}"#
    let truncated = Value.string(String(repeating: "a", count: 1_000) + "…")
    for action in [
      remote("didFetchQuakes", #"{"result":\#(failure)}"#),
      local("didFetchQuakes", #"{"result":\#(failure)}"#),
      local("didSaveQuakes", #"{"result":\#(failure)}"#),
    ] {
      try store.dispatch(refreshDay)
      try store.dispatch(action)
      #expect(try store.select("selectQuakesStatus") == ["failure": ["error": truncated]])
    }
  }

  // MARK: Deletions in flight

  private static func deleted(_ id: String, _ result: String = success) -> String {
    local("didDeleteQuake", #"{"quakeId":"\#(id)","result":\#(result)}"#)
  }

  private static func deletedAll(_ result: String = success) -> String {
    local("didDeleteAllQuakes", #"{"result":\#(result)}"#)
  }

  private static func failure(_ quake: String) -> String {
    #"{"failure":{"error":"no","quake":\#(quake)}}"#
  }

  private static func failure(_ quakes: [String]) -> String {
    #"{"failure":{"error":"no","quakes":[\#(quakes.joined(separator: ","))]}}"#
  }

  private static let delete1 = QuakesDataTests.ui(
    "onTapDeleteSelectedQuakeButton", #"{"quakeId":"1"}"#)
  private static let deleteAll = QuakesDataTests.ui("onTapDeleteAllQuakesButton")
  private static let cached = local("didFetchQuakes", fetched(quake("1"), quake("2")))

  /// Each begins with the quake 1. The cache has 1 and 2.
  static let sequences: [([String], String)] = [
    // The cache is read before the deletion, which removes what was read.
    ([deleteAll, cached, deletedAll()], state(status: success)),
    ([delete1, cached, deleted("1")], state(["2": quake("2")], status: success)),
    ([deleteAll, cached, deletedAll(failure([quake("1")]))], state(two, status: failed)),
    ([delete1, cached, deleted("1", failure(quake("1")))], state(two, status: failed)),
    // A later deletion removes the quake as well.
    ([delete1, deleteAll, deleted("1", failure(quake("1")))], state(status: failed)),
    (
      [delete1, deleteAll, deleted("1", failure(quake("1"))), deletedAll()], state(status: failed)
    ),
    (
      [delete1, deleteAll, deleted("1", failure(quake("1"))), deletedAll(failure([]))],
      state(one, status: failed)
    ),
    // The feed has the last word about the quakes that it sends.
    (
      [
        delete1, remote("didFetchQuakes", fetched(quake("1", magnitude: "0.0"))),
        deleted("1", failure(quake("1"))),
      ], state(status: failed)
    ),
    (
      [
        delete1, remote("didFetchQuakes", fetched(quake("1", magnitude: "2.5"))), delete1,
        deleted("1", failure(quake("1"))), deleted("1", failure(quake("1", magnitude: "2.5"))),
      ], state(["1": quake("1", magnitude: "2.5")], status: failed)
    ),
    (
      [delete1, remote("didFetchQuakes", fetched(quake("1"))), deleted("1")],
      state(one, status: success)
    ),
    // What was restored stays, whether its deletion succeeds or fails.
    ([delete1, restore(quake("1")), deleted("1")], state(one)),
    ([delete1, restore(quake("1")), cached, deleted("1")], state(two, status: success)),
    (
      [delete1, restore(quake("1", magnitude: "2.5")), deleted("1", failure(quake("1")))],
      state(["1": quake("1", magnitude: "2.5")], status: failed)
    ),
    (
      [
        delete1, restore(quake("1")), delete1, deleted("1", failure(quake("1"))), deleted("1"),
      ], state(status: failed)
    ),
    // The second deletion removed what was written after the first.
    (
      [
        delete1, restore(quake("1", magnitude: "2.5")), deleteAll,
        deleted("1", failure(quake("1"))), deletedAll(failure([])),
      ], state(["1": quake("1", magnitude: "2.5")], status: failed)
    ),
  ]

  @Test(arguments: sequences)
  func outcomesOfDeletions(_ actions: [String], _ after: String) throws {
    let store = try AnyStore.quakes(state(Self.one))
    for action in actions { try store.dispatch(action) }
    #expect(try store.state().json == after)
  }

  /// Numbers that JSON cannot write, and text that the database cannot store.
  @Test(arguments: [
    Quake("2", magnitude: .nan), Quake("2", magnitude: .infinity),
    Quake("2", magnitude: -.infinity), Quake("2", name: "a\0b"),
  ])
  func unrepresentableQuakesDoNotEnterTheState(_ quake: Quake) throws {
    let before = QuakesState([Quake("1"), Quake("2")], status: .waiting)
    let fetch = QuakesAction.Data.PersistentSession.FetchQuakesResult.success(quakes: [quake])
    let fetchedRemotely = try QuakesReducer.reduce(
      state: before, action: .data(.persistentSession(.remoteStore(.didFetchQuakes(result: fetch))))
    )
    #expect(fetchedRemotely == QuakesState([Quake("1")], status: .success))
    let fetchedLocally = try QuakesReducer.reduce(
      state: before, action: .data(.persistentSession(.localStore(.didFetchQuakes(result: fetch)))))
    #expect(fetchedLocally == QuakesState([Quake("1"), Quake("2")], status: .success))
    _ = try Value(encoding: fetchedLocally)
  }

  @Test func numbersBeyondADoubleAreRejectedAsJSON() throws {
    #expect(throws: (any Error).self) {
      try Value(json: remote("didFetchQuakes", fetched(quake("1", magnitude: "1e999"))))
    }
  }

  @Test func unchangedQuakesKeepTheirIdentity() throws {
    let store = try AnyStore.quakes(state(Self.two))
    let before = try store.state()["quakes"]?["data"]
    try store.dispatch(
      remote("didFetchQuakes", fetched(quake("1"), quake("2", magnitude: "4.5"))))
    let after = try store.state()["quakes"]?["data"]
    let (old, new) = try (#require(before?["1"]), #require(after?["1"]))
    #expect(new.isIdentical(to: old))
    #expect(after?["2"]?["magnitude"] == 4.5)
  }
}
