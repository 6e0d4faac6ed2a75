import ImmutableJSON
import StateEngine
import Testing

private protocol DescribedAction: Codable, Sendable {
  static var descriptions: [ActionDescription] { get }
}

private enum TestDomain<Action: DescribedAction>: Domain {
  struct State: Codable, Sendable {}

  static var name: String { "test" }
  static var summary: String { "A domain with any actions." }
  static var initialState: State { State() }
  static var stateSchema: Schema { .object([]) }
  static var actions: [ActionDescription] { Action.descriptions }
  static var selectors: [SelectorDescription<State>] { [] }
  static func reduce(_ state: State, _ action: Action) -> State { state }
}

private enum Misspelled: DescribedAction {
  case didTap
  static var descriptions: [ActionDescription] { [.init("didTapp", "A tap.")] }
}

private enum Grouped: DescribedAction {
  case ui(UI)
  enum UI: Codable, Sendable { case didTap }
  static var descriptions: [ActionDescription] { [.init("didTap", "A tap.")] }
}

private enum MissingValue: DescribedAction {
  case didName(id: String, name: String)
  static var descriptions: [ActionDescription] {
    [.init("didName", "A name.", payload: [.init("id", .string, "Which.")])]
  }
}

private enum ExtraValue: DescribedAction {
  case didName(id: String)
  static var descriptions: [ActionDescription] {
    [
      .init(
        "didName", "A name.",
        payload: [.init("id", .string, "Which."), .init("name", .string, "Its name.")])
    ]
  }
}

private enum OtherType: DescribedAction {
  case didMove(by: Int)
  static var descriptions: [ActionDescription] {
    [.init("didMove", "A move.", payload: [.init("by", .string, "How far.")])]
  }
}

private enum NotOptional: DescribedAction {
  case didMove(by: Int)
  static var descriptions: [ActionDescription] {
    [.init("didMove", "A move.", payload: [.init("by", .integer, isRequired: false, "How far.")])]
  }
}

private enum OtherNames: DescribedAction {
  enum Color: String, Codable, Sendable { case red, green }
  case didPick(color: Color?)
  static var descriptions: [ActionDescription] {
    [
      .init(
        "didPick", "A color.",
        payload: [.init("color", .nullable(.oneOf(["red", "blue"])), "Which.")])
    ]
  }
}

private enum Unlabeled: DescribedAction {
  case didAdd(String)
  static var descriptions: [ActionDescription] {
    [.init("didAdd", "An item.", payload: [.init("title", .string, "Its title.")])]
  }
}

private enum DescribedWithoutLabel: DescribedAction {
  case didAdd(String)
  static var descriptions: [ActionDescription] {
    [.init("didAdd", "An item.", payload: [.init("_0", .string, "Its title.")])]
  }
}

/// Types that refuse content that the schema cannot describe, and payloads of any kind.
private enum Narrow: DescribedAction {
  struct Even: Codable, Sendable {
    struct Odd: Error {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard Int(text)?.isMultiple(of: 2) == true else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "odd")
      }
    }

    func encode(to encoder: any Encoder) throws {}
  }

  case didCount(number: Even)
  case didSend(any: [String])
  static var descriptions: [ActionDescription] {
    [
      .init("didCount", "A number.", payload: [.init("number", .string, "Even digits.")]),
      .init("didSend", "Anything.", payload: [.init("any", .any, "A list of texts.")]),
    ]
  }
}

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

  static var descriptions: [ActionDescription] {
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
  static var actions: [ActionDescription] { Nested.descriptions }
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

/// The descriptions of a domain's actions are compared with their type.
@Suite struct DomainActionTests {
  private static let domains: [(any Domain.Type, String)] = [
    (TestDomain<Misspelled>.self, #""didTapp", but its Action has no such case"#),
    (TestDomain<Grouped>.self, #""didTap", but its Action has no such case"#),
    (
      TestDomain<MissingValue>.self,
      #""didName", but its Action does not decode it: payload: the member "name" is missing"#
    ),
    (
      TestDomain<ExtraValue>.self,
      #""didName", but its Action has no associated value "name" for it"#
    ),
    (
      TestDomain<OtherType>.self,
      #""didMove", but its Action does not decode it: payload/by: expected an integer, found a "#
        + "string"
    ),
    (
      TestDomain<NotOptional>.self,
      #""didMove", but its Action does not decode it: payload: the member "by" is missing"#
    ),
    (
      TestDomain<OtherNames>.self,
      #""didPick", but its Action does not decode it: payload/color: Cannot initialize Color from "#
        + "invalid String value blue"
    ),
  ]

  @Test(arguments: Self.domains.indices)
  func aContradictionIsReported(_ index: Int) throws {
    let (domain, part) = Self.domains[index]
    let message =
      #"the domain "test" describes the action \#(part); correct the description or the enum"#
    let error = failure { () throws(EngineError) in _ = try DomainRegistry([domain]).open("test") }
    #expect(error == EngineError(.invalidArgument, message))
  }

  @Test func anUnlabeledValueIsReported() throws {
    let error = failure { () throws(EngineError) in
      _ = try AnyStore(TestDomain<Unlabeled>.self)
    }
    #expect(
      error?.message
        == #"the domain "test" describes the action "didAdd", but its Action has an associated "#
        + "value without a label for it; write case didAdd(title: …)")
  }

  @Test func anUnlabeledValueIsReportedWhenItIsDescribedAsSwiftEncodesIt() throws {
    let error = failure { () throws(EngineError) in
      _ = try AnyStore(TestDomain<DescribedWithoutLabel>.self)
    }
    #expect(
      error?.message
        == #"the domain "test" describes the action "didAdd", but its Action has an associated "#
        + "value without a label for it; write case didAdd(label: …), and describe the value by "
        + "its label")
  }

  @Test func contentIsNotChecked() throws {
    _ = try AnyStore(TestDomain<Narrow>.self)
  }
}
