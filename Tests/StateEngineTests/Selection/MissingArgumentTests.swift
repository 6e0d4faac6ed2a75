import ImmutableJSON
import StateEngine
import Testing

/// A missing argument is an error at once, even if the state does not need it.
@Suite struct MissingArgumentTests {
  private let store: AnyStore

  init() throws {
    self.store = try AnyStore(state: ["todos": []]) { state, _ in state }
  }

  /// The ways to use an expression without its argument.
  enum Use: CaseIterable {
    case query, select, observe, dependency

    func attempt(_ store: AnyStore) throws(EngineError) {
      switch self {
      case .query: _ = try store.query("todos[?id == $id]")
      case .select: _ = try store.select("todo")
      case .observe: try store.observe("todo") { _ in Issue.record("called") }
      case .dependency:
        let options = try ObservationOptions(["dependencies": ["todo"], "initial": false])
        try store.observe("all", [:], options) { _ in Issue.record("called") }
      }
    }
  }

  @Test(arguments: Use.allCases)
  func ofAnExpression(_ use: Use) throws {
    try self.store.define("todo", "todos[?id == $id]")
    try self.store.define("all", "todos")
    // An output that is cached for other arguments is not used.
    #expect(try self.store.select("todo", ["id": 1]) == [])
    let error = failure { () throws(EngineError) in try use.attempt(self.store) }
    #expect(error?.code == .invalidArgument)
    #expect(
      error?.message
        == "the variable $id is not defined; pass the argument \"id\" or bind it with let\n"
        + "  todos[?id == $id]\n               ^")
    #expect(error.map { [$0.line, $0.column, $0.offset] } == [1, 14, 13])
  }

  @Test(arguments: [
    "`1` || $id", "todos[0] && $id", "let $x = $id in `1`", "map(&[@, $id], todos)",
  ])
  func ofAPartThatIsNotEvaluated(_ expression: String) throws {
    #expect(try self.store.query(expression, ["id": 1]) != .object([:]))
    let error = failure { () throws(EngineError) in _ = try self.store.query(expression) }
    #expect(error?.code == .invalidArgument)
  }

  @Test func ofASelectorOfADomain() throws {
    let store = try AnyStore(NotesDomain.self)
    let selected = failure { () throws(EngineError) in _ = try store.select("selectNote") }
    let observed = failure { () throws(EngineError) in
      try store.observe("selectNote") { _ in Issue.record("called") }
    }
    let options = try ObservationOptions(["dependencies": ["selectNote"]])
    let dependent = failure { () throws(EngineError) in
      try store.observe("selectNotes", [:], options) { _ in Issue.record("called") }
    }
    for error in [selected, observed, dependent] {
      #expect(error?.code == .invalidArgument)
      #expect(error?.message == #""selectNote": arguments: the member "id" is missing"#)
    }
  }

  @Test func positionsInSeveralLines() throws {
    let text = "{\n  é: todos[?id == $id],\n  n: length(todos)\n}"
    let quoted = text.replacing("é", with: "\"é\"")
    let error = failure { () throws(EngineError) in _ = try self.store.query(quoted) }
    #expect(error.map { [$0.line, $0.column, $0.offset] } == [2, 21, 23])
    let mistake = failure { () throws(EngineError) in
      _ = try self.store.query("todos[?\n  id = `1`\n]")
    }
    #expect(mistake.map { [$0.line, $0.column, $0.offset] } == [2, 6, 13])
  }
}
