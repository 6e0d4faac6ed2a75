import ImmutableJSON
import TestSupport
import Testing
import Threading

@testable import StateEngine

/// What must not be shown is in no line of a trace.
@Suite struct TraceRedactionTests {
  private static let pointers = [
    "/a/secret", "/list/1", "/list/2/x", "/b", "/payload/token", "/c~1d",
  ]

  /// A random value without secrets, whose members are often those that the pointers name.
  private func value(_ random: inout SeededGenerator, depth: Int = 0) -> Value {
    switch Int.random(in: 0..<(depth < 3 ? 7 : 4), using: &random) {
    case 0: return .integer(Int64.random(in: 0..<5, using: &random))
    case 1: return .string("open")
    case 2: return .null
    case 3: return .bool(true)
    case 4:
      let count = Int.random(in: 0..<5, using: &random)
      return .array(JSONArray((0..<count).map { _ in self.value(&random, depth: depth + 1) }))
    default:
      let names = ["a", "secret", "list", "x", "b", "payload", "token", "c/d", "e"]
      let count = Int.random(in: 0..<6, using: &random)
      return .object(
        JSONObject(
          (0..<count).map { _ in
            (
              names[Int.random(in: 0..<names.count, using: &random)],
              self.value(&random, depth: depth + 1)
            )
          }))
    }
  }

  /// The value with secrets at the pointers that lead somewhere.
  private func withSecrets(_ value: Value, _ random: inout SeededGenerator) throws -> Value {
    try Self.pointers.reduce(value) { value, text in
      let pointer = try JSONPointer(text)
      let secret: Value = .string("SECRET\(Int.random(in: 0..<9, using: &random))")
      let element: Value = random.isOne(in: 2) ? secret : ["deep": [secret], "x": secret]
      guard (try? value.get(pointer)) != nil || random.isOne(in: 3) else { return value }
      return (try? value.setting(pointer, element)) ?? value
    }
  }

  private func object(_ random: inout SeededGenerator) throws -> Value {
    var members: JSONObject = ["a": self.value(&random), "list": self.value(&random)]
    members["e"] = self.value(&random)
    return try self.withSecrets(.object(members), &random)
  }

  @Test(arguments: seeds(20)) func redactedValuesAreInNoLine(seed: Int) throws {
    var random = SeededGenerator(seed)
    let store = try AnyStore(
      state: self.object(&random),
      options: [
        "trace": ["redact": .array(JSONArray(Self.pointers.map(Value.string))), "file": .null]
      ]
    ) { _, action in
      guard action["type"] != "refused" else { throw EngineError(.reducerFailed, action.json) }
      return action["meta"]?["next"] ?? [:]
    }
    try store.setRule { action, _, new in
      [RequestedEffect("echo", action["meta"]?["next"] ?? .null)]
    }
    try store.setEffect("echo") { task in
      if task.arguments["e"] == .null {
        try? task.reject(task.arguments.json)
      } else {
        try? task.resolve(task.arguments)
      }
    }
    try store.define("failing", FunctionOptions()) { inputs, _ in
      throw EngineError(.invalidSelector, inputs[0].json)
    }
    let lines = Recorder<String>()
    try store.setTrace { lines.append($0.description) }
    for _ in 0..<20 {
      // The next state is hidden in the action by a pointer of its own.
      var action: JSONObject = ["type": random.isOne(in: 5) ? "refused" : "replaced"]
      action["payload"] = ["token": "SECRET", "e": 1]
      let hidden = try self.object(&random)
      action["meta"] = ["next": hidden]
      try? store.dispatch(.object(action))
      _ = try? store.select("failing")
      _ = try? store.query("get(e, $b)", ["b": "SECRET"])
    }
    try store.settle()
    let meta = lines.all.filter { $0.firstRange(of: "\"next\":{") != nil }
    #expect(!meta.isEmpty)
    for line in lines.all {
      let shown = try Value(json: line)
      guard case .object(var members) = shown else { continue }
      // `meta` is not redacted.
      if let action = shown["action"] {
        members["action"] = try? action.removing(JSONPointer(["meta"]))
      }
      #expect(Value.object(members).json.firstRange(of: "SECRET") == nil)
    }
    #expect(lines.all.contains { $0.firstRange(of: "[redacted]") != nil })
  }

  private func changes(_ pointers: [String], _ old: Value, _ new: Value) throws -> Value {
    var redaction = Redaction()
    try redaction.add(pointers, "redact")
    let states = redaction.apply(to: (old, new))
    return try states.old.diff(to: states.new)
  }

  @Test func aRedactedChangeIsShownWithoutItsValue() throws {
    let redacted: Value = [["op": "replace", "path": "/a/b", "value": "[redacted]"]]
    let below: Value = [["op": "replace", "path": "/a", "value": "[redacted]"]]
    let (old, new): (Value, Value) = (["a": ["b": 1, "c": 2]], ["a": ["b": 3, "c": 2]])
    #expect(try self.changes(["/a/b"], old, new) == redacted)
    #expect(try self.changes(["/a"], old, new) == below)
    #expect(try self.changes(["/a", "/a/b"], old, new) == below)
    #expect(try self.changes(["/a/b", "/a"], old, new) == below)
    let all: Value = [["op": "replace", "path": "", "value": "[redacted]"]]
    #expect(try self.changes([""], old, new) == all)
    #expect(try self.changes(["/x", "/a/b/c", "/a/-"], old, old) == [])
    let other: Value = [["op": "replace", "path": "/a/b", "value": 3]]
    #expect(try self.changes(["/a/c"], old, new) == other)
    #expect(
      try self.changes(["/a/b"], ["a": [:]], new) == [
        ["op": "add", "path": "/a/b", "value": "[redacted]"],
        ["op": "add", "path": "/a/c", "value": 2],
      ])
    #expect(
      try self.changes(["/a/b"], new, ["a": ["c": 2]]) == [["op": "remove", "path": "/a/b"]])
  }

  /// The change puts the element with a secret before it leaves its place.
  @Test func elementsThatMoveAreRedacted() throws {
    let old: Value = [["s": 1], ["s": 2], ["s": 3], ["s": "secret"]]
    let new: Value = [["s": 2], ["s": 3], ["s": "secret"], ["s": "SECRET"]]
    let changes = try self.changes(["/3/s"], old, new)
    #expect(changes.json.firstRange(of: "SECRET") == nil)
  }

  private func message(_ pointers: Value) -> String? {
    failure { () throws(EngineError) in
      _ = try AnyStore(state: 0, options: ["trace": ["redact": pointers]]) { state, _ in state }
    }?.message
  }

  @Test func aPointerThatIsNoneIsRefused() {
    #expect(
      self.message(["user"])
        == "options/trace/redact: \"user\" is not a JSON Pointer: it must be empty or begin with "
        + "\"/\"; write \"/user\"")
    #expect(
      self.message(["/~"])
        == "options/trace/redact: \"/~\" is not a JSON Pointer: the \"~\" at offset 1 must be "
        + "followed by 0 or 1")
    #expect(self.message([1]) == "options/trace/redact/0: expected a string, found an integer")
    #expect(
      self.message(.array(JSONArray((0..<257).map { .string("/\($0)") })))
        == "options/trace/redact: 257 pointers are more than 256; name what contains the values")
  }

  @Test func theRestOfARequestIsHidden() throws {
    func shown(_ url: String, redact: [String] = []) throws -> [Value?] {
      var options = TraceOptions()
      try options.redaction.add(redact, "")
      let tracer = Tracer("store", options, nil)
      let lines = TraceRecorder()
      tracer.use(Callback { lines.append($0) })
      let receive = tracer.beginning(FetchRequest(url: url)) { _ in }
      receive(.response(FetchResponse(status: 200)))
      receive(.part([1, 2]))
      receive(.end(nil))
      #expect(lines.lines.map { $0["event"] } == ["began", "ended"])
      #expect(lines.lines.last?["status"] == 200)
      #expect(lines.lines.last?["bytes"] == 2)
      return [lines.lines.first?["url"]]
    }
    #expect(try shown("https://me:pw@host:1/a?b=c") == ["https://host:1/a?b=c"])
    #expect(try shown("https://host/a@b") == ["https://host/a@b"])
    #expect(try shown("https://me:pw@host/a?b=c", redact: ["/a"]) == ["https://host/…"])
    #expect(try shown("what", redact: ["/a"]) == ["…"])
  }
}
