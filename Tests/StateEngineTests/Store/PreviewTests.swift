import CounterData
import ImmutableJSON
import StateEngine
import Testing

@Suite struct PreviewTests {
  /// Appends the type of each action.
  private static func makeStore(_ options: Value) throws -> AnyStore {
    try AnyStore(state: [], options: options) { state, action in
      guard case .array(var types) = state, let type = action["type"] else { return state }
      types.append(type)
      return .array(types)
    }
  }

  private static func action(_ type: String, _ outcome: String) -> Value {
    ["type": .string(type), "meta": ["optimistic": [outcome: "1"]]]
  }

  /// A preview begins, confirms and rolls back changes as a dispatch would, and changes nothing.
  @Test func changesInFlightAreCopied() throws {
    let store = try Self.makeStore(["optimistic": true, "history": true])
    try store.dispatch(["type": "first"])
    try store.dispatch(Self.action("begun", "begin"))
    try store.dispatch(["type": "later"])
    let before = try store.state()
    let outcomes: [([Value], String)] = [
      ([Self.action("failed", "fail")], #"["first","later","failed"]"#),
      ([Self.action("done", "succeed")], #"["first","begun","later","done"]"#),
      (
        [Self.action("done", "succeed"), Self.action("failed", "fail")],
        #"["first","begun","later","done","failed"]"#
      ),
    ]
    for (actions, expected) in outcomes + outcomes {
      let preview = try store.preview(.array(JSONArray(actions)))
      #expect(try preview.state().json == expected)
      #expect(try before.applying(patch: preview.patch()).json == expected)
      #expect(try store.state().isIdentical(to: before))
      #expect(try store.confirmedState().json == #"["first","later"]"#)
    }
    #expect(try store.undo() == 1)
    #expect(try store.preview([["type": "next"]]).state().json == #"["first","begun","next"]"#)
    #expect(try store.redo() == 1)
  }

  @Test func errors() throws {
    let store = try AnyStore(CounterDomain.self)
    let increment: Value = ["type": "didTapIncrementButton"]
    for (actions, message) in [
      (increment, "a batch is an array of actions, not an object"),
      (
        [increment, ["type": "@@history/undone"]],
        #"action 2 of 2: the type "@@history/undone" begins with "@@", as only those of the "#
          + "engine do; choose another one"
      ),
    ] as [(Value, String)] {
      let error = #expect(throws: EngineError.self) { try store.preview(actions) }
      #expect(error?.code == .invalidAction)
      #expect(error?.message == message)
    }
    store.close()
    let error = #expect(throws: EngineError.self) { try store.preview([]) }
    #expect(error?.code == .closed)
  }
}
