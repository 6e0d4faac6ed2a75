import ImmutableData
import ImmutableJSON
import TestSupport
import Testing
import Threading

@testable import StateEngine

/// The lines of a trace, without the members that differ from run to run.
final class TraceRecorder: Sendable {
  private let recorder = Recorder<Value>()

  /// Sets the function of a store.
  func record(_ store: AnyStore, then body: @escaping @Sendable (Value) -> Void = { _ in }) throws {
    try store.setTrace { [recorder] line in
      guard let line = try? Value(json: line.description) else { return }
      recorder.append(line)
      body(line)
    }
  }

  func append(_ line: Text) {
    if let line = try? Value(json: line.description) { self.recorder.append(line) }
  }

  /// All lines as they were written.
  var all: [Value] { self.recorder.all }

  /// The lines without times and the name of the store.
  var lines: [Value] {
    self.all.map { line in
      guard case .object(var members) = line else { return line }
      for name in ["time", "microseconds", "store", "id"] { members[name] = nil }
      return .object(members)
    }
  }
}

@Suite struct TraceTests {
  private let store: AnyStore
  private let trace = TraceRecorder()

  init() throws {
    self.store = try AnyStore(state: ["log": [], "last": .null]) { state, action in
      guard action["type"] != "refused" else { throw EngineError(.reducerFailed, "no") }
      guard action["type"] != "ignored", case .array(let log) = state["log"] else { return state }
      return ["log": .array(JSONArray(Array(log) + [action["payload"] ?? .null])), "last": action]
    }
  }

  @Test func anActionHasItsChanges() throws {
    try self.trace.record(self.store)
    try self.store.dispatch(["type": "added", "payload": 7, "meta": ["from": "test"]])
    #expect(
      self.trace.lines == [
        [
          "trace": "action", "number": 1,
          "action": ["type": "added", "payload": 7, "meta": ["from": "test"]],
          "changes": [
            [
              "op": "replace", "path": "/last",
              "value": ["type": "added", "payload": 7, "meta": ["from": "test"]],
            ],
            ["op": "add", "path": "/log/0", "value": 7],
          ],
        ]
      ])
    let line = try #require(self.trace.all.first)
    #expect(line["store"]?.string?.hasPrefix("store ") == true)
    #expect((line["time"]?.integer ?? 0) > 1_700_000_000_000)
    guard case .real(let time) = line["microseconds"] else {
      throw EngineError(.corrupt, "\(line)")
    }
    #expect(time >= 0)
  }

  @Test func anActionThatChangesNothingHasNoChanges() throws {
    try self.trace.record(self.store)
    try self.store.dispatch(["type": "ignored"])
    #expect(self.trace.lines.map { $0["changes"] } == [[]])
  }

  @Test func eachActionOfABatchHasALine() throws {
    try self.trace.record(self.store)
    try self.store.dispatch(batch: [["type": "a"], ["type": "ignored"]])
    #expect(self.trace.lines.map { $0["action"] } == [["type": "a"], ["type": "ignored"]])
    #expect(self.trace.lines.map { $0["number"] } == [1, 2])
    #expect(self.trace.all.allSatisfy { $0["microseconds"] != nil })
  }

  @Test func aFailedDispatchHasALine() throws {
    try self.trace.record(self.store)
    #expect(
      failure { () throws(EngineError) in try self.store.dispatch(["type": "refused"]) } != nil)
    #expect(failure { () throws(EngineError) in try self.store.dispatch(["kind": 1]) } != nil)
    #expect(
      failure { () throws(EngineError) in
        try self.store.dispatch(batch: [["type": "a"], ["type": "refused"]])
      } != nil)
    #expect(
      self.trace.lines == [
        [
          "trace": "rejected", "action": ["type": "refused"], "code": "reducerFailed",
          "message": "no",
        ],
        [
          "trace": "rejected", "action": ["kind": 1], "code": "invalidAction",
          "message":
            "the action has no \"type\"; an action looks like {\"type\":\"added\"}",
        ],
        [
          "trace": "rejected", "actions": [["type": "a"], ["type": "refused"]],
          "code": "reducerFailed",
          "message": "action 2 of 2: no; the batch was not applied",
        ],
      ])
  }

  /// Before effects and observers, although they began first.
  @Test func theTraceOfAnActionComesFirst() throws {
    let order = Recorder<String>()
    try self.store.setRule { _, _, _ in
      order.append("rule")
      return []
    }
    try self.store.define("last", "last")
    try self.store.observe("last", [:], ObservationOptions(["initial": false])) { _ in
      order.append("observer")
    }
    try self.trace.record(self.store) { order.append($0["trace"]?.string ?? "") }
    try self.store.dispatch(["type": "a"])
    // The observer itself, and its line.
    #expect(order.all == ["action", "rule", "selector", "observer", "observer"])
  }

  @Test func evaluationsOfSelectsHaveLines() throws {
    try self.store.define("size", "length(log)")
    try self.store.define("double", FunctionOptions(inputs: ["size"])) { inputs, _ in
      .integer(2 * (inputs[0].integer ?? 0))
    }
    try self.trace.record(self.store)
    _ = try self.store.select("size")
    _ = try self.store.select("size")  // cached
    _ = try self.store.query("get(log, $index)", ["index": 0])
    _ = try self.store.select("double")
    try self.store.dispatch(["type": "ignored"])
    _ = try self.store.select("size")  // valid
    try self.store.dispatch(["type": "a"])
    _ = try self.store.query("length(last.type)")
    _ = failure { () throws(EngineError) in _ = try self.store.query("abs(log)") }
    let lines = self.trace.lines.filter { $0["trace"] == "selector" }
    #expect(
      lines == [
        ["trace": "selector", "name": "size", "expression": "length(log)", "changed": true],
        [
          "trace": "selector", "expression": "get(log, $index)", "arguments": ["index": 0],
          "changed": true,
        ],
        ["trace": "selector", "name": "double", "inputs": ["size"], "changed": true],
        ["trace": "selector", "expression": "length(last.type)", "changed": true],
        [
          "trace": "selector", "expression": "abs(log)", "changed": true,
          "code": "invalidSelector",
          "message": "argument 1 of abs() must be a number, got an array\n  abs(log)\n      ^",
        ],
      ])
  }

  @Test func evaluationsOfObservationsHaveLines() throws {
    try self.store.define("last", "last.payload")
    try self.store.define("size", "length(log)")
    try self.store.define("both", "[last.type, $x]")
    let options = try ObservationOptions(
      ["dependencies": ["last", "size"], "label": "list", "initial": false])
    try self.trace.record(self.store)
    try self.store.observe("both", ["x": 1], options) { _ in }
    try self.store.dispatch(["type": "a", "payload": 1])
    try self.store.dispatch(["type": "a", "payload": 1])
    try self.store.dispatch(["type": "ignored"])
    let expected: (Value, Value, Bool) -> Value = { number, last, changed in
      [
        "trace": "selector", "number": number, "name": "both", "label": "list",
        "expression": "[last.type, $x]", "arguments": ["x": 1],
        "dependencies": ["last": last, "size": true], "changed": .bool(changed),
      ]
    }
    #expect(
      self.trace.lines.filter { $0["trace"] == "selector" } == [
        expected(0, true, true), expected(1, true, true), expected(2, false, false),
      ])
  }

  @Test func callsOfObserversHaveLines() throws {
    try self.store.define("last", "last.payload")
    try self.trace.record(self.store)
    let options = try ObservationOptions(["label": "list", "initial": false])
    try self.store.observe("last", [:], options) { _ in }
    try self.store.observe("last", [:], ObservationOptions(["when": "queued"])) { _ in }
    let cancelled = try self.store.observe("last", [:], ObservationOptions(["when": "queued"])) {
      _ in
    }
    try self.store.dispatch(["type": "a", "payload": 1])
    cancelled.cancel()
    let inline: Value = ["trace": "observer", "name": "last", "label": "list"]
    #expect(self.trace.lines.filter { $0["trace"] == "observer" } == [inline])
    // The initial output and the next one of the second, by this thread.
    #expect(try self.store.poll() == 2)
    let queued: Value = ["trace": "observer", "name": "last"]
    #expect(self.trace.lines.filter { $0["trace"] == "observer" } == [inline, queued, queued])
  }

  @Test func aRedefinedSelectorHasALine() throws {
    try self.store.define("last", "last.payload")
    try self.store.observe("last") { _ in }
    try self.trace.record(self.store)
    try self.store.define("last", "last.type")
    #expect(
      self.trace.lines == [
        [
          "trace": "selector", "number": 0, "name": "last", "expression": "last.type",
          "changed": false,
        ]
      ])
  }

  @Test func aJumpIsAnAction() throws {
    let store = try AnyStore(state: 0, options: ["history": true]) { _, action in
      action["payload"] ?? 0
    }
    try store.dispatch(["type": "set", "payload": 1])
    try self.trace.record(store)
    _ = try store.undo()
    #expect(
      self.trace.lines == [
        [
          "trace": "action", "number": 2,
          "action": ["type": "@@history/undone", "payload": ["number": 0]],
          "changes": [["op": "replace", "path": "", "value": 0]],
        ]
      ])
  }

  @Test func effectsOfTheProgramHaveLines() throws {
    try self.store.setRule { action, _, _ in
      action["type"] == "ask"
        ? [RequestedEffect("echo", action["payload"] ?? .null, success: "echoed")] : []
    }
    try self.store.setEffect("echo") { task in
      if task.arguments == "no" {
        try? task.reject("refused")
      } else {
        try? task.resolve(task.arguments)
      }
    }
    try self.trace.record(self.store)
    try self.store.dispatch(["type": "ask", "payload": 1])
    try self.store.settle()
    try self.store.dispatch(["type": "ask", "payload": "no"])
    try self.store.settle()
    #expect(
      self.trace.lines.filter { ["effect", "failure"].contains($0["trace"]) } == [
        ["trace": "effect", "event": "began", "name": "echo", "arguments": 1],
        ["trace": "effect", "event": "ended", "name": "echo", "result": 1],
        ["trace": "effect", "event": "began", "name": "echo", "arguments": "no"],
        [
          "trace": "effect", "event": "failed", "name": "echo", "code": "io", "message": "refused",
        ],
        ["trace": "failure", "code": "io", "message": "the effect \"echo\": refused"],
      ])
    let ids = self.trace.all.compactMap { $0["id"] }
    #expect(ids == [1, 1, 2, 2])
  }

  /// A select and a dispatch in the function of a trace neither recurse nor write lines.
  @Test func theFunctionOfATraceIsNotTraced() throws {
    let (store, errors) = (self.store, Recorder<EngineError?>())
    try self.trace.record(store) { _ in
      _ = try? store.query("log")
      errors.append(failure { () throws(EngineError) in try store.dispatch(["type": "again"]) })
    }
    try store.dispatch(["type": "a"])
    #expect(self.trace.lines.count == 1)
    #expect(errors.all.map { $0?.code } == [.reentrant])
    #expect(
      errors.all.first??.message
        == "the function of a trace dispatched an action; dispatch after it has returned")
  }

  @Test func theFunctionCanBeReplacedAndRemoved() throws {
    let (first, second, released) = (TraceRecorder(), TraceRecorder(), Recorder<Int>())
    try first.record(self.store)
    try self.store.dispatch(["type": "a"])
    try self.store.setTrace(release: { released.append(1) }) { _ in }
    try second.record(self.store)
    #expect(released.all == [1])
    try self.store.dispatch(["type": "a"])
    try self.store.removeTrace()
    try self.store.dispatch(["type": "a"])
    #expect(first.lines.count == 1)
    #expect(second.lines.count == 1)
    try second.record(self.store)
    self.store.close()
    #expect(failure { () throws(EngineError) in try self.store.removeTrace() }?.code == .closed)
  }

  /// A trace does not keep its store alive.
  @Test func aStoreIsReleased() throws {
    let releases = Recorder<Int>()
    weak var released: AnyStore?
    do {
      let store = try AnyStore(state: 0, options: ["trace": ["file": "/dev/null"]]) { state, _ in
        state
      }
      try store.setTrace(release: { releases.append(1) }) { _ in }
      try store.dispatch(["type": "a"])
      released = store
    }
    #expect(released == nil)
    #expect(releases.all == [1])
  }

  @Test func aTypedStoreIsTraced() throws {
    let store = Store(initialState: NotesDomain.initialState, reducer: NotesDomain.reduce)
    let json = try AnyStore(over: store, as: NotesDomain.self)
    try self.trace.record(json)
    try store.dispatch(action: .ui(.editor(.didSave(id: "1", text: "Milk"))))
    _ = try json.select("selectNote", ["id": "1"])
    #expect(
      self.trace.lines == [
        [
          "trace": "action", "number": 1,
          "action": ["type": "ui/editor/didSave", "payload": ["id": "1", "text": "Milk"]],
          "changes": [["op": "add", "path": "/notes/1", "value": "Milk"]],
        ],
        [
          "trace": "selector", "name": "selectNote", "arguments": ["id": "1"], "changed": true,
        ],
      ])
    #expect(self.trace.all[0]["microseconds"] != nil)
    #expect(self.trace.all[0]["store"]?.string?.hasPrefix("notes ") == true)
  }

  @Test func changesBeyondTheBudgetAreReplacedByAMessage() throws {
    let long = String(repeating: "a", count: 17 << 20)
    let store = try AnyStore(state: "") { _, action in
      .string(long + (action["type"]?.string ?? ""))
    }
    try store.dispatch(["type": "a"])
    try self.trace.record(store)
    try store.dispatch(["type": "b"])
    #expect(
      self.trace.lines == [
        [
          "trace": "action", "number": 2, "action": ["type": "b"],
          "message": .string(
            "the changes are not shown: comparing takes more than 1048576 units of work, which is "
              + "its budget"),
        ]
      ])
  }

  /// Many threads dispatch and select while the function is set and removed.
  @Test func tracesMayBeginAndEndAtAnyTime() throws {
    let (store, trace) = (self.store, self.trace)
    onThreads(4) { thread in
      for index in 0..<200 {
        switch thread {
        case 0: try? index % 2 == 0 ? trace.record(store) : store.removeTrace()
        case 1: _ = try? store.query("length(log)")
        default: try? store.dispatch(["type": "a"])
        }
      }
    }
    #expect(self.trace.all.allSatisfy { $0["trace"] != nil })
  }
}
