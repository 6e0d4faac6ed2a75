import CounterData
import ImmutableJSON
import StateEngine
import Testing

/// Which actions of a domain can be undone.
@Suite struct UndoableActionsTests {
  /// Letters, of which "b" and "d" are sent.
  private enum LettersDomain: Domain {
    struct State: Codable, Equatable, Sendable { var text = "" }

    enum Action: Codable, Sendable { case typed(letter: String) }

    static let name = "letters"
    static let summary = "Letters."
    static let initialState = State()
    static var stateSchema: Schema { .object([.init("text", .string, "The letters.")]) }
    static var actions: [ActionDescription<Action>] {
      [.init("typed", "A letter was typed.", payload: [.init("letter", .string, "The letter.")])]
    }
    static var selectors: [SelectorDescription<State>] { [] }
    static var undoable: UndoableActions<Action> {
      UndoableActions { action in
        switch action {
        case .typed("b"), .typed("d"): "it was sent; send a correction"
        case .typed: nil
        }
      }
    }

    static func reduce(_ state: State, _ action: Action) -> State {
      switch action {
      case .typed(let letter): State(text: state.text + letter)
      }
    }
  }

  private func makeStore(_ letters: String, _ history: Value = true) throws -> AnyStore {
    let store = try AnyStore(LettersDomain.self, options: ["history": history])
    for letter in letters { try store.dispatch(self.typed(letter)) }
    return store
  }

  private func typed(_ letter: Character) -> Value {
    ["type": "typed", "payload": ["letter": .string(String(letter))]]
  }

  private func refusal(_ step: Int) -> EngineError {
    EngineError(
      .invalidArgument,
      "step \(step) cannot be undone or redone: it was sent; send a correction")
  }

  @Test func allActionsOfADomainThatForbidsNone() throws {
    let store = try AnyStore(CounterDomain.self, options: ["history": true])
    for _ in 0..<3 { try store.dispatch(["type": "didTapIncrementButton"]) }
    #expect(try store.undo(2) == 2)
    #expect(try store.select("selectValue") == 1)
    #expect(try store.redo() == 1)
    #expect(try store.select("selectValue") == 2)
    try store.travel(to: 0)
    #expect(try store.select("selectValue") == 0)
  }

  @Test func someActions() throws {
    let store = try self.makeStore("abc")
    #expect(try store.undo() == 1)
    // Only a part of the steps could be undone, so none is.
    for count in 1...2 {
      #expect(throws: self.refusal(2)) { try store.undo(count) }
    }
    #expect(throws: self.refusal(2)) { try store.travel(to: 1) }
    #expect(try store.state()["text"] == "ab")
    #expect(try store.redo() == 1)
    try store.travel(to: 2)
    #expect(try store.state()["text"] == "ab")
    let history = try store.history()
    #expect(history["undo"] == 2)
    #expect(history["redo"] == 1)
  }

  /// One action that cannot be undone keeps its step from it.
  @Test func stepsOfSeveralActions() throws {
    let store = try self.makeStore("a")
    try store.dispatch(batch: [self.typed("c"), self.typed("b"), self.typed("c")])
    #expect(throws: self.refusal(2)) { try store.undo() }
    try store.beginGroup()
    for letter in "ed" { try store.dispatch(self.typed(letter)) }
    try store.endGroup()
    #expect(throws: self.refusal(5)) { try store.undo() }
    #expect(try store.state()["text"] == "acbced")
  }

  /// An action that is no step cannot be undone by itself.
  @Test func anActionThatIsNoStep() throws {
    let store = try self.makeStore("abc", ["ignore": ["typed"]])
    #expect(try store.undo() == 0)
    #expect(try store.state()["text"] == "abc")
  }
}
