import CounterData
import ImmutableJSON
import Simulation
import StateEngine
import TestSupport
import Testing

/// The history of stores: what ``HistoryPropertyTests`` does not reach.
@Suite struct HistoryTests {
  private func makeStore(_ history: Value, _ state: Value = ["a": 0]) throws -> AnyStore {
    try AnyStore(state: state, options: ["history": history]) { state, action in
      guard let payload = action["payload"] else { return state }
      if payload == "reject" { throw EngineError(.reducerFailed, "no") }
      return try state.merging(patch: payload)
    }
  }

  private func message(_ body: () throws(EngineError) -> Void) -> String? {
    failure(body).map { "\($0.code): \($0.message)" }
  }

  // MARK: Options

  @Test(arguments: [
    ("1", "options/history: expected true, false or an object, found an integer"),
    (#"{"limit":0}"#, "options/history/limit: 0 is not between 1 and 1048576"),
    (#"{"bytes":0}"#, "options/history/bytes: 0 is not 1 or more"),
    (#"{"group":{}}"#, nil), (#"{"group":{"within":1,"meta":"x"}}"#, nil),
    (#"{"group":{"within":0}}"#, "options/history/group/within: 0 is not between 1 and 86400000"),
    (#"{"ignore":"x"}"#, "options/history/ignore: expected an array, found a string"),
    (#"{"paths":"/a"}"#, "options/history/paths: expected an array, found a string"),
    (#"{"undo":1}"#, nil),
  ])
  func aWrongOptionIsRefused(_ option: String, _ message: String?) throws {
    let option = try Value(json: option)
    let error = failure { () throws(EngineError) in
      _ = try AnyStore(state: [:], options: ["history": option]) { state, _ in state }
    }
    #expect(error?.code == .invalidArgument)
    if let message { #expect(error?.message == message) }
  }

  @Test func withoutTheOptionThereIsNoHistory() throws {
    let store = try makeMergeStore([:])
    #expect(
      self.message { () throws(EngineError) in try store.undo() }
        == #"invalidArgument: the store has no history; open it with the option {"history":true}"#)
    #expect(failure { () throws(EngineError) in _ = try store.history() }?.code == .invalidArgument)
    #expect(
      failure { () throws(EngineError) in _ = try store.select("@@history") }?.code
        == .unknownSelector)
  }

  @Test func undoableAndIgnoreSayWhatIsAStep() throws {
    let store = try self.makeStore(["undoable": ["edit/*"], "ignore": ["edit/view"]])
    try store.merge(["a": 1], type: "edit/a")
    try store.merge(["b": 1], type: "edit/view")
    try store.merge(["c": 1], type: "other")
    #expect(try store.history()["undo"] == 1)
    #expect(try store.undo(5) == 1)
    #expect(try store.state() == ["a": 0])
    // What is no step keeps what was undone.
    try store.merge(["c": 2], type: "other")
    #expect(try store.redo() == 1)
    #expect(try store.state() == ["a": 1])
  }

  @Test func aBatchIsAStepIfAnActionInItIs() throws {
    let store = try self.makeStore(["ignore": ["view"]])
    try store.dispatch(batch: [
      ["type": "edit"], ["type": "view", "payload": ["b": 1]],
    ])
    #expect(try store.history()["undo"] == 0)
    try store.dispatch(batch: [
      ["type": "edit", "payload": ["a": 1]], ["type": "view", "payload": ["b": 2]],
    ])
    #expect(try store.history()["undo"] == 1)
  }

  @Test func anEqualScalarIsNoStep() throws {
    let store = try self.makeStore(true)
    try store.merge(["a": 1])
    try store.undo()
    try store.merge(["a": 0])
    #expect(try store.history()["redo"] == 1)
  }

  @Test func aRejectedActionKeepsTheHistory() throws {
    let store = try self.makeStore(true)
    try store.merge(["a": 1])
    try store.undo()
    #expect(failure { () throws(EngineError) in try store.merge("reject") } != nil)
    #expect(
      failure { () throws(EngineError) in
        try store.dispatch(batch: [
          ["type": "x", "payload": ["a": 2]], ["type": "x", "payload": "reject"],
        ])
      } != nil)
    #expect(try store.redo() == 1)
  }

  @Test func neighboursOfOneTypeJoinWithinATime() throws {
    let store = try self.makeStore(["group": ["within": 86_400_000]])
    for number in 1...5 { try store.merge(["a": .integer(Int64(number))], type: "drag") }
    try store.merge(["a": 6], type: "other")
    #expect(try store.history()["undo"] == 2)
    #expect(try store.undo(2) == 2)
    // After a jump, nothing joins.
    try store.redo()
    try store.merge(["a": 7], type: "drag")
    #expect(try store.history()["undo"] == 2)
    // Nor after the program has saved.
    try store.markClean()
    try store.merge(["a": 8], type: "drag")
    #expect(try store.history()["undo"] == 3)
  }

  @Test func theOldestStepsGoBeyondAMemoryLimit() throws {
    let store = try self.makeStore(["bytes": 50_000])
    for number in 1...100 {
      try store.merge(["a": .string(String(repeating: "\(number % 10)", count: 10_000))])
      let steps = try store.undo(100)
      #expect(steps == min(number, 4))
      try store.redo(steps)
    }
    // The last step stays, however large it is.
    try store.merge(["a": .string(String(repeating: "x", count: 1_000_000))])
    try store.merge(["a": 1])
    #expect(try store.history()["undo"] == 1)
  }

  @Test func anActionOfTheEngineIsRefused() throws {
    let store = try self.makeStore(true)
    for type in ["@@history/undone", "@@"] {
      let error = failure { () throws(EngineError) in try store.dispatch(["type": .string(type)]) }
      #expect(error?.code == .invalidAction)
    }
  }

  @Test func aSelectorOfTheEngineCannotBeReplaced() throws {
    let store = try self.makeStore(true)
    #expect(
      failure { () throws(EngineError) in try store.define("@@history", "a") }?.code
        == .invalidArgument)
  }

  // MARK: Observing

  @Test func aFunctionOfTheHistoryIsDelivered() throws {
    let store = try self.makeStore(true)
    try store.define("title", FunctionOptions(inputs: ["@@history", "a"])) { inputs, _ in
      .string("\(inputs[1])\(inputs[0]["clean"] == true ? "" : "*")")
    }
    let deliveries = DeliveryRecorder()
    try store.observe("title") { deliveries.append($0) }
    try store.merge(["a": 1])
    try store.markClean()
    try store.merge(["a": 2])
    try store.undo()
    try store.undo()
    #expect(
      deliveries.texts == [#""0""#, #""1*""#, #""1""#, #""2*""#, #""1""#, #""0*""#])
    #expect(try store.select("title") == "0*")
  }

  @Test func anObserverCanUndo() throws {
    let store = try self.makeStore(true)
    let deliveries = DeliveryRecorder()
    try store.observe(expression: "a", to: deliveries)
    try store.observe("@@history") { [unowned store] delivery in
      if case .value(let history) = delivery.content, history["undo"] == 2 {
        _ = try? store.undo(2)
      }
    }
    try store.merge(["a": 1])
    try store.merge(["a": 2])
    #expect(deliveries.texts == ["0", "1", "2", "0"])
    #expect(try store.history()["redo"] == 2)
  }

  @Test func anObservationThatBeginsAfterAMarkDoesNotGoBackToIt() throws {
    let store = try self.makeStore(true)
    let statuses = DeliveryRecorder()
    try store.observe("@@history") { [unowned store] delivery in
      guard case .value(let status) = delivery.content, status["undo"] == 1,
        status["clean"] == false
      else { return }
      // Delivered after this observer, when the observation below shows a later commit already.
      try? store.markClean()
      try? store.merge(["a": 2])
      _ = try? store.observe("@@history") { statuses.append($0) }
    }
    try store.merge(["a": 1])
    #expect(statuses.texts == ["\(try store.select("@@history"))"])
  }

  @Test func threadsCanJumpAtOnce() throws {
    let store = try self.makeStore(["limit": 10])
    let (states, statuses) = (DeliveryRecorder(), DeliveryRecorder())
    try store.observe(expression: "a", to: states)
    try store.observe("@@history") { statuses.append($0) }
    let stream = try store.makeStream(StreamOptions(["capacity": 1_048_576]))
    onThreads(4) { thread in
      for number in 0..<200 {
        switch (number + thread) % 8 {
        case 0: _ = try? store.undo(2)
        case 1: _ = try? store.redo()
        case 2: try? store.markClean()
        case 3:
          try? store.beginGroup()
          try? store.merge(["a": .integer(Int64(number))])
          try? store.endGroup()
        case 4: _ = try? store.history(["actions": true, "patches": true])
        case 5: _ = try? store.select("@@history")
        default: try? store.merge(["a": .integer(Int64(thread * 1000 + number))])
        }
      }
    }
    #expect(states.texts.last == "\(try store.select("a"))")
    #expect(statuses.texts.last == "\(try store.select("@@history"))")
    // Each commit begins with the state that the one before it left.
    var last: Value?
    while case .element(let element) = try stream.next(milliseconds: 0) {
      if let last { #expect(try element.oldState.isIdentical(to: last)) }
      last = try element.newState
    }
    #expect(try store.state() == last)
  }

  // MARK: Groups

  @Test func aRollBackLeavesTheStateBeforeItInAGroup() throws {
    let store = try AnyStore(
      state: HistoryModel.initialState, options: ["optimistic": true, "history": true]
    ) { state, action in try HistoryModel.reduce(state, action) }
    func set(_ key: String, _ meta: Value) throws {
      try store.dispatch(
        ["type": "set", "payload": ["key": .string(key), "value": 1], "meta": meta])
    }
    try store.beginGroup()
    for key in ["a", "b"] { try set(key, [:]) }
    try set("c", ["optimistic": ["begin": "x"]])
    try store.dispatch(["type": "noop", "meta": ["optimistic": ["fail": "x"]]])
    #expect(try store.undo() == 1)
    #expect(try store.redo() == 1)
    #expect(try store.state() == ["a": 1, "b": 1, "z": 0])
  }

  @Test func aLongGroupKeepsTwoStatesOfEachType() throws {
    let store = try self.makeStore(true)
    try store.beginGroup()
    for number in 1...100 { try store.merge(["a": .integer(Int64(number))], type: "drag") }
    try store.merge(["b": 1], type: "drop")
    try store.endGroup()
    let entry = try store.history(["actions": true, "patches": true])["entries"]
    guard case .array(let entries)? = entry, let step = entries.first else {
      Issue.record("there is no step")
      return
    }
    guard case .array(let actions)? = step["actions"] else {
      Issue.record("there are no actions")
      return
    }
    #expect(actions.count == 101)
    #expect(
      step["patch"]
        == [
          ["op": "replace", "path": "/a", "value": 100], ["op": "add", "path": "/b", "value": 1],
        ])
    #expect(try store.blame(JSONPointer("/a")).afters == [100, 1])
    #expect(try store.undo() == 1)
    #expect(try store.state() == ["a": 0])
    #expect(try store.redo() == 1)
    #expect(try store.state() == ["a": 100, "b": 1])
  }

  // MARK: Blame

  @Test func blameFindsTheCommitsThatChangedAPart() throws {
    let store = try self.makeStore(true, ["a": ["x": 1], "b": 1])
    try store.merge(["b": 2], type: "b")
    try store.dispatch(batch: [
      ["type": "one", "payload": ["a": ["x": 2]]], ["type": "two", "payload": ["b": 3]],
    ])
    try store.merge(["a": .null], type: "gone")
    try store.merge(["b": 4], type: "undone")
    try store.undo()
    #expect(
      try store.blame(JSONPointer("/a/x")).withoutTimes
        == [
          ["number": 4, "step": 4, "type": "gone", "before": 2],
          ["number": 2, "step": 2, "type": "one", "before": 1, "after": 2],
        ])
    #expect(try store.blame(JSONPointer("/b"), ["count": 1]).afters == [3])
    #expect(try store.blame(JSONPointer("/none")) == [])
    #expect(
      failure { () throws(EngineError) in
        _ = try store.blame(JSONPointer(), ["count": -1])
      }?.code == .invalidArgument)
  }

  @Test func blameOfADomain() throws {
    let store = try AnyStore(CounterDomain.self, options: ["history": true])
    try store.dispatch(["type": "didTapIncrementButton"])
    #expect(try store.blame(JSONPointer()).withoutTimes.afters.count == 1)
    #expect(try store.undo() == 1)
    #expect(try store.select("selectValue") == 0)
  }
}

extension Value {
  private var entries: [Value] {
    if case .array(let entries) = self { Array(entries) } else { [] }
  }

  fileprivate var afters: [Value?] {
    self.entries.map { $0["after"] }
  }

  fileprivate var withoutTimes: Value {
    .array(
      JSONArray(
        self.entries.map { entry in
          guard case .object(var members) = entry else { return entry }
          members["time"] = nil
          return .object(members)
        }))
  }
}
