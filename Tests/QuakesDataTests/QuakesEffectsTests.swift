import ImmutableJSON
import TestSupport
import Testing

@testable import QuakesData
@testable import StateEngine

@Suite struct QuakesEffectsTests {
  typealias Row = EffectRow

  private static let two = ["1": quake("1"), "2": quake("2")]

  static let fetches: [Row] = [
    Row(
      state(), ui("onAppear"), "fetchLocal",
      success: local("didFetchQuakes", fetched(quake("1"))),
      failure: local("didFetchQuakes", #"{"result":\#(failed)}"#)),
    Row(state(status: waiting), ui("onAppear")),
    Row(state(status: success), ui("onAppear")),
    Row(state(status: failed), ui("onAppear")),
    Row(state(status: waiting), refreshDay),
    Row(state(), local("didFetchQuakes", fetched(quake("1")))),
    Row(state(), remote("didFetchQuakes", #"{"result":\#(failed)}"#)),
    Row(state(), remote("didSkipFeatures", #"{"count":1,"error":"no"}"#)),
    Row(state(), local("didSaveQuakes", #"{"result":\#(failed)}"#)),
  ]

  static let refreshes: [Row] = ["allHour", "allDay", "allWeek", "allMonth"].flatMap { range in
    [nil, success, failed].map { status in
      Row(
        state(status: status), ui("onTapRefreshQuakesButton", #"{"range":"\#(range)"}"#),
        "fetchRemote(\(range))", success: remote("didFetchQuakes", fetched(quake("1"))),
        failure: remote("didFetchQuakes", #"{"result":\#(failed)}"#))
    }
  }

  static let deletions: [Row] = [
    Row(
      state(two), ui("onTapDeleteSelectedQuakeButton", #"{"quakeId":"2"}"#), "delete(2)",
      success: local("didDeleteQuake", #"{"quakeId":"2","result":{"success":{}}}"#),
      failure: local(
        "didDeleteQuake",
        #"{"quakeId":"2","result":{"failure":{"error":"no","quake":\#(quake("2"))}}}"#)),
    Row(
      state(two, status: waiting), ui("onTapDeleteAllQuakesButton"), "deleteAll",
      success: local("didDeleteAllQuakes", #"{"result":{"success":{}}}"#),
      failure: local(
        "didDeleteAllQuakes",
        #"{"result":{"failure":{"error":"no","quakes":[\#(quake("1")),\#(quake("2"))]}}}"#)),
    Row(
      state(), ui("onTapDeleteAllQuakesButton"), "deleteAll",
      success: local("didDeleteAllQuakes", #"{"result":{"success":{}}}"#),
      failure: local(
        "didDeleteAllQuakes", #"{"result":{"failure":{"error":"no","quakes":[]}}}"#)),
  ]

  private static func restore(_ quakes: [String], _ call: String? = nil) -> Row {
    Row(
      state(two, status: waiting),
      ui("onTapRestoreQuakesButton", #"{"quakes":[\#(quakes.joined(separator: ","))]}"#), call,
      success: local("didSaveQuakes", #"{"result":{"success":{"changes":1}}}"#),
      failure: local("didSaveQuakes", #"{"result":\#(failed)}"#))
  }

  /// The state has the quakes 1 and 2.
  static let restorations: [Row] = [
    restore([]),
    restore([quake("1", magnitude: "3.0"), quake("2")]),
    restore(
      [quake("1"), quake("3"), quake("3", magnitude: "2.5")], "save(+3=1.5 ~ -)"),
  ]

  private static func save(_ quakes: [String], _ call: String, _ changes: Int) -> Row {
    Row(
      state(two, status: waiting),
      remote(
        "didFetchQuakes",
        #"{"result":{"success":{"quakes":[\#(quakes.joined(separator: ","))]}}}"#), call,
      success: local("didSaveQuakes", #"{"result":{"success":{"changes":\#(changes)}}}"#),
      failure: local("didSaveQuakes", #"{"result":\#(failed)}"#))
  }

  /// The state has the quakes 1 and 2, with the magnitude 1.5.
  static let saves: [Row] = [
    save([], "save(+ ~ -)", 0),
    save([quake("1")], "save(+ ~ -)", 0),
    save([quake("3"), quake("2", magnitude: "2.5")], "save(+3=1.5 ~2=2.5 -)", 2),
    save([quake("1", magnitude: "0.0"), quake("2")], "save(+ ~ -1=1.5)", 1),
    // Absent before, and removed: the cache may have it.
    save([quake("3", magnitude: "0.0")], "save(+ ~ -3=0.0)", 1),
    // Ids that repeat: the last one counts, and each quake is one change.
    save(
      [quake("3", magnitude: "2.0"), quake("1", magnitude: "2.0"), quake("3"), quake("1")],
      "save(+3=1.5 ~ -)", 1),
    save([quake("2", magnitude: "2.0"), quake("2", magnitude: "3.0")], "save(+ ~2=3.0 -)", 1),
    save([quake("2", magnitude: "0.0"), quake("2", magnitude: "3.0")], "save(+ ~2=3.0 -)", 1),
    save([quake("2", magnitude: "3.0"), quake("2", magnitude: "0.0")], "save(+ ~ -2=1.5)", 1),
  ]

  @Test(arguments: fetches + refreshes + deletions + restorations + saves, [false, true])
  func effects(_ row: Row, refuses: Bool) throws {
    let recorder = CallRecorder(refuses: refuses)
    let store = RecordingStore(recorder: recorder)
    let effects = QuakesEffects(localStore: store, remoteStore: store, closesStore: true)
    let action: QuakesAction = try ActionDecoder(QuakesDomain.actions)
      .action(from: Value(json: row.action))
    let old: QuakesState = try Value(json: row.state).decode()
    let new = try QuakesReducer.reduce(state: old, action: action)
    let effect = effects.effect(of: action, from: old, to: new)
    #expect((effect == nil) == (row.call == nil))
    let sent = Recorder<Value>()
    let queue = EffectQueue()
    let context = EffectContext<QuakesState, QuakesAction>(
      queue: queue, timers: EffectQueue(), functions: EffectFunctions(),
      pending: PendingTasks("effect")
    ) {
      new
    } send: { action in
      sent.append(try ActionEncoder.json(action))
    } recordFailure: { _ in
    }
    let isThrown = (try? effect?(context)) == nil && effect != nil
    #expect(isThrown == (refuses && row.call != nil))
    #expect(recorder.calls == (row.call.map { [$0] } ?? []))
    let expected = try row.call.map { _ in
      [try Value(json: refuses ? row.failure : row.success)]
    }
    #expect(sent.all == expected ?? [])
  }

  @Test func theDomainDescribesItself() throws {
    try QuakesDomain.check()
  }

  // MARK: Changes

  private func changes(_ inserted: [String], _ updated: [String], _ deleted: [String])
    -> QuakeChanges
  {
    QuakeChanges(
      inserted: inserted.map { Quake($0) }, updated: updated.map { Quake($0) },
      deleted: deleted.map { Quake($0) })
  }

  @Test func laterChangesReplaceEarlierOnes() {
    let earlier = self.changes(["1", "2"], ["3", "4"], ["5", "6"])
    let later = self.changes(["5", "7"], ["1", "8"], ["3", "9"])
    #expect(
      earlier.followed(by: later)
        == self.changes(["2", "5", "7"], ["4", "1", "8"], ["6", "3", "9"]))
    #expect(QuakeChanges().followed(by: later) == later)
    #expect(earlier.followed(by: QuakeChanges()) == earlier)
  }
}
