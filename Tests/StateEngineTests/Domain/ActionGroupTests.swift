import ImmutableJSON
import StateEngine
import Testing

/// An action type with groups of actions.
private enum Nested: Codable, Equatable, Sendable {
  case ui(UI)
  case other(UI)
  case data(Data)
  enum UI: Codable, Equatable, Sendable {
    case menu(Menu)
    case didTap
  }
  enum Menu: Codable, Equatable, Sendable {
    case didOpen(id: String, color: Color?)
    case didClose
  }
  enum Data: Codable, Equatable, Sendable { case didLoad(count: Int) }
  enum Color: String, Codable, Sendable { case red, green }

  static var descriptions: [ActionDescription<Nested>] {
    [
      .init("ui/didTap", "A tap."),
      .init("ui/menu/didClose", "Closed."),
      .init(
        "ui/menu/didOpen", "Opened.",
        payload: [
          .init("id", .string, "Which."),
          .init("color", .nullable(.string), isRequired: false, "A name that is not checked."),
        ]),
      .init("data/didLoad", "Loaded.", payload: [.init("count", .integer, "How many.")]),
    ]
  }
}

private protocol ActionGroups {
  static var groups: [ActionGroup<Nested>] { get }
}

private enum GroupedDomain<Groups: ActionGroups>: Domain {
  typealias Action = Nested
  typealias State = Nested

  static var name: String { "grouped" }
  static var summary: String { "A domain whose state is its last action." }
  static var initialState: Nested { .ui(.didTap) }
  static var stateSchema: Schema { .any }
  static var actions: [ActionDescription<Action>] { Nested.descriptions }
  static var actionGroups: [ActionGroup<Nested>] { Groups.groups }
  static var selectors: [SelectorDescription<State>] { [.init("last", "It.", output: .any) { $0 }] }
  static func reduce(_ state: Nested, _ action: Nested) -> Nested { action }
}

private enum NoGroups: ActionGroups {
  static var groups: [ActionGroup<Nested>] { [] }
}

private enum TwoGroups: ActionGroups {
  static var groups: [ActionGroup<Nested>] {
    [ActionGroup("ui") { .ui($0) }, ActionGroup("ui/menu") { .ui(.menu($0)) }]
  }
}

private enum WrongGroup: ActionGroups {
  static var groups: [ActionGroup<Nested>] { [ActionGroup("ui") { .other($0) }] }
}

private enum WrongType: ActionGroups {
  static var groups: [ActionGroup<Nested>] {
    [ActionGroup("ui/menu") { (data: Nested.Data) in .data(data) }]
  }
}

private enum UnknownGroup: ActionGroups {
  static var groups: [ActionGroup<Nested>] { [ActionGroup("ui/men") { .ui(.menu($0)) }] }
}

/// Groups of actions are decoded as without groups.
@Suite struct ActionGroupTests {
  private static let actions: [Value] = [
    ["type": "ui/didTap"],
    ["type": "ui/menu/didClose"],
    ["type": "ui/menu/didOpen", "payload": ["id": "1", "color": "green"]],
    ["type": "ui/menu/didOpen", "payload": ["id": "1"]],
    ["type": "data/didLoad", "payload": ["count": 2]],
    // Errors.
    ["type": "ui/menu/didOpen", "payload": ["id": "1", "color": "blue"]],
    ["type": "ui/menu/didOpen", "payload": ["color": "red"]],
    ["type": "ui/menu/didOpen", "payload": ["id": 1]],
    ["type": "ui/menu", "payload": [:]],
    ["type": "ui/menu/didTap"],
    ["type": "data/didLoad", "payload": ["count": "2"]],
  ]

  private func outcome(_ domain: any Domain.Type, _ action: Value) throws -> String {
    let store = try DomainRegistry([domain]).open("grouped")
    let error = failure { () throws(EngineError) in try store.dispatch(action) }
    return try error.map { "\($0)" } ?? store.select("last").json
  }

  @Test(arguments: Self.actions) func actionsAndErrorsAreTheSame(_ action: Value) throws {
    let expected = try self.outcome(GroupedDomain<NoGroups>.self, action)
    #expect(try self.outcome(GroupedDomain<TwoGroups>.self, action) == expected)
  }

  @Test func aGroupThatMakesOtherActionsIsReported() throws {
    let domains: [(any Domain.Type, String)] = [
      (GroupedDomain<WrongGroup>.self, #"action "ui/didTap", but its Action differs"#),
      (GroupedDomain<WrongType>.self, #"action "ui/menu/didClose", but its Action differs"#),
    ]
    for (domain, part) in domains {
      let error = failure { () throws(EngineError) in
        _ = try DomainRegistry([domain]).open("grouped")
      }
      let group = domain == GroupedDomain<WrongGroup>.self ? "ui" : "ui/menu"
      #expect(
        error
          == EngineError(
            .invalidArgument,
            #"the domain "grouped" describes the \#(part) from that of the action group "#
              + "\"\(group)\"; correct the group"))
    }
  }

  @Test func aGroupWithoutActionsIsReported() throws {
    let error = failure { () throws(EngineError) in
      _ = try AnyStore(GroupedDomain<UnknownGroup>.self)
    }
    #expect(
      error
        == EngineError(
          .invalidArgument,
          #"the domain "grouped" has the action group "ui/men", but describes no action of it; "#
            + "correct or remove the group"))
  }
}
