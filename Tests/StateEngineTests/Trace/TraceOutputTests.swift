import ImmutableJSON
import TestSupport
import Testing

@testable import StateEngine

/// The options of a trace, its file, and its lines for people.
@Suite struct TraceOutputTests {
  private func options(
    _ option: Value?, trace: String? = nil, file: String? = nil, redact: String? = nil
  ) throws -> (UInt8, String, [String]) {
    let options = try TraceOptions(
      option: option, TraceEnvironment(trace: trace, file: file, redact: redact))
    let destination =
      switch options.destination {
      case .nowhere: "-"
      case .standardError: "stderr"
      case .file(let path): path
      }
    return (options.kinds.bits, destination, options.redaction.pointers.map(\.description))
  }

  @Test func theOptionTakesPrecedence() throws {
    #expect(try self.options(nil) == (47, "-", []))
    #expect(try self.options(true) == (47, "stderr", []))
    #expect(try self.options(["selectors"]) == (4, "stderr", []))
    #expect(try self.options(["observers"]) == (32, "stderr", []))
    #expect(try self.options(["changes"]) == (3, "stderr", []))
    #expect(try self.options(["show": ["all"], "file": "f"]) == (47, "f", []))
    #expect(try self.options(["file": .null, "redact": ["/a"]]) == (47, "-", ["/a"]))
    #expect(try self.options(nil, trace: "actions, effects") == (9, "stderr", []))
    #expect(
      try self.options(nil, trace: "all", file: "f", redact: "/a,/b") == (47, "f", ["/a", "/b"]))
    #expect(try self.options(false, trace: "all", file: "f") == (47, "-", []))
    #expect(
      try self.options(["redact": ["/c"]], trace: "actions", file: "f", redact: "/a")
        == (47, "f", ["/a", "/c"]))
    // With warnings on standard error:
    #expect(try self.options(nil, trace: "action") == (47, "-", []))
    #expect(try self.options(nil, trace: "x,actions") == (1, "stderr", []))
    #expect(try self.options(nil, redact: "/a,b") == (47, "-", [""]))
  }

  private func message(_ option: Value) -> String? {
    failure { () throws(EngineError) in
      _ = try AnyStore(state: 0, options: ["trace": option]) { state, _ in state }
    }?.message
  }

  @Test func mistakesInTheOptionAreRefused() {
    #expect(
      self.message(1)
        == "options/trace: expected true, an array of names such as [\"actions\"], or an object "
        + "such as {\"show\":[\"actions\"],\"file\":\"trace.jsonl\"}, not an integer")
    #expect(
      self.message(["action"])
        == "options/trace/0: invalid value \"action\"; did you mean \"actions\"?")
    #expect(self.message(["what": 1])?.hasPrefix("options/trace: unknown member \"what\"") == true)
    #expect(
      self.message(["file": "/none/file"])
        == "the trace \"/none/file\" cannot be opened: No such file or directory")
    #expect(self.message(["file": "/tmp"]) == "the trace \"/tmp\" cannot be opened: Is a directory")
    #expect(
      self.message(["file": ""]) == "the path of a trace must not be empty or contain a NUL")
  }

  @Test func aFileGetsJSONLines() throws {
    let folder = try TemporaryFolder()
    try folder.write("before\n", to: "trace")
    let store = try AnyStore(
      state: 0, options: ["trace": ["file": .string(folder.file("trace")), "show": ["actions"]]]
    ) { _, action in action["payload"] ?? 0 }
    try store.dispatch(["type": "a\n", "payload": 1])
    // A function gets the lines instead.
    try store.setTrace { _ in }
    try store.dispatch(["type": "b"])
    try store.removeTrace()
    try store.dispatch(["type": "c"])
    let lines = String(
      decoding: try #require(content(of: folder.file("trace"))), as: UTF8.self
    ).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first == "before")
    let actions = try lines.dropFirst().map { try Value(json: String($0))["action"] }
    #expect(actions == [["type": "a\n", "payload": 1], ["type": "c"]])
  }

  private func check(
    _ line: Value, _ expected: String, colors: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = TraceText(hasColors: colors).bytes(of: line)
    #expect(String(decoding: text, as: UTF8.self) == expected, sourceLocation: sourceLocation)
  }

  @Test func linesForPeople() {
    self.check(
      [
        "trace": "action", "store": "todos 1", "number": 3, "microseconds": 4.5,
        "action": ["type": "added", "payload": ["text": "Milk"], "meta": 1],
        "changes": [
          ["op": "add", "path": "/todos/0", "value": ["text": "Milk"]],
          ["op": "replace", "path": "", "value": 1], ["op": "remove", "path": "/a"],
          ["op": "move", "from": "/todos/2", "path": "/todos/0"],
        ],
      ],
      """
      [todos 1] #3 added {"text":"Milk"} meta 1 4.5 µs
          + /todos/0 {"text":"Milk"}
          = (all) 1
          - /a
          > /todos/0 from /todos/2
      """)
    self.check(
      [
        "trace": "rejected", "store": "s 1", "action": ["type": "a"], "code": "reducerFailed",
        "message": "no\n\u{1B}[1m",
      ], #"[s 1] rejected a reducerFailed: no\u{a}\u{1b}[1m"#)
    self.check(
      ["trace": "observer", "store": "s 1", "name": "n", "label": "l", "microseconds": 1500.0],
      "[s 1] observer n (l) 1.5 ms")
    self.check(
      [
        "trace": "selector", "store": "s 1", "name": "n", "label": "l", "arguments": ["x": 1],
        "dependencies": ["a": true, "b": false], "changed": false, "microseconds": 1.0,
      ], #"[s 1] selector n (l) {"x":1} unchanged (a changed, b unchanged) 1.0 µs"#)
    self.check(
      [
        "trace": "request", "store": "s 1", "event": "ended", "method": "GET", "url": "http://a",
        "status": 200, "bytes": 1, "microseconds": 1234567.8,
      ], "[s 1] request GET http://a ended 200 1 byte 1234.5 ms")
    self.check(
      ["trace": "effect", "store": "s 1", "event": "began", "after": "a"],
      "[s 1] \u{1B}[33meffect\u{1B}[0m after a began".replacing(
        "[s 1]", with: "\u{1B}[2m[s 1]\u{1B}[0m"),
      colors: true)
  }

  @Test func longValuesAreCut() {
    let long = String(repeating: "é", count: 1_000)
    func action(_ payload: Value) -> Value {
      ["trace": "action", "store": "s", "number": 1, "action": ["type": "a", "payload": payload]]
    }
    self.check(
      action(.string(long)),
      "[s] #1 a \"\(String(repeating: "é", count: 120))…\" (1760 more bytes)")
    self.check(
      action(.array(JSONArray((0..<1_000).map { .integer($0) }))), "[s] #1 a [0,1,2,3,… 996 more]")
    self.check(
      action([
        "a": .string(long), "b": .array(JSONArray((0..<50).map { .integer($0) })), "c": 1, "d": [:],
        "e": 1,
      ]),
      "[s] #1 a {\"a\":\"\(String(repeating: "é", count: 24))…\",\"b\":[… 50],\"c\":1,\"d\":{},… 1 "
        + "more}"
    )
    let changes = JSONArray(
      (0..<20).map { ["op": "remove", "path": .string("/\($0)")] })
    self.check(
      ["trace": "action", "store": "s", "number": 1, "changes": .array(changes)],
      "[s] #1\n" + (0..<16).map { "    - /\($0)\n" }.joined() + "    … 4 more changes")
  }
}
