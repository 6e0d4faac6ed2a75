import ImmutableData
import ImmutableJSON
import StateEngine
import TestSupport
import Testing

/// Groups that are given up, steps of which nothing is left, and a history of parts of the state.
@Suite struct HistoryGroupTests {
  private func makeStore(_ history: Value = true, _ state: Value = ["a": 0]) throws -> AnyStore {
    try AnyStore(state: state, options: ["history": history]) { state, action in
      guard let payload = action["payload"] else { return state }
      return try state.merging(patch: payload)
    }
  }

  /// The state, and how many steps can be undone and redone.
  private func status(_ store: AnyStore) throws -> Value {
    let history = try store.select("@@history")
    return .array([try store.state(), history["undo"] ?? .null, history["redo"] ?? .null])
  }

  /// A store with a step that can be undone, and one that can be redone.
  private func makeStoreWithSteps(_ history: Value = true) throws -> AnyStore {
    let store = try self.makeStore(history)
    try store.merge(["b": 1])
    try store.merge(["c": 1], type: "other")
    try store.undo()
    return store
  }

  // MARK: Steps without a change

  enum Way: CaseIterable {
    case group, batch, within, meta
  }

  @Test(arguments: Way.allCases)
  func whatChangesNothingTogetherIsNoStep(_ way: Way) throws {
    let store = try self.makeStoreWithSteps(
      way == .within
        ? ["group": ["within": 86_400_000]] : way == .meta ? ["group": ["meta": "drag"]] : true)
    let statuses = DeliveryRecorder()
    try store.observe("@@history") { statuses.append($0) }
    try store.markClean()
    func move(_ list: Value) -> Value {
      ["type": "move", "payload": ["a": list], "meta": ["drag": 1]]
    }
    // Equal values that are other instances.
    let moves = [move([1]), move([2]), move(0)]
    if way == .batch { try store.dispatch(batch: .array(JSONArray(moves))) }
    if way == .group { try store.beginGroup() }
    if way != .batch { for action in moves { try store.dispatch(action) } }
    if way == .group {
      #expect(try store.select("@@history")["redo"] == 0)
      try store.endGroup()
    }
    #expect(try self.status(store) == [["a": 0, "b": 1], 1, 1])
    #expect(try store.select("@@history")["clean"] == true)
    #expect(try statuses.texts.last.map { "\($0)" } == "\(store.select("@@history"))")
    #expect(try store.redo() == 1)
    #expect(try self.status(store) == [["a": 0, "b": 1, "c": 1], 2, 0])
  }

  @Test func anUndoPassesAGroupOfWhichNothingIsLeft() throws {
    let store = try self.makeStoreWithSteps()
    try store.beginGroup()
    for number in [1, 0] { try store.merge(["a": .integer(Int64(number))]) }
    #expect(try store.undo() == 1)
    #expect(try self.status(store) == [["a": 0], 0, 2])
  }

  // MARK: Giving up

  @Test func aGroupIsGivenUp() throws {
    let store = try self.makeStoreWithSteps(["ignore": ["view"]])
    try store.merge(["view": 1], type: "view")
    let stream = try store.makeStream(StreamOptions(["types": ["@@history/*"]]))
    try store.beginGroup()
    try store.merge(["a": 1])
    try store.merge(["view": 2], type: "view")
    try store.merge(["a": 2])
    #expect(try store.select("@@history")["redo"] == 0)
    try store.cancelGroup()
    #expect(try self.status(store) == [["a": 0, "b": 1, "view": 1], 1, 1])
    guard case .element(let element) = try stream.next(milliseconds: 0) else {
      Issue.record("no element")
      return
    }
    #expect(try element.action == ["type": "@@history/cancelled", "payload": ["number": 1]])
    // It has ended.
    try store.cancelGroup()
    try store.endGroup()
    #expect(try store.redo() == 1)
  }

  @Test func aGroupWithoutCommitsIsGivenUpInSilence() throws {
    let store = try self.makeStoreWithSteps()
    let stream = try store.makeStream(StreamOptions([:]))
    try store.beginGroup()
    try store.cancelGroup()
    #expect(try self.status(store) == [["a": 0, "b": 1], 1, 1])
    guard case .timedOut = try stream.next(milliseconds: 0) else {
      Issue.record("a commit")
      return
    }
  }

  @Test func aGroupInAGroupIsGivenUp() throws {
    let store = try self.makeStoreWithSteps()
    try store.beginGroup()
    try store.merge(["a": 1])
    try store.beginGroup()
    try store.merge(["a": 2])
    try store.merge(["a": 3])
    try store.cancelGroup()
    #expect(try self.status(store) == [["a": 1, "b": 1], 2, 0])
    try store.merge(["d": 1])
    try store.endGroup()
    #expect(try store.undo() == 1)
    #expect(try self.status(store) == [["a": 0, "b": 1], 1, 1])
    try store.redo()
    #expect(try store.state() == ["a": 1, "b": 1, "d": 1])
  }

  @Test func groupsAreLimited() throws {
    let store = try self.makeStore()
    for _ in 0..<256 { try store.beginGroup() }
    #expect(
      failure { () throws(EngineError) in try store.beginGroup() }
        == EngineError(
          .limit, "256 groups are open; end or cancel each one, before others begin"))
  }

  @Test func aLogRestoresAnOpenGroup() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("log")
    func open(_ options: Value) throws -> AnyStore {
      try AnyStore(state: ["a": 0], options: options) { state, action in
        try state.merging(patch: action["payload"] ?? [:])
      }
    }
    let store = try open(["history": true, "log": .string(path)])
    try store.merge(["b": 1])
    try store.merge(["c": 1])
    try store.undo()
    try store.beginGroup()
    try store.merge(["a": 1])
    try store.beginGroup()
    try store.merge(["a": 2])
    // The base has the group, its states, and what can be redone.
    #expect(try store.compactLog(keeping: nil))
    try store.cancelGroup()
    try store.cancelGroup()
    let expected = try self.status(store)
    #expect(expected == [["a": 0, "b": 1], 1, 1])
    store.close()
    let next = try open(["history": true, "log": .string(path)])
    #expect(try self.status(next) == expected)
    #expect(try next.redo() == 1)
  }

  // MARK: Paths

  @Test func undoRestoresPartsOfTheState() throws {
    let store = try self.makeStore(
      ["paths": ["/board", "/a~1b/c"]], ["board": [1], "clock": 0])
    try store.merge(["board": [1, 2], "clock": 1])
    try store.merge(["clock": 2])
    #expect(try self.status(store) == [["board": [1, 2], "clock": 2], 1, 0])
    try store.merge(["a/b": ["c": 1, "d": 1]])
    #expect(
      try store.history(["patches": true]).get(JSONPointer("/entries/1/patch")) == [
        ["op": "add", "path": "/a~1b", "value": ["c": 1]]
      ])
    try store.merge(["clock": 3])
    #expect(try store.undo(2) == 2)
    #expect(
      try self.status(store) == [["a/b": ["d": 1], "board": [1], "clock": 3], 0, 2])
    // What is outside keeps what can be redone.
    try store.merge(["a/b": .null])
    #expect(try store.redo(2) == 2)
    #expect(
      try self.status(store) == [["a/b": ["c": 1], "board": [1, 2], "clock": 3], 2, 0])
    // It has no place for the other part.
    try store.merge(["a/b": 1, "board": [3]])
    #expect(try store.undo() == 1)
    #expect(try store.state() == ["a/b": 1, "board": [1, 2], "clock": 3])
  }

  @Test func aGroupIsGivenUpInPartsOfTheState() throws {
    let store = try self.makeStore(["paths": ["/a"]])
    try store.beginGroup()
    try store.merge(["a": 1, "clock": 1])
    try store.cancelGroup()
    #expect(try self.status(store) == [["a": 0, "clock": 1], 0, 0])
    try store.beginGroup()
    try store.merge(["a": 1, "clock": 2])
    try store.merge(["a": 0])
    try store.endGroup()
    #expect(try self.status(store) == [["a": 0, "clock": 2], 0, 0])
  }

  @Test(arguments: [
    ("[]", "it is empty; list the parts of the state that undo changes, such as \"/board\""),
    (#"["/a","b"]"#, nil),
  ])
  func wrongPathsAreRefused(_ paths: String, _ reason: String?) throws {
    let option: Value = ["paths": try Value(json: paths)]
    let error = failure { () throws(EngineError) in
      _ = try AnyStore(state: [:], options: ["history": option]) { state, _ in state }
    }
    #expect(
      error?.message
        == reason.map { "options/history/paths: \($0)" }
        ?? "options/history/paths/1: \"b\" is not a JSON Pointer: it must be empty or begin with "
        + "\"/\"; write \"/b\"")
  }

  @Test func partsAreNotRestoredWhileUpdatesAreInFlight() throws {
    let store = try AnyStore(
      state: ["a": 0], options: ["history": ["paths": ["/a"]], "optimistic": true]
    ) { state, action in
      try state.merging(patch: action["payload"] ?? [:])
    }
    #expect(try store.undo() == 0)
    try store.dispatch([
      "type": "set", "payload": ["a": 1], "meta": ["optimistic": ["begin": "x"]],
    ])
    #expect(
      failure { () throws(EngineError) in try store.undo() }
        == EngineError(
          .invalidArgument,
          "a history with \"paths\" cannot be undone or redone while optimistic updates are in "
            + "flight; try again when they have ended"))
    try store.dispatch(["type": "done", "meta": ["optimistic": ["succeed": "x"]]])
    #expect(try store.undo() == 1)
    #expect(try store.state() == ["a": 0])
  }
}
