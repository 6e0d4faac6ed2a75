import ImmutableJSON
import StateEngine
import Testing
import Threading

/// Stores of JSON values, with optimistic updates in the `meta` of actions.
@Suite struct OptimisticUpdateMetaTests {
  /// A store whose reducer merges the payload into the state.
  private func makeStore(_ options: Value) throws -> AnyStore {
    try AnyStore(state: ["n": 0], options: options) { state, action in
      try state.merging(patch: action["payload"] ?? [:])
    }
  }

  @Test(arguments: [
    ("succeed", #"{"a":1,"done":true,"later":2,"n":0}"#),
    ("fail", #"{"done":true,"later":2,"n":0}"#),
  ])
  func metaBeginsAndEndsAChange(_ outcome: String, _ expected: String) throws {
    let store = try self.makeStore(["optimistic": true])
    try store.dispatch(
      #"{"type":"set","payload":{"a":1},"meta":{"by":"me","optimistic":{"begin":"17"}}}"#)
    try store.dispatch(#"{"type":"set","payload":{"later":2}}"#)
    #expect(try store.state().json == #"{"a":1,"later":2,"n":0}"#)
    #expect(try store.statistics()["optimisticUpdates"] == 1)
    let action =
      #"{"type":"set","payload":{"done":true},"meta":{"optimistic":{"\#(outcome)":"17"}}}"#
    try store.dispatch(action)
    #expect(try store.state().json == expected)
    #expect(try store.statistics()["optimisticUpdates"] == 0)
  }

  @Test(arguments: ["7", "null", "[]", "{}", #""optimistic""#, #"{"by":{"optimistic":1}}"#])
  func otherMetaIsIgnored(_ meta: String) throws {
    let store = try self.makeStore(["optimistic": true])
    try store.dispatch(#"{"type":"set","payload":{"a":1},"meta":\#(meta)}"#)
    #expect(try store.state() == ["a": 1, "n": 0])
  }

  static let refused: [(String, String)] = [
    ("7", "meta/optimistic: expected an object, found an integer"),
    ("null", "meta/optimistic: expected an object, found null"),
    (
      "{}",
      #"meta/optimistic: found 0 members; expected one of: "begin", "fail", "succeed""#
    ),
    (
      #"{"begin":"1","fail":"1"}"#,
      #"meta/optimistic: found 2 members; expected one of: "begin", "fail", "succeed""#
    ),
    (
      #"{"begins":"1"}"#,
      #"meta/optimistic: unknown member "begins"; did you mean "begin"?"#
    ),
    (#"{"fail":1}"#, "meta/optimistic/fail: expected a string, found an integer"),
    (#"{"succeed":null}"#, "meta/optimistic/succeed: expected a string, found null"),
  ]

  @Test(arguments: Self.refused)
  func anInvalidShapeThrows(_ optimistic: String, _ message: String) throws {
    let action = #"{"type":"set","payload":{"a":1},"meta":{"optimistic":\#(optimistic)}}"#
    let store = try self.makeStore(["optimistic": true])
    var error = failure { () throws(EngineError) in try store.dispatch(action) }
    #expect(error?.code == .invalidAction)
    #expect(error?.message == message)
    error = failure { () throws(EngineError) in
      try store.dispatchBatch(#"[{"type":"set","payload":{"b":1}},\#(action)]"#)
    }
    #expect(error?.code == .invalidAction)
    #expect(error?.message == "action 2 of 2: \(message); the batch was not applied")
    #expect(try store.state() == ["n": 0])
    let plain = try self.makeStore([:])
    error = failure { () throws(EngineError) in try plain.dispatch(action) }
    #expect(error?.code == .invalidAction)
    #expect(
      error?.message
        == #"the "meta" of the action has a member "optimistic", but the store was created "#
        + #"without the option "optimistic"; create it with {"optimistic":true}"#)
    #expect(try plain.state() == ["n": 0])
  }

  @Test(
    arguments: [
      (["optimist": true], #"unknown option "optimist"; did you mean "optimistic"?"#),
      (["optimistic": 1], "options/optimistic: expected a boolean, found an integer"),
    ] as [(Value, String)])
  func optionsAreChecked(_ options: Value, _ message: String) {
    let error = failure { () throws(EngineError) in
      _ = try AnyStore(state: 0, options: options) { state, _ in state }
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == message)
  }

  /// Unchanged parts keep their identity when an action is removed.
  @Test func unchangedPartsStayShared() throws {
    let store = try AnyStore(
      state: ["a": ["big": [1, 2, 3]], "b": [:]], options: ["optimistic": true]
    ) { state, action in
      try state.merging(patch: action["payload"] ?? [:])
    }
    let before = try store.state()
    try store.dispatch(
      #"{"type":"set","payload":{"b":{"c":1}},"meta":{"optimistic":{"begin":"1"}}}"#)
    try store.dispatch(#"{"type":"set","payload":{"b":{"d":2}}}"#)
    try store.dispatch(#"{"type":"failed","meta":{"optimistic":{"fail":"1"}}}"#)
    let after = try store.state()
    #expect(after["b"] == ["d": 2])
    #expect(try #require(before["a"]).isIdentical(to: #require(after["a"])))
  }

  /// A reducer that uses its store while an action is reduced again also fails the outcome.
  @Test func aReducerThatUsesItsStoreFailsTheOutcome() throws {
    let own = Mutex<AnyStore?>(nil)
    let runs = Mutex(0)
    let store = try AnyStore(state: 0, options: ["optimistic": true]) { state, action in
      if action["type"] == "twice",
        runs.withLock({
          $0 += 1; return $0
        }) == 2
      {
        _ = try? own.withLock { $0 }?.state()
      }
      return .integer((state.asInteger ?? 0) + 1)
    }
    own.withLock { $0 = store }
    defer { own.withLock { $0 = nil } }
    try store.dispatch(#"{"type":"begin","meta":{"optimistic":{"begin":"1"}}}"#)
    try store.dispatch(#"{"type":"twice"}"#)
    let outcome = #"{"type":"failed","meta":{"optimistic":{"fail":"1"}}}"#
    let error = failure { () throws(EngineError) in try store.dispatch(outcome) }
    #expect(error?.code == .reentrant)
    #expect(try store.state() == 2)
    try store.dispatch(outcome)
    #expect(try store.state() == 2)
  }
}

extension Value {
  fileprivate var asInteger: Int64? {
    if case .integer(let integer) = self { integer } else { nil }
  }
}
