import ImmutableJSON
import StateEngine
import TestSupport
import Testing

@testable import QuakesData

/// A store with history: the truth is in a database.
@Suite struct UndoableActionsTests {
  @Test func noActionCanBeUndone() throws {
    let store = try AnyStore(
      QuakesDomain.self, options: ["history": true, "state": Value(json: state(["1": quake("1")]))])
    try store.dispatch(ui("onTapDeleteAllQuakesButton"))
    try store.settle()
    // Its outcome changes no quakes and no status, so it is no step.
    let history = try store.history()
    #expect(history["undo"] == 1)
    #expect(history.stepTypes == ["ui/quakeList/onTapDeleteAllQuakesButton"])
    let message =
      "step 1 cannot be undone or redone: the quakes are in a database, which an old state does "
      + "not change; dispatch ui/quakeList/onTapRestoreQuakesButton to put back what was deleted"
    #expect(throws: EngineError(.invalidArgument, message)) { try store.undo() }
    #expect(throws: EngineError(.invalidArgument, message)) { try store.travel(to: 0) }
    #expect(try store.select("selectQuakesCount") == 0)
  }

  /// What the message says.
  @Test func deletedQuakesAreRestored() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("quakes.sqlite")
    let store = try AnyStore(QuakesDomain.self, options: ["store": .string(path)])
    try store.dispatch(remote("didFetchQuakes", fetched(quake("1"), quake("2"))))
    let before = try store.state()
    try store.dispatch(ui("onTapDeleteSelectedQuakeButton", #"{"quakeId":"2"}"#))
    try store.dispatch(
      ui("onTapRestoreQuakesButton", #"{"quakes":[\#(quake("2")),\#(quake("1"))]}"#))
    #expect(try store.state() == before)
    try store.settle()
    #expect(try store.state() == before)
    #expect(Set(try LocalStore(path: path).fetchLocalQuakesQuery()) == [Quake("1"), Quake("2")])
  }
}
