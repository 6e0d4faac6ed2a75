import ImmutableJSON
import StateEngine
import Testing

/// Defaults for the domains of tests, each of which overrides one.
protocol DescribedDomain: Domain where State == DescribedState, Action == CheckedAction {}

struct DescribedState: Codable, Sendable {
  var titles: [String] = []
}

enum CheckedAction: Codable, Sendable {
  case clear
}

extension DescribedDomain {
  static var name: String { "test" }
  static var summary: String { "A domain." }
  static var initialState: State { State() }
  static var stateSchema: Schema { .object([.init("titles", .array(.string), "Titles.")]) }
  static var actions: [ActionDescription<Action>] { [.init("clear", "Removes the titles.")] }
  static var selectors: [SelectorDescription<State>] { [] }
  static func reduce(_ state: State, _ action: Action) -> State { State() }
}

private enum OtherState: DescribedDomain {
  static var stateSchema: Schema { .object([.init("names", .array(.string), "Names.")]) }
}

private enum TwoActions: DescribedDomain {
  static var actions: [ActionDescription<Action>] {
    [.init("clear", "One."), .init("clear", "Two.")]
  }
}

private enum TwoSelectors: DescribedDomain {
  static var selectors: [SelectorDescription<State>] {
    [.init("selectOne", "One.", output: .any, \.titles)]
      + [.init("selectOne", "Two.", output: .any, \.titles)]
  }
}

private enum NoName: DescribedDomain {
  static var selectors: [SelectorDescription<State>] {
    [.init("", "Titles.", output: .any, \.titles)]
  }
}

private enum EngineOption: DescribedDomain {
  static var options: [Schema.Property] {
    [.init("budget", .integer, isRequired: false, "A budget.")]
  }
}

private enum OtherArguments: DescribedDomain {
  struct Which: Decodable, Sendable {
    var id: String
  }

  static var selectors: [SelectorDescription<State>] {
    [
      .init(
        "selectTitle", "A title.", arguments: [.init("key", .string, "Which.")], output: .string
      ) { (state, which: Which) in which.id }
    ]
  }
}

private enum TwoFilters: DescribedDomain {
  static var filters: [FilterDescription<State, Action>] {
    [.init("filterOne", "One.") { _, _ in true }, .init("filterOne", "Two.") { _, _ in true }]
  }
}

private enum OtherFilterArguments: DescribedDomain {
  struct Which: Decodable, Sendable {
    var id: String
  }

  static var filters: [FilterDescription<State, Action>] {
    [
      .init("filterTitle", "A title.", arguments: [.init("key", .string, "Which.")]) {
        (which: Which) in
        { state, _ in state.titles.contains(which.id) }
      }
    ]
  }
}

/// A domain with a filter whose function must not be called with a sample.
private enum StrictFilter: DescribedDomain {
  struct Which: Decodable, Sendable {
    var id: String
  }

  static var filters: [FilterDescription<State, Action>] {
    [
      .init("filterTitle", "A title.", arguments: [.init("id", .string, "Which.")]) {
        (which: Which) in
        #expect(which.id == "1")
        return { state, _ in state.titles.contains(which.id) }
      }
    ]
  }
}

private enum UnknownElement: DescribedDomain {
  struct Which: Decodable, Sendable {
    var title: String
  }

  static var selectors: [SelectorDescription<State>] {
    [
      .init(
        "selectTitle", "A title.", arguments: [.init("title", .string, "Which.")],
        output: .nullable(.string),
        reads: [StatePart(\.titles, at: "titel") { titles, title in titles.first { $0 == title } }]
      ) { (state, which: Which) in which.title }
    ]
  }
}

/// A domain that asks for one effect.
private protocol AskingDomain: DescribedDomain {
  static var effect: ProgramEffectDescription { get }
}

extension AskingDomain {
  static var programEffects: [ProgramEffectDescription] { [effect] }
}

private struct Question: Codable, Sendable {
  var title: String
  var count: Int?
}

private enum OtherResult: AskingDomain {
  static var effect: ProgramEffectDescription {
    ProgramEffect<NoValue, Bool>("confirm", "Asks the user.", result: .string).description
  }
}

private enum NoResult: AskingDomain {
  static var effect: ProgramEffectDescription {
    ProgramEffect<NoValue, Bool>("confirm", "Asks the user.").description
  }
}

private enum OtherMember: AskingDomain {
  static var effect: ProgramEffectDescription {
    let members: [Schema.Property] = [.init("text", .string, "The title.")]
    return ProgramEffect<Question, NoValue>("ask", "Asks.", arguments: .object(members)).description
  }
}

private enum LostMember: AskingDomain {
  static var effect: ProgramEffectDescription {
    let members: [Schema.Property] = [
      .init("title", .string, "The title."), .init("cnt", .integer, "How many times."),
    ]
    return ProgramEffect<Question, NoValue>("ask", "Asks.", arguments: .object(members)).description
  }
}

private enum ValidEffect: AskingDomain {
  static var effect: ProgramEffectDescription {
    let members: [Schema.Property] = [
      .init("title", .string, "The title."),
      .init("count", .integer, isRequired: false, "How many times."),
    ]
    return ProgramEffect<Question, Double?>(
      "ask", "Asks.", arguments: .object(members), result: .nullable(.number)
    ).description
  }
}

private enum RequiredOption: DescribedDomain {
  static var options: [Schema.Property] { [.init("path", .string, "The path of a file.")] }
}

/// A domain whose descriptions accept what its types do not decode.
private enum VagueDomain: Domain {
  enum Action: Codable, Sendable {
    case ui(UI)

    enum UI: Codable, Sendable {
      case didAdd(todo: Todo)
    }
  }

  struct Todo: Codable, Sendable {
    var title: String
  }

  struct Which: Decodable, Sendable {
    var todo: Todo
  }

  static let name = "vague"
  static let summary = "Anything."
  static let initialState = [Todo]()
  static var stateSchema: Schema { .any }
  static var actions: [ActionDescription<Action>] {
    [.init("ui/didAdd", "A to-do was added.", payload: [.init("todo", .any, "The to-do.")])]
  }
  static var selectors: [SelectorDescription<[Todo]>] {
    [
      .init("selectTitle", "A title.", arguments: [.init("todo", .any, "Which.")], output: .string)
      {
        (state, which: Which) in which.todo.title
      }
    ]
  }
  static func reduce(_ state: [Todo], _ action: Action) -> [Todo] { state }
}

/// The descriptions of a domain are compared with its types and with each other.
@Suite struct DomainDescriptionTests {
  private static let domains: [(any Domain.Type, String)] = [
    (
      OtherState.self,
      "has an initialState that its stateSchema does not describe: initialState: "
        + #"unknown member "titles"; expected "names"; correct one of them"#
    ),
    (TwoActions.self, #"describes the action "clear" twice; remove or rename one"#),
    (TwoSelectors.self, #"describes the selector "selectOne" twice; remove or rename one"#),
    (NoName.self, "has an empty selector name; name the selector"),
    (EngineOption.self, #"describes the option "budget", which the engine defines; rename it"#),
    (
      OtherArguments.self,
      #"describes the selector "selectTitle", but its function does not decode arguments: "#
        + #"the member "id" is missing; correct the description or the type"#
    ),
    (TwoFilters.self, #"describes the filter "filterOne" twice; remove or rename one"#),
    (
      OtherFilterArguments.self,
      #"describes the filter "filterTitle", but its function does not decode arguments: "#
        + #"the member "id" is missing; correct the description or the type"#
    ),
    (
      UnknownElement.self,
      #"has the selector "selectTitle", which reads an element named by the argument "titel", "#
        + #"but has no such argument; did you mean "title"?"#
    ),
    (
      OtherResult.self,
      #"describes the effect "confirm", but its type does not decode result: "#
        + "expected a boolean, found a string; correct the description or the type"
    ),
    (
      NoResult.self,
      #"describes the effect "confirm", but its type does not decode result: "#
        + "expected a boolean, found null; correct the description or the type"
    ),
    (
      OtherMember.self,
      #"describes the effect "ask", but its type does not decode arguments: "#
        + #"the member "title" is missing; correct the description or the type"#
    ),
    (
      LostMember.self,
      #"describes the effect "ask", but its type encodes another shape: arguments: "#
        + #"the member "cnt" is missing; correct the description or the type"#
    ),
  ]

  @Test func aValidEffectIsAccepted() throws {
    #expect(throws: Never.self) { try AnyStore(ValidEffect.self) }
  }

  /// Samples are decoded, but not passed to the functions of the domain.
  @Test func aFilterIsNotMadeForASample() throws {
    #expect(throws: Never.self) { try AnyStore(StrictFilter.self) }
  }

  @Test(arguments: Self.domains.indices)
  func aContradictionIsReported(_ index: Int) throws {
    let (domain, problem) = Self.domains[index]
    let error = failure { () throws(EngineError) in _ = try AnyStore(domain) }
    #expect(error == EngineError(.invalidArgument, #"the domain "test" \#(problem)"#))
  }

  @Test func anErrorOfDecodingHasItsPath() throws {
    let state = failure { () throws(EngineError) in
      _ = try AnyStore(VagueDomain.self, options: ["state": [["name": "a"]]])
    }
    let store = try AnyStore(VagueDomain.self)
    let payload = failure { () throws(EngineError) in
      try store.dispatch(["type": "ui/didAdd", "payload": ["todo": ["title": 7]]])
    }
    let arguments = failure { () throws(EngineError) in
      _ = try store.select("selectTitle", ["todo": [:]])
    }
    #expect(state?.message == #"options/state/0: the member "title" is missing"#)
    #expect(
      payload?.message == #""ui/didAdd": payload/todo/title: expected a string, found an integer"#)
    #expect(
      arguments?.message == #""selectTitle": arguments/todo: the member "title" is missing"#)
  }

  @Test func aRequiredOptionIsRequiredWithoutOptions() throws {
    for options in [nil, [:]] as [Value?] {
      let error = failure { () throws(EngineError) in
        _ = try AnyStore(RequiredOption.self, options: options)
      }
      let message = #"options: the member "path" is missing"#
      #expect(error == EngineError(.invalidArgument, message))
    }
    #expect(throws: Never.self) { try AnyStore(RequiredOption.self, options: ["path": "a"]) }
  }
}
