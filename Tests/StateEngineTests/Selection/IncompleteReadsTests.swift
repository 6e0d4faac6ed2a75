import ImmutableJSON
import StateEngine
import Testing

/// A domain with selectors whose `reads` is incomplete.
private enum IncompleteDomain: Domain {
  struct State: Codable, Sendable {
    var counts = ["a": 0]
    var step = 1
  }

  enum Action: Codable, Sendable {
    case didCount(name: String)
    case didChangeStep
  }

  struct Which: Decodable, Sendable {
    var name: String
  }

  static let name = "incomplete"
  static let summary = "Counts."
  static let initialState = State()

  static var stateSchema: Schema {
    .object([
      .init("counts", .dictionary(.integer), "The counts."),
      .init("step", .integer, "What is added."),
    ])
  }

  static var actions: [ActionDescription<Action>] {
    [
      .init("didCount", "A count.", payload: [which]),
      .init("didChangeStep", "Another step."),
    ]
  }

  static var which: Schema.Property { .init("name", .string, "Which count.") }

  static var selectors: [SelectorDescription<State>] {
    [
      .init("selectStep", "Reads another part.", output: .integer, reads: [StatePart(\.counts)]) {
        $0.step
      },
      .init(
        "selectCount", "Reads the step, too.", arguments: [which], output: .integer,
        reads: [StatePart(\.counts, at: "name") { $0[$1] }]
      ) { (state, which: Which) in
        (state.counts[which.name] ?? 0) * state.step
      },
    ]
  }

  static func reduce(_ state: State, _ action: Action) -> State {
    var state = state
    switch action {
    case .didCount(let name): state.counts[name, default: 0] += 1
    case .didChangeStep: state.step += 1
    }
    return state
  }
}

#if DEBUG
  /// Debug builds report a selector that reads more than its `reads`.
  @Suite struct IncompleteReadsTests {
    private let store: AnyStore

    init() throws {
      self.store = try AnyStore(IncompleteDomain.self)
    }

    private func check(
      _ selector: String, _ arguments: Value, _ first: Value, after action: Value
    ) throws {
      #expect(try self.store.select(selector, arguments) == first)
      try self.store.dispatch(action)
      let error = failure { () throws(EngineError) in
        _ = try self.store.select(selector, arguments)
      }
      #expect(
        error
          == EngineError(
            .invalidArgument,
            "the output of \"\(selector)\" has changed, but nothing in its `reads` has; add what "
              + "it reads to `reads`, and let its output depend on nothing else"))
    }

    @Test func aPartThatIsMissingIsReported() throws {
      try self.check("selectStep", [:], 1, after: ["type": "didChangeStep"])
    }

    @Test func aPartThatIsMissingBesideAnElementIsReported() throws {
      try self.store.dispatch(["type": "didCount", "payload": ["name": "a"]])
      try self.check("selectCount", ["name": "a"], 1, after: ["type": "didChangeStep"])
    }

    @Test func nothingIsReportedWhileTheOutputIsTheSame() throws {
      #expect(try self.store.select("selectCount", ["name": "b"]) == 0)
      try self.store.dispatch(["type": "didChangeStep"])
      #expect(try self.store.select("selectCount", ["name": "b"]) == 0)
    }
  }
#endif
