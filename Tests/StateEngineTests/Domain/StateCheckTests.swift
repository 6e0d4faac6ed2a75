import ImmutableJSON
import TestSupport
import Testing

@testable import StateEngine

/// A domain whose reducer leaves the state without JSON, or with another shape than described.
enum MeanDomain: Domain {
  struct State: Codable, Sendable {
    var mean = 0.0
    var count = 0
    var note: Value = "none"
  }

  enum Action: Codable, Sendable {
    case add(number: Double)
    case divide(by: Double)
    case note(value: Value)
    case index(at: Int)
  }

  static let name = "mean"
  static let summary = "A mean."
  static let initialState = State()

  static var stateSchema: Schema {
    .object([
      .init("mean", .number, "The mean."), .init("count", .integer, "The number of numbers."),
      .init("note", .oneOf(["none", "some"]), "A note."),
    ])
  }

  static var actions: [ActionDescription<Action>] {
    [
      .init("add", "Adds a number.", payload: [.init("number", .number, "The number.")]),
      .init("divide", "Divides the mean.", payload: [.init("by", .number, "The divisor.")]),
      .init("note", "Sets the note.", payload: [.init("value", .any, "The note.")]),
      .init("index", "Traps.", payload: [.init("at", .integer, "An index.")]),
    ]
  }

  static var selectors: [SelectorDescription<State>] { [] }

  static func reduce(_ state: State, _ action: Action) -> State {
    var state = state
    switch action {
    case .add(let number): state.mean += number
    case .divide(let divisor): state.mean /= divisor
    case .note(let value): state.note = value
    case .index(let index): state.count = [1, 2][index]
    }
    return state
  }
}

/// The domain before its state had the type that it has.
private enum OldMeanDomain: Domain {
  enum Action: Codable, Sendable {
    case wait
  }

  static let name = "mean"
  static let summary = "A mean."
  static let initialState: Value = [:]
  static let stateSchema = Schema.any
  static let actions: [ActionDescription<Action>] = [.init("wait", "Does nothing.")]
  static var selectors: [SelectorDescription<Value>] { [] }

  static func reduce(_ state: Value, _ action: Action) -> Value { state }
}

@Suite struct StateCheckTests {
  private let store: AnyStore

  init() throws {
    self.store = try AnyStore(MeanDomain.self)
    try self.store.dispatch(["type": "add", "payload": ["number": 4]])
  }

  static let failures: [(Value, String)] = [
    (
      ["type": "divide", "payload": ["by": 0]],
      #"the reducer of the domain "mean" returned for "divide" a state that JSON cannot write: "#
        + "state/mean: inf has no JSON representation; throw an error for such a result instead"
    ),
    (
      ["type": "note", "payload": ["value": "other"]],
      #"the reducer of the domain "mean" returned for "note" a state that its stateSchema does "#
        + #"not describe: state/note: invalid value "other"; expected one of: "none", "some"; "#
        + "correct the schema or the reducer"
    ),
    (
      ["type": "note", "payload": ["value": 1]],
      #"the reducer of the domain "mean" returned for "note" a state that its stateSchema does "#
        + "not describe: state/note: expected a string, found an integer; correct the schema or "
        + "the reducer"
    ),
  ]

  @Test(arguments: Self.failures)
  func anActionWithSuchAStateFails(_ action: Value, _ message: String) throws {
    #expect(throws: EngineError(.reducerFailed, message)) { try self.store.dispatch(action) }
    #expect(try self.store.state() == ["mean": 4.0, "count": 0, "note": "none"])
  }

  @Test func theSchemaSaysWhetherNumbersAreComputed() {
    #expect(MeanDomain.computesNumbers)
    #expect(!PenDomain.computesNumbers)
    let number = Schema.Property("x", .nullable(.number), "A number.")
    for schema: Schema in [
      .any, .number, .array(.number), .dictionary(.object([number])),
      .variants([.init("a", [], ""), .init("b", [number], "")]),
    ] {
      #expect(schema.hasNumbers)
    }
    #expect(!Schema.variants([.init("a", [.init("x", .integer, "")], "")]).hasNumbers)
  }

  @Test func aTrapNamesTheDomainAndTheAction() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try AnyStore(MeanDomain.self).dispatch(["type": "index", "payload": ["at": 2]])
    }
    let written = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      written.contains(#"the reducer of the domain "mean" trapped in "index""# + "\n"))
  }

  // MARK: Logs

  private static func write(_ path: String, _ state: Value) throws {
    try AnyStore(OldMeanDomain.self, options: ["state": state, "log": .string(path)]).close()
  }

  static let logs: [(Value, String)] = [
    (
      ["mean": 4.0, "count": 1],
      #"state: the member "note" is missing; add it to the "defaults" of the option "log" as "#
        + #""/note", or migrate the log"#
    ),
    (
      ["mean": 4.0, "count": "1", "note": "none"],
      "state/count: expected an integer, found a string; migrate the log"
    ),
  ]

  @Test(arguments: Self.logs)
  func aLogWithAnotherStateIsNamed(_ state: Value, _ problem: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x.imd")
    try Self.write(path, state)
    #expect(
      throws: EngineError(
        .invalidArgument, "the log \"\(path)\" has another state than the store: \(problem)")
    ) {
      try AnyStore(MeanDomain.self, options: ["log": .string(path)])
    }
  }

  @Test func aDefaultAddsTheMember() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x.imd")
    try Self.write(path, ["mean": 4.0, "count": 1])
    let log: Value = ["path": .string(path), "defaults": ["/note": "some"]]
    let store = try AnyStore(MeanDomain.self, options: ["log": log])
    #expect(try store.query("note") == "some")
  }
}
