import CounterData
import ImmutableJSON
import StateEngine
import Testing

@Suite struct AnyStoreTests {
  @Test func counterByText() throws {
    let store = try AnyStore(CounterDomain.self, options: ["state": ["value": 40]])
    try store.dispatch(#"{"type":"didTapIncrementButton"}"#)
    try store.dispatchBatch(
      #"[{"type":"didTapIncrementButton"},{"type":"didTapIncrementButton","meta":{"by":"me"}}]"#)
    try store.dispatch(["type": "didTapDecrementButton"])
    #expect(try store.select("selectValue", nil) == "42")
    #expect(try store.select("selectValue", "{}") == "42")
  }

  @Test func groupedActionsPayloadsAndArguments() throws {
    let store = try AnyStore(NotesDomain.self)
    try store.dispatch(#"{"type":"ui/editor/didSave","payload":{"text":"b","id":"2"}}"#)
    try store.dispatch(#"{"type":"ui/editor/didSave","payload":{"text":"a","id":"1"}}"#)
    #expect(try store.select("selectNotes", nil) == #"{"1":"a","2":"b"}"#)
    #expect(try store.select("selectNote", #"{"id":"2"}"#) == #""b""#)
    #expect(try store.select("selectNote", #"{"id":"3"}"#) == "null")
    try store.dispatch(#"{"type":"ui/editor/didPick","payload":{"color":"red"}}"#)
    #expect(try store.select("selectColor", nil) == #""red""#)
    for payload in [#","payload":{"color":null}"#, #","payload":{}"#, ""] {
      try store.dispatch(#"{"type":"ui/editor/didPick"\#(payload)}"#)
      #expect(try store.select("selectColor", nil) == "null")
    }
    try store.dispatch(#"{"type":"clear"}"#)
    #expect(try store.select("selectNotes", nil) == "{}")
  }

  static let badActions: [(String, EngineError.Code, String)] = [
    (
      "[]", .invalidAction,
      #"an action is an object such as {"type":"clear"}, not an array; "#
        + "dispatch_batch, in Swift dispatch(batch:), takes an array of actions"
    ),
    ("null", .invalidAction, #"an action is an object such as {"type":"clear"}, not null"#),
    (
      "{}", .invalidAction,
      #"the action has no "type"; an action looks like {"type":"clear"}"#
    ),
    (
      #"{"type":7}"#, .invalidAction,
      #"the "type" of an action is a string, not an integer"#
    ),
    (
      #"{"type":"clera"}"#, .invalidAction,
      #"unknown action type "clera"; did you mean "clear"?"#
    ),
    (
      #"{"type":"ui/editor/didsav"}"#, .invalidAction,
      #"unknown action type "ui/editor/didsav"; did you mean "ui/editor/didSave" or "#
        + #""ui/editor/didPick"?"#
    ),
    (
      #"{"type":"x"}"#, .invalidAction,
      #"unknown action type "x"; expected one of: "clear", "ui/editor/didPick", "#
        + #""ui/editor/didSave""#
    ),
    (
      #"{"type":"clear","payload":{}}"#, .invalidAction,
      #""clear" takes no payload; leave out "payload""#
    ),
    (
      #"{"type":"clear","error":true}"#, .invalidAction,
      #"an action has no member "error"; its members are "type", "payload" and "meta""#
    ),
    (
      #"{"type":"ui/editor/didSave"}"#, .invalidAction,
      #""ui/editor/didSave": payload: the member "id" is missing"#
    ),
    (
      #"{"type":"ui/editor/didSave","payload":[]}"#, .invalidAction,
      #""ui/editor/didSave": payload: expected an object, found an array"#
    ),
    (
      #"{"type":"ui/editor/didSave","payload":{"id":"1","text":2}}"#, .invalidAction,
      #""ui/editor/didSave": payload/text: expected a string, found an integer"#
    ),
    (
      #"{"type":"ui/editor/didSave","payload":{"id":"1","txt":""}}"#, .invalidAction,
      #""ui/editor/didSave": payload: unknown member "txt"; did you mean "text"?"#
    ),
    (
      #"{"type":"ui/editor/didPick","payload":{"color":"gren"}}"#, .invalidAction,
      #""ui/editor/didPick": payload/color: invalid value "gren"; did you mean "green"?"#
    ),
    (
      #"{"type":"ui/editor/didSave","payload":{"id":"1","text":"far too long"}}"#,
      .reducerFailed, "a note has at most 10 letters; shorten it"
    ),
    (
      "{type:1}", .invalidJSON,
      #"the action is not JSON: string or '}' expected near 'type'; put keys in double quotes; "#
        + #"an action is an object such as {"type":"…"}"#
    ),
    (
      #"{"type":9223372036854775808}"#, .limit,
      "the action is beyond a limit: too big integer near '9223372036854775808'; "
        + "integers have 64 bits, other numbers are doubles"
    ),
  ]

  @Test(arguments: Self.badActions)
  func anInvalidActionThrowsAndChangesNothing(
    _ text: String, _ code: EngineError.Code, _ message: String
  ) throws {
    let store = try AnyStore(
      NotesDomain.self, options: ["state": ["notes": ["1": "a"], "color": "red"]])
    let error = failure { () throws(EngineError) in try store.dispatch(text) }
    #expect(error?.code == code)
    #expect(error?.message == message)
    #expect(try store.select("selectNotes", nil) == #"{"1":"a"}"#)
    try store.dispatch(#"{"type":"clear"}"#)
    #expect(try store.select("selectNotes", nil) == "{}")
  }

  @Test(arguments: [
    ("{}", EngineError.Code.invalidAction, "a batch is an array of actions, not an object"),
    (
      #"[{"type":"clear"},{"type":"clear"},{"type":1}]"#, .invalidAction,
      #"action 3 of 3: the "type" of an action is a string, not an integer; "#
        + "the batch was not applied"
    ),
    (
      #"[{"type":"clear"},{"type":"ui/editor/didSave","payload":{"id":"1","text":"far too "#
        + #"long"}}]"#,
      .reducerFailed,
      "action 2 of 2: a note has at most 10 letters; shorten it; the batch was not applied"
    ),
    (
      "[", .invalidJSON,
      "the batch is not JSON: ']' expected near end of file; "
        + #"a batch is an array of actions such as [{"type":"…"}]"#
    ),
  ])
  func anInvalidBatchThrowsAndChangesNothing(
    _ text: String, _ code: EngineError.Code, _ message: String
  ) throws {
    let store = try AnyStore(NotesDomain.self, options: ["state": ["notes": ["1": "a"]]])
    let error = failure { () throws(EngineError) in try store.dispatchBatch(text) }
    #expect(error?.code == code)
    #expect(error?.message == message)
    #expect(try store.select("selectNotes", nil) == #"{"1":"a"}"#)
  }

  @Test(arguments: [
    (
      "selectNots", nil, EngineError.Code.unknownSelector,
      #"unknown selector "selectNots"; did you mean "selectNote" or "selectNotes"?"#
    ),
    (
      "selectNote", nil, .invalidArgument,
      #""selectNote": arguments: the member "id" is missing"#
    ),
    (
      "selectNote", #"{"id":1}"#, .invalidArgument,
      #""selectNote": arguments/id: expected a string, found an integer"#
    ),
    (
      "selectNotes", #"{"id":"1"}"#, .invalidArgument,
      #""selectNotes": arguments: unknown member "id"; there are none"#
    ),
    (
      "selectNotes", "[]", .invalidArgument,
      #""selectNotes": arguments: expected an object, found an array"#
    ),
    (
      "selectNotes", "{", .invalidJSON,
      "the arguments are not JSON: string or '}' expected near end of file; "
        + #"arguments are an object such as {"name":"value"}"#
    ),
  ])
  func anInvalidSelectThrows(
    _ name: String, _ arguments: String?, _ code: EngineError.Code, _ message: String
  ) throws {
    let store = try AnyStore(NotesDomain.self)
    let error = failure { () throws(EngineError) in _ = try store.select(name, arguments) }
    #expect(error?.code == code)
    #expect(error?.message == message)
  }

  @Test func anErrorInJSONHasAPosition() throws {
    let store = try AnyStore(CounterDomain.self)
    let error = failure { () throws(EngineError) in try store.dispatch("{\n type:1}") }
    #expect([error?.line, error?.column, error?.offset] == [2, 5, 7])
  }

  @Test(arguments: [
    (Int64.max, "didTapIncrementButton", "didTapDecrementButton", "largest", "decrement"),
    (Int64.min, "didTapDecrementButton", "didTapIncrementButton", "smallest", "increment"),
  ])
  func theCounterThrowsOnOverflow(
    _ value: Int64, _ beyond: String, _ back: String, _ limit: String, _ remedy: String
  ) throws {
    let store = try AnyStore(CounterDomain.self, options: ["state": ["value": .integer(value)]])
    let error = failure { () throws(EngineError) in try store.dispatch(["type": .string(beyond)]) }
    #expect(error?.code == .reducerFailed)
    #expect(
      error?.message
        == "the counter is at \(value), the \(limit) value it can have; \(remedy) it instead")
    #expect(try store.select("selectValue") == .integer(value))
    try store.dispatch(["type": .string(back)])
    #expect(try store.select("selectValue") != .integer(value))
  }
}
