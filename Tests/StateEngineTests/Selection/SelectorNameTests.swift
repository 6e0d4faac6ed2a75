import ImmutableJSON
import StateEngine
import Testing

/// What a store suggests for the name of a selector that does not exist.
@Suite struct SelectorNameTests {
  @Test(arguments: [
    ("largst", #"unknown selector "largst"; did you mean "largest"?"#),
    ("all", #"unknown selector "all"; expected "largest""#),
    (
      "todos[*].id",
      #"unknown selector "todos[*].id"; query evaluates an expression; to select or observe "#
        + "one, define it as a selector first"
    ),
    (
      "length(todos)",
      #"unknown selector "length(todos)"; query evaluates an expression; to select or observe "#
        + "one, define it as a selector first"
    ),
  ])
  func unknownSelector(_ name: String, _ message: String) throws {
    let store = try AnyStore(state: ["todos": []]) { state, _ in state }
    try store.define("largest", "max(todos)")
    let selected = failure { () throws(EngineError) in _ = try store.select(name) }
    let observed = failure { () throws(EngineError) in
      try store.observe(name) { _ in Issue.record("called") }
    }
    for error in [selected, observed] {
      #expect(error?.code == .unknownSelector)
      #expect(error?.message == message)
    }
  }

  @Test func aStoreWithoutSelectors() throws {
    let store = try AnyStore(state: ["todos": []]) { state, _ in state }
    let error = failure { () throws(EngineError) in _ = try store.select("todos") }
    #expect(error?.code == .unknownSelector)
    #expect(
      error?.message
        == #"unknown selector "todos"; query evaluates an expression; to select or observe "#
        + "one, define it as a selector first")
  }

  @Test func unknownDependency() throws {
    let store = try AnyStore(state: ["todos": []]) { state, _ in state }
    try store.define("largest", "max(todos)")
    let error = failure { () throws(EngineError) in
      let options = try ObservationOptions(["dependencies": ["largst"]])
      try store.observe("largest", [:], options) { _ in Issue.record("called") }
    }
    #expect(error?.code == .unknownSelector)
    #expect(
      error?.message
        == #"options/dependencies: unknown selector "largst"; did you mean "largest"?"#)
  }

  @Test func unknownOption() throws {
    let error = failure { () throws(EngineError) in _ = try ObservationOptions(["whn": "queued"]) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == #"unknown option "whn"; did you mean "when"?"#)
  }
}
