import ImmutableJSON
import StateEngine
import Testing

/// A domain with selectors whose `output` describes another shape.
private enum WrongOutputDomain: Domain {
  struct State: Codable, Sendable {
    var count = 2
  }

  enum Action: Codable, Sendable { case didCount }

  static let name = "wrongOutput"
  static let summary = "Counts."
  static let initialState = State()
  static var stateSchema: Schema { .object([.init("count", .integer, "The count.")]) }
  static var actions: [ActionDescription<Action>] { [.init("didCount", "One more.")] }

  static var selectors: [SelectorDescription<State>] {
    [
      .init("selectCount", "A number.", output: .string) { $0.count },
      .init(
        "selectCounts", "Numbers up to three.",
        output: .array(.object([.init("count", .oneOf(["a"]), "The count.")]))
      ) { state in
        state.count < 3 ? [["count": "b"]] : []
      },
    ]
  }

  static func reduce(_ state: State, _ action: Action) -> State {
    State(count: state.count + 1)
  }
}

#if DEBUG
  /// Debug builds report a selector whose output is not as described.
  @Suite struct SelectorOutputTests {
    private let store: AnyStore

    init() throws {
      self.store = try AnyStore(WrongOutputDomain.self)
    }

    @Test(arguments: [
      ("selectCount", "output: expected a string, found an integer"),
      ("selectCounts", #"output/0/count: invalid value "b"; expected "a""#),
    ])
    func anotherShapeIsReported(_ name: String, _ problem: String) throws {
      let error = failure { () throws(EngineError) in _ = try self.store.select(name) }
      #expect(
        error
          == EngineError(
            .invalidArgument,
            "the selector \"\(name)\" returned another shape than its `output` describes: "
              + "\(problem); correct the description or the selector"))
    }

    @Test func theShapeIsCheckedForEachState() throws {
      try self.store.dispatch(["type": "didCount"])
      #expect(try self.store.select("selectCounts") == [])
    }
  }
#endif
