import ImmutableJSON
import StateEngine
import TestSupport
import Testing

/// Selectors that update their previous output.
@Suite struct MemoTests {
  /// Counts from 0; `selectHistory` returns the states for which it was evaluated.
  enum HistoryDomain: Domain {
    enum Action: Codable, Sendable { case step }

    struct Arguments: Decodable, Sendable {
      var name: String?
      var limit: Int?
    }

    struct TooLarge: Error {}

    static let name = "history"
    static let summary = "A counter."
    static let initialState = 0
    static var stateSchema: Schema { .integer }
    static var actions: [ActionDescription<Action>] { [.init("step", "Counts.")] }

    static var selectors: [SelectorDescription<Int>] {
      [
        .init(
          "selectHistory", "The evaluated states.",
          arguments: [
            .init("name", .string, isRequired: false, "Any."),
            .init("limit", .integer, isRequired: false, "The largest state."),
          ], output: .array(.integer)
        ) { (state, arguments: Arguments, memo: inout [Int]?) in
          memo = (memo ?? []) + [state]
          if let limit = arguments.limit, state > limit, state < limit + 2 { throw TooLarge() }
          return memo ?? []
        }
      ]
    }

    static func reduce(_ state: Int, _ action: Action) throws -> Int { state + 1 }
  }

  private let store: AnyStore

  init() throws {
    self.store = try AnyStore(HistoryDomain.self)
  }

  private func step() throws {
    try self.store.dispatch(["type": "step"])
  }

  private func history(_ name: String) throws -> Value {
    try self.store.select("selectHistory", ["name": .string(name)])
  }

  @Test func aMemoIsThatOfTheLastEvaluationWithTheSameArguments() throws {
    #expect(try self.history("a") == [0])
    #expect(try self.history("a") == [0])
    try self.step()
    #expect(try self.history("b") == [1])
    #expect(try self.history("a") == [0, 1])
    try self.step()
    #expect(try self.history("b") == [1, 2])
  }

  @Test func storesHaveTheirOwnMemos() throws {
    #expect(try self.history("a") == [0])
    let other = try AnyStore(HistoryDomain.self, options: ["state": 7])
    #expect(try other.select("selectHistory", ["name": "a"]) == [7])
  }

  /// The fifth evicts the one that was evaluated least recently.
  @Test func fourMemosAreRetained() throws {
    for name in ["a", "b", "c", "d"] { #expect(try self.history(name) == [0]) }
    try self.step()
    #expect(try self.history("a") == [0, 1])
    #expect(try self.history("e") == [1])
    try self.step()
    #expect(try self.history("b") == [2])
    #expect(try self.history("a") == [0, 1, 2])
    #expect(try self.history("d") == [0, 2])
    #expect(try self.history("c") == [2])
  }

  @Test func anErrorLeavesTheMemo() throws {
    let arguments: Value = ["limit": 0]
    #expect(try self.store.select("selectHistory", arguments) == [0])
    try self.step()
    #expect(throws: EngineError.self) { try self.store.select("selectHistory", arguments) }
    try self.step()
    #expect(try self.store.select("selectHistory", arguments) == [0, 2])
  }

  @Test func observersUseTheMemosOfTheirStore() throws {
    let outputs = Recorder<Value>()
    try self.store.observe("selectHistory", ["name": "a"]) { delivery in
      if case .value(let output) = delivery.content { outputs.append(output) }
    }
    try self.step()
    try self.step()
    #expect(outputs.all == [[0], [0, 1], [0, 1, 2]])
  }

  /// The last state in an output is the selected one. A thread never gets an older one than before,
  /// whichever memo it got.
  @Test func threadsEvaluateIndependently() throws {
    let store = self.store
    let wrong = Recorder<Value?>()
    onThreads(4) { number in
      var last: Int64 = 0
      for step in 1...200 as ClosedRange<Int64> {
        if number == 0 {
          try? store.dispatch(["type": "step"])
          last = step
        }
        let output = try? store.select("selectHistory", ["name": "a"])
        guard case .array(let states)? = output, case .integer(let state)? = states.last,
          (last...200).contains(state)
        else { return wrong.append(output) }
        last = state
      }
    }
    #expect(wrong.all == [])
    #expect(try self.store.select("selectHistory", ["name": "b"]) == [200])
  }
}
