import ImmutableJSON
import StateEngine
import Testing

private protocol DescribedAction: Codable, Sendable {
  static var descriptions: [ActionDescription<Self>] { get }
}

private enum TestDomain<Action: DescribedAction>: Domain {
  struct State: Codable, Sendable {}

  static var name: String { "test" }
  static var summary: String { "A domain with any actions." }
  static var initialState: State { State() }
  static var stateSchema: Schema { .object([]) }
  static var actions: [ActionDescription<Action>] { Action.descriptions }
  static var selectors: [SelectorDescription<State>] { [] }
  static func reduce(_ state: State, _ action: Action) -> State { state }
}

private enum Misspelled: DescribedAction {
  case didTap
  static var descriptions: [ActionDescription<Self>] { [.init("didTapp", "A tap.")] }
}

private enum Grouped: DescribedAction {
  case ui(UI)
  enum UI: Codable, Sendable { case didTap }
  static var descriptions: [ActionDescription<Self>] { [.init("didTap", "A tap.")] }
}

private enum MissingValue: DescribedAction {
  case didName(id: String, name: String)
  static var descriptions: [ActionDescription<Self>] {
    [.init("didName", "A name.", payload: [.init("id", .string, "Which.")])]
  }
}

private enum ExtraValue: DescribedAction {
  case didName(id: String)
  static var descriptions: [ActionDescription<Self>] {
    [
      .init(
        "didName", "A name.",
        payload: [.init("id", .string, "Which."), .init("name", .string, "Its name.")])
    ]
  }
}

private enum OtherType: DescribedAction {
  case didMove(by: Int)
  static var descriptions: [ActionDescription<Self>] {
    [.init("didMove", "A move.", payload: [.init("by", .string, "How far.")])]
  }
}

private enum NotOptional: DescribedAction {
  case didMove(by: Int)
  static var descriptions: [ActionDescription<Self>] {
    [.init("didMove", "A move.", payload: [.init("by", .integer, isRequired: false, "How far.")])]
  }
}

private enum OtherNames: DescribedAction {
  enum Color: String, Codable, Sendable { case red, green }
  case didPick(color: Color?)
  static var descriptions: [ActionDescription<Self>] {
    [
      .init(
        "didPick", "A color.",
        payload: [.init("color", .nullable(.oneOf(["red", "blue"])), "Which.")])
    ]
  }
}

private indirect enum Undescribed: DescribedAction {
  enum Group: Codable, Sendable {
    case didMove(by: Int, color: OtherNames.Color)
    case didName(name: String?)
  }
  case didTap
  case didToggle
  case didDim(level: Int)
  case didAdd(String)
  case group(Group)
  case indirect(Undescribed)
  static var descriptions: [ActionDescription<Self>] { [.init("didTap", "A tap.")] }
}

private struct NotAnEnum: DescribedAction {
  init() {}
  init(from decoder: any Decoder) {}
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode([String: String](), forKey: .a)
  }
  private enum Key: CodingKey { case a }
  static var descriptions: [ActionDescription<Self>] { [.init("a", "An action.")] }
}

private enum Unlabeled: DescribedAction {
  case didAdd(String)
  static var descriptions: [ActionDescription<Self>] {
    [.init("didAdd", "An item.", payload: [.init("title", .string, "Its title.")])]
  }
}

private enum DescribedWithoutLabel: DescribedAction {
  case didAdd(String)
  static var descriptions: [ActionDescription<Self>] {
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
  static var descriptions: [ActionDescription<Self>] {
    [
      .init("didCount", "A number.", payload: [.init("number", .string, "Even digits.")]),
      .init("didSend", "Anything.", payload: [.init("any", .any, "A list of texts.")]),
    ]
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

  @Test(arguments: [
    "didDim", "didToggle", "group/didMove", "group/didName", "indirect/indirect/didToggle",
  ])
  func aCaseThatIsNotDescribedIsReportedWhenItIsDispatched(_ type: String) throws {
    let store = try AnyStore(TestDomain<Undescribed>.self)
    for payload: Value? in [nil, ["level": 1], ["level": "high", "other": []], 7] {
      let name = Value.string(type)
      let action: Value = payload.map { ["type": name, "payload": $0] } ?? ["type": name]
      let error = failure { () throws(EngineError) in try store.dispatch(action) }
      #expect(
        error
          == EngineError(
            .invalidAction,
            "unknown action type \"\(type)\": the Action of the domain has this case, but its "
              + "`actions` do not describe it; add its description, or let an effect of the domain "
              + "dispatch it"))
    }
  }

  /// The types are those of groups, of a value without a label, of cases that do not exist, or nest
  /// too deep.
  @Test(arguments: [
    "group", "indirect", "didAdd", "_0", "/", "didTap/", "/didTap", "didDim/level",
    "group/_0/didMove", "didName", String(repeating: "indirect/", count: 17) + "didToggle",
    String(repeating: "indirect/", count: 1_000_000) + "didToggle",
  ])
  func otherTypesAreOnlyUnknown(_ type: String) throws {
    let store = try AnyStore(TestDomain<Undescribed>.self)
    let error = failure { () throws(EngineError) in
      try store.dispatch(["type": .string(type)])
    }
    #expect(error?.code == .invalidAction)
    #expect(error?.message.hasPrefix("unknown action type ") == true)
    #expect(error?.message.hasSuffix("\"didTap\"") == true || error?.message.hasSuffix("?") == true)
  }

  /// An action of a type that is not an enum has no cases.
  @Test func aTypeWithoutCasesHasNoCase() throws {
    let store = try AnyStore(TestDomain<NotAnEnum>.self)
    let error = failure { () throws(EngineError) in try store.dispatch(["type": "b"]) }
    #expect(error?.message.hasSuffix("\"a\"") == true)
  }

  @Test func contentIsNotChecked() throws {
    _ = try AnyStore(TestDomain<Narrow>.self)
  }
}
