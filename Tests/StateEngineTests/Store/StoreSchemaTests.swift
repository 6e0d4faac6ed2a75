import ImmutableJSON
import StateEngine
import TestSupport
import Testing

/// The option `schema`.
@Suite struct StoreSchemaTests {
  private static let actions: Value = [
    "added": [
      "properties": ["id": ["type": "string"]], "required": ["id"], "additionalProperties": false,
    ],
    "cleared": [:], "counted": ["type": "integer"],
  ]

  /// A store whose actions replace the state by their payload.
  private func store(_ schema: Value, state: Value = .null) throws -> AnyStore {
    try AnyStore(state: state, options: ["schema": schema]) { $1["payload"] ?? .null }
  }

  private func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch let error as EngineError {
      return "\(error.code): \(error.message)"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    (#"{"type":"added","payload":{"id":"a"}}"#, nil),
    (
      #"{"type":"added","payload":{"id":1}}"#,
      #"invalidAction: "added": payload/id: expected a string, found an integer"#
    ),
    (
      #"{"type":"added","payload":{"id":"a","i":1}}"#,
      #"invalidAction: "added": payload: unknown member "i"; expected "id""#
    ),
    (
      #"{"type":"added","meta":1}"#,
      #"invalidAction: "added": payload: the member "id" is missing; the action has no "payload""#
    ),
    (#"{"type":"added","payload":{"id":"a","id":"b"}}"#, nil),
    (#"{"type":"cleared"}"#, nil), (#"{"type":"cleared","payload":1,"meta":{}}"#, nil),
    (#"{"type":"counted","payload":1.0}"#, nil),
    (
      #"{"type":"counted"}"#,
      #"invalidAction: "counted": payload: expected an integer, found an object; "#
        + #"the action has no "payload""#
    ),
    (
      #"{"type":"aded","payload":{}}"#,
      #"invalidAction: unknown action type "aded"; did you mean "added"?"#
    ),
  ])
  func checksActions(_ action: String, _ expected: String?) throws {
    let store = try self.store(["actions": Self.actions])
    let other = try self.store(["actions": Self.actions])
    // As a value, and as text, which short actions stay.
    let value = try Value(json: action)
    #expect(self.message { try store.dispatch(value) } == expected)
    var text = action
    let scope = try other.enter(.dispatch)
    let outcome = self.message {
      try text.withUTF8 { try other.dispatch(text: .init($0), in: scope) }
    }
    #expect(outcome == expected)
    let state = try store.state()
    #expect(state == (expected == nil ? value["payload"] ?? .null : .null))
    #expect(try other.state() == state)
  }

  @Test func allowsUnknownActions() throws {
    let store = try self.store(["actions": Self.actions, "unknownActions": "allow"])
    try store.dispatch(["type": "other", "payload": 2])
    #expect(try store.state() == 2)
    #expect(
      self.message { try store.dispatch(["type": "added"]) }?.hasPrefix("invalidAction") == true)
  }

  @Test func namesActionOfBatch() throws {
    let store = try self.store(["actions": Self.actions])
    let batch = #"[{"type":"cleared","payload":1},{"type":"counted","payload":"a"}]"#
    let expected =
      #"invalidAction: action 2 of 2: "counted": payload: expected an integer, found a string; "#
      + "the batch was not applied"
    #expect(self.message { try store.dispatch(batch: Value(json: batch)) } == expected)
    let scope = try store.enter(.dispatch)
    var text = batch
    #expect(
      self.message { try text.withUTF8 { try store.dispatch(batchText: .init($0), in: scope) } }
        == expected)
    #expect(try store.state() == .null)
  }

  @Test func checksStates() throws {
    let schema: Value = ["state": ["type": "object", "properties": ["n": ["type": "integer"]]]]
    let store = try self.store(schema, state: ["n": 1])
    try store.dispatch(["type": "a", "payload": ["n": 2]])
    #expect(
      self.message { try store.dispatch(["type": "a", "payload": ["n": "x"]]) }
        == "reducerFailed: the reducer returned a state that does not fit its schema: state/n: "
        + "expected an integer, found a string")
    #expect(try store.state() == ["n": 2])
    #expect(
      self.message { _ = try self.store(schema, state: ["n": .null]) }
        == "invalidArgument: state/n: expected an integer, found null")
  }

  /// Edits are checked where they are, and made only if they fit.
  @Test func checksEdits() throws {
    let schema: Value = ["state": ["additionalProperties": ["type": "integer"]]]
    let store = try AnyStore(
      state: ["a": 1], options: ["schema": schema],
      valueReducer: { state, action in
        ("/a" as StaticString).withStaticBytes {
          ValueEdits.replacing($0, by: action.value["payload"] ?? .null, in: state, after: nil)
        }
      })
    try store.dispatch(["type": "set", "payload": 2])
    #expect(
      self.message { try store.dispatch(["type": "set", "payload": "x"]) }
        == "reducerFailed: the reducer returned a state that does not fit its schema: state/a: "
        + "expected an integer, found a string")
    #expect(try store.state() == ["a": 2])
  }

  /// A log may have been written without the schema.
  @Test func leavesLogsUnchecked() throws {
    let folder = try TemporaryFolder()
    let path = Value.string("\(folder.path)/log")
    let reducer: @Sendable (Value, Value) -> Value = { $1["payload"] ?? .null }
    let old = try AnyStore(state: .null, options: ["log": path], reducer: reducer)
    try old.dispatch(["type": "other", "payload": "x"])
    old.close()
    let schema: Value = ["actions": Self.actions, "state": ["type": ["integer", "null"]]]
    let store = try AnyStore(
      state: .null, options: ["log": path, "schema": schema], reducer: reducer)
    #expect(try store.state() == "x")
    #expect(
      self.message { try store.dispatch(["type": "other"]) }?.hasPrefix("invalidAction") == true)
    store.close()
  }

  @Test func checksArguments() throws {
    let store = try self.store(
      ["arguments": ["part": ["properties": ["id": ["type": "string"]]]]], state: ["a": 1])
    try store.define("part", "get(@, $id)")
    try store.define("other", "$id")
    #expect(try store.select("part", ["id": "a"]) == 1)
    #expect(try store.select("other", ["id": 2]) == 2)
    let expected = "invalidArgument: arguments/id: expected a string, found an integer"
    #expect(self.message { _ = try store.select("part", ["id": 2]) } == expected)
    #expect(self.message { _ = try store.observe("part", ["id": 2]) { _ in } } == expected)
  }

  @Test(arguments: [
    (#"[{"effect":"echo","arguments":1,"success":"counted"}]"#, nil),
    (
      #"[{"effect":"echo","arguments":1},{"effect":"eco"}]"#,
      #"invalidArgument: effects/1: unknown effect "eco"; did you mean "echo"?"#
    ),
    (
      #"[{"effect":"echo","arguments":"a"}]"#,
      "invalidArgument: effects/0/arguments: expected an integer, found a string"
    ),
    (
      #"[{"effect":"echo","arguments":1,"success":"count"}]"#,
      #"invalidArgument: effects/0/success: unknown action type "count"; did you mean "counted"?"#
    ),
    (
      #"[{"effect":"echo","arguments":1,"failure":{"type":"x"}}]"#,
      #"invalidArgument: effects/0/failure: unknown action type "x"; "#
        + #"expected one of: "ask", "counted""#
    ),
    (
      #"[{"effect":"echo","arguments":9,"success":"counted"}]"#,
      #"invalidAction: the effect "echo": the action "counted": payload: expected a number of at "#
        + "most 5, found 9"
    ),
  ])
  func checksEffects(_ effects: String, _ expected: String?) throws {
    let schema: Value = [
      "actions": ["ask": [:], "counted": ["type": "integer", "maximum": 5]],
      "effects": ["echo": ["type": "integer"]],
    ]
    let store = try AnyStore(state: .null, options: ["schema": schema]) { state, _ in state }
    let (errors, runs) = (Recorder<EngineError>(), Recorder<Value>())
    try store.setEffectErrorHandler { errors.append($0) }
    try store.setEffect("echo") {
      runs.append($0.arguments)
      try? $0.resolve($0.arguments)
    }
    try store.setRule { action, _, _ in
      action["type"] == "ask" ? try RequestedEffect.effects(from: action["payload"] ?? .null) : []
    }
    try store.dispatch(["type": "ask", "payload": Value(json: effects)])
    try store.settle()
    #expect(errors.all.map { "\($0.code): \($0.message)" } == [expected].compactMap(\.self))
    // If one is refused, none begins.
    #expect(runs.all.isEmpty == (expected?.hasPrefix("invalidArgument") == true))
  }

  @Test(arguments: [
    (#"{"actoins":{}}"#, #"options/schema: unknown member "actoins"; did you mean "actions"?"#),
    (
      #"{"unknownActions":"yes"}"#,
      #"options/schema/unknownActions: invalid value "yes"; expected one of: "allow", "refuse""#
    ),
    (
      #"{"actions":{"a/b":{"typ":1}}}"#,
      #"options/schema/actions/a~1b/typ: the keyword "typ" is not supported; did you mean "type"?"#
    ),
    (
      #"{"$defs":{"id":{"typ":1}}}"#,
      #"options/schema/$defs/id/typ: the keyword "typ" is not supported; did you mean "type"?"#
    ),
    (
      ##"{"$defs":{"id":{}},"state":{"$ref":"#/$defs/di"}}"##,
      ##"options/schema/state/$ref: nothing at "#/$defs/di""##
    ),
    (
      #"{"state":{"items":{"uniqueItems":true}}}"#,
      #"options/schema/state/items: "uniqueItems" is not possible in a state: "#
        + #"each change would compare all elements; "#
        + #"use an object whose keys are unique"#
    ),
  ])
  func refusesSchemas(_ schema: String, _ expected: String) throws {
    let schema = try Value(json: schema)
    #expect(self.message { _ = try self.store(schema) } == "invalidArgument: \(expected)")
  }
}

/// Definitions for all schemas of a store, and what the store says of its schemas.
extension StoreSchemaTests {
  @Test func schemasReferToThoseOfAll() throws {
    let id: Value = ["$ref": "#/$defs/id"]
    let schema: Value = [
      "$defs": [
        "id": ["type": "string"],
        "tree": ["anyOf": [id, ["items": ["$ref": "#/$defs/tree"], "type": "array"]]],
      ],
      "actions": [
        "added": ["$ref": "#/$defs/tree"], "named": id,
        // Its own comes first.
        "counted": ["$defs": ["id": ["type": "integer"]], "$ref": "#/$defs/id"],
      ],
      "state": ["properties": ["id": id]],
    ]
    for action: Value in [
      ["type": "added", "payload": ["a", [["b"]]]], ["type": "named", "payload": "a"],
      ["type": "counted", "payload": 1],
    ] {
      try self.store(schema).dispatch(action)
    }
    let store = try self.store(schema)
    let message = self.message {
      try store.dispatch(["type": "named", "payload": 1])
    }
    #expect(message == #"invalidAction: "named": payload: expected a string, found an integer"#)
    let other = try self.store([
      "$defs": ["id": ["type": "string"]], "state": ["properties": ["id": id]],
    ])
    #expect(
      self.message { try other.dispatch(["type": "named", "payload": ["id": 1]]) }
        == "reducerFailed: the reducer returned a state that does not fit its schema: "
        + "state/id: expected a string, found an integer")
  }

  /// All together have at most so many schemas, however many refer to the same ones.
  @Test func sharedSchemasAreCompiledOnce() throws {
    let count = 3000
    func name(_ number: Int) -> String { "d\(number % count)" }
    func reference(_ number: Int) -> Value { ["$ref": .string("#/$defs/\(name(number))")] }
    var (definitions, actions): (JSONObject, JSONObject) = ([:], [:])
    for number in 0..<count {
      definitions[name(number)] = ["type": "object", "properties": ["next": reference(number + 1)]]
      actions[name(number)] = reference(number)
    }
    let store = try self.store(["$defs": .object(definitions), "actions": .object(actions)])
    #expect(
      self.message { try store.dispatch(["type": "d7", "payload": ["next": ["next": 1]]]) }
        == #"invalidAction: "d7": payload/next/next: expected an object, found an integer"#)
  }

  @Test func anUndoOfPartsMustFit() throws {
    let store = try AnyStore(
      state: ["kind": "text", "value": "a"],
      options: [
        "history": ["paths": ["/value"]],
        "schema": [
          "state": [
            "anyOf": [
              ["properties": ["kind": ["const": "text"], "value": ["type": "string"]]],
              ["properties": ["kind": ["const": "number"], "value": ["type": "integer"]]],
            ], "type": "object",
          ]
        ],
      ]
    ) { $1["payload"] ?? .null }
    try store.dispatch(["type": "set", "payload": ["kind": "text", "value": "b"]])
    try store.dispatch(["type": "set", "payload": ["kind": "number", "value": 1]])
    let message = self.message { try store.undo() }
    #expect(message?.hasPrefix("invalidArgument: with these parts of a past one, ") == true)
    #expect(try store.state() == ["kind": "number", "value": 1])
    try store.dispatch(["type": "set", "payload": ["kind": "number", "value": 2]])
    #expect(try store.undo() == 1)
    #expect(try store.state() == ["kind": "number", "value": 1])
  }

  @Test func longPathsAreShortened() throws {
    var payload: Value = 1
    for _ in 0..<120 { payload = ["n": payload] }
    let schema: Value = [
      "$defs": ["n": ["type": "object", "properties": ["n": ["$ref": "#/$defs/n"]]]],
      "actions": ["a": ["$ref": "#/$defs/n"]],
    ]
    let store = try self.store(schema)
    let message = self.message { try store.dispatch(["type": "a", "payload": payload]) }
    #expect(message?.hasSuffix("/n/n: expected an object, found an integer") == true)
    #expect((message?.utf8.count ?? 999) < 220)
  }

  @Test func describesItsSchemas() throws {
    let store = try self.store([
      "$defs": ["id": ["type": "string"]],
      "actions": ["b": [:], "a": ["description": "Adds.", "type": "object"]],
      "arguments": ["first": ["required": ["n"]]], "effects": ["save": ["type": "integer"]],
      "state": ["type": "null"],
    ])
    try store.define("first", "@")
    let description = try store.description()
    #expect(description["$defs"] == ["id": ["type": "string"]])
    #expect(
      description["actions"] == [
        [
          "payload": ["description": "Adds.", "type": "object"], "summary": "Adds.", "type": "a",
        ], ["payload": [:], "type": "b"],
      ])
    #expect(description["effects"] == [["arguments": ["type": "integer"], "name": "save"]])
    #expect(try description["selectors"]?.get(JSONPointer("/0/arguments")) == ["required": ["n"]])
    #expect(description["state"] == ["type": "null"])
    #expect(try self.store([:]).description() == ["selectors": []])
  }
}

extension StaticString {
  fileprivate func withStaticBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(start: self.utf8Start, count: self.utf8CodeUnitCount))
  }
}
