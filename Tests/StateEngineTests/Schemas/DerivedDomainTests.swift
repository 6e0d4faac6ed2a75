import ImmutableJSON
import StateEngine
import Testing

/// A domain that states each type once.
private enum Garden: Domain {
  struct State: Codable, Sendable {
    struct Bed: Codable, Sendable {
      var plants: [String]
      var note: String?
    }

    var beds: [String: Bed] = [:]
    var count = 0
  }

  enum Action: Codable, Sendable {
    case ui(UI)
    case didReset

    enum UI: Codable, Sendable {
      case bed(Bed)
    }

    enum Bed: Codable, Sendable {
      case didPlant(bed: String, plant: String, count: Int?)
      case didDig(beds: [State.Bed], how: Tool)
    }
  }

  enum Tool: String, Codable, CaseIterable, Sendable { case spade, fork }

  struct Which: Codable, Sendable {
    var bed: String
  }

  static let name = "garden"
  static let summary = "Beds with plants."
  static let initialState = State()
  static var stateSchema: Schema {
    Schema(
      of: State.self,
      [
        "/beds": "By name.", "/beds/*/plants": .init("Their names.", ["maxItems": 3]),
        "/beds/*/plants/*": .init("", ["minLength": 1]),
      ])
  }
  static let actions: [ActionDescription<Action>] = [
    .init(.didReset, "Removes all."),
    .init(
      .ui(.bed(.didPlant(bed: "", plant: "", count: nil))), "Plants one.",
      ["/count": .init("How many; 1 by default.", ["minimum": 1])]),
    .init(.ui(.bed(.didDig(beds: [], how: .fork))), "Digs."),
  ]
  static var selectors: [SelectorDescription<State>] {
    [
      .init("selectCount", "The number of plants.") { $0.count },
      .init("selectBed", "A bed.") { (state, which: Which) in state.beds[which.bed] },
    ]
  }
  static var filters: [FilterDescription<State, Action>] {
    [.init("filterBed", "Changes of a bed.") { (which: Which) in { _, _ in true } }]
  }

  static func reduce(_ state: State, _ action: Action) throws -> State {
    var state = state
    switch action {
    case .didReset: state = State()
    case .ui(.bed(.didPlant(let bed, let plant, let count))):
      state.beds[bed, default: .init(plants: [])].plants.append(plant)
      state.count += count ?? 1
    case .ui(.bed(.didDig(let beds, _))):
      for bed in beds { state.beds[bed.plants.first ?? "", default: bed] = bed }
    }
    return state
  }
}

/// A domain with one of these descriptions, and otherwise none.
private protocol Underivable: Domain where State == Int, Action == Underived {}

private enum Underived: Codable, Sendable {
  enum Outcome: Codable, Sendable {
    case success
    case failure(reason: String)
  }

  case didEnd(outcome: Outcome)
  case didMove(to: Int)
}

extension Underivable {
  static var name: String { "test" }
  static var summary: String { "A domain." }
  static var initialState: Int { 0 }
  static var actions: [ActionDescription<Underived>] { [] }
  static var selectors: [SelectorDescription<Int>] { [] }
  static func reduce(_ state: Int, _ action: Underived) -> Int { state }
}

private enum UnderivableAction: Underivable {
  static var actions: [ActionDescription<Underived>] {
    [.init(.didEnd(outcome: .success), "The end.")]
  }
}

private enum UnknownDetail: Underivable {
  static var actions: [ActionDescription<Underived>] {
    [.init(.didMove(to: 1), "A move.", ["/too": "Where."])]
  }
}

private enum UnknownKeyword: Underivable {
  static var stateSchema: Schema { Schema(of: Int.self).limited(["minimun": 1]) }
}

private enum UnknownElement: Underivable {
  static var selectors: [SelectorDescription<Int>] {
    [
      .init(
        "selectAll", "All.", output: Schema(of: [Int].self, ["/0": .init("", ["minimum": 1])])
      ) { [$0] }
    ]
  }
}

private enum ScalarArguments: Underivable {
  static var selectors: [SelectorDescription<Int>] {
    [.init("selectNext", "The next.") { (state, step: Int) in state + step }]
  }
}

private enum Trees: Domain {
  enum Action: Codable, Sendable { case didGrow(tree: Tree) }

  static let name = "trees"
  static let summary = "Trees."
  static let initialState: Tree? = nil
  static let actions: [ActionDescription<Action>] = [
    .init(.didGrow(tree: Tree(title: "", children: [])), "A new tree.")
  ]
  static let selectors: [SelectorDescription<Tree?>] = []

  static func reduce(_ state: Tree?, _ action: Action) -> Tree? {
    nil
  }
}

@Suite struct DerivedDomainTests {
  @Test func description() throws {
    let descriptions = try DomainRegistry([Garden.self]).descriptions
    let description = try descriptions.get(JSONPointer("/0"))
    func check(_ part: Value?, _ expected: [String]) {
      #expect(part?.json == expected.joined())
    }
    let bed = [
      #"{"additionalProperties":false,"properties":{"note":{"anyOf":[{"type":"string"},"#,
      #"{"type":"null"}]},"plants":{"items":{"type":"string"},"type":"array"}},"#,
      #""required":["plants"],"type":"object"}"#,
    ].joined()
    let which = [
      #"{"additionalProperties":false,"properties":{"bed":{"type":"string"}},"required":["bed"],"#,
      #""type":"object"}"#,
    ].joined()
    check(
      description["actions"],
      [
        #"[{"summary":"Removes all.","type":"didReset"},"#,
        #"{"payload":{"additionalProperties":false,"properties":{"bed":{"type":"string"},"#,
        #""count":{"anyOf":[{"type":"integer"},{"type":"null"}],"#,
        #""description":"How many; 1 by default.","minimum":1},"plant":{"type":"string"}},"#,
        #""required":["bed","plant"],"type":"object"},"#,
        #""summary":"Plants one.","type":"ui/bed/didPlant"},"#,
        #"{"payload":{"additionalProperties":false,"#,
        #""properties":{"beds":{"items":\#(bed),"type":"array"},"how":{"enum":["spade","fork"]}},"#,
        #""required":["beds","how"],"type":"object"},"summary":"Digs.","type":"ui/bed/didDig"}]"#,
      ])
    check(
      description["selectors"],
      [
        #"[{"arguments":{"additionalProperties":false,"properties":{},"required":[],"#,
        #""type":"object"},"name":"selectCount","output":{"type":"integer"},"#,
        #""summary":"The number of plants."},{"arguments":\#(which),"name":"selectBed","#,
        #""output":{"anyOf":[\#(bed),{"type":"null"}]},"summary":"A bed."}]"#,
      ])
    check(
      description["filters"],
      [#"[{"arguments":\#(which),"name":"filterBed","summary":"Changes of a bed."}]"#])
    check(
      description["options"]?["properties"]?["state"],
      [
        #"{"additionalProperties":false,"description":"The initial state.","properties":{"beds":"#,
        #"{"additionalProperties":{"additionalProperties":false,"properties":{"note":{"anyOf":"#,
        #"[{"type":"string"},{"type":"null"}]},"plants":{"description":"Their names.","#,
        #""items":{"minLength":1,"type":"string"},"maxItems":3,"type":"array"}},"#,
        #""required":["plants"],"type":"object"},"description":"By name.","type":"object"},"#,
        #""count":{"type":"integer"}},"required":["beds","count"],"type":"object"}"#,
      ])
  }

  @Test func checksWithLimits() throws {
    let store = try AnyStore(Garden.self)
    func dispatch(_ type: String, _ payload: Value, _ message: String) {
      let error = #expect(throws: EngineError.self) {
        try store.dispatch(["type": .string(type), "payload": payload])
      }
      #expect(error?.message == message)
    }
    try store.dispatch(["type": "ui/bed/didPlant", "payload": ["bed": "a", "plant": "Rose"]])
    dispatch(
      "ui/bed/didPlant", ["bed": "a", "plant": "Rose", "count": 0],
      #""ui/bed/didPlant": payload/count: expected a number of at least 1, found 0"#)
    dispatch(
      "ui/bed/didDig", ["beds": [["plants": [], "note": 1]], "how": "fork"],
      #""ui/bed/didDig": payload/beds/0/note: expected a string, found an integer"#)
    dispatch(
      "ui/bed/didDig", ["beds": [], "how": "forks"],
      #""ui/bed/didDig": payload/how: invalid value "forks"; did you mean "fork"?"#)
    #expect(try store.select("selectCount") == 1)
    #expect(try store.select("selectBed", ["bed": "a"]) == ["plants": ["Rose"]])
  }

  /// A value of a type that contains itself is as deep as the caller wants.
  @Test func depthIsLimited() throws {
    func nested(_ levels: Int) -> Value {
      (0..<levels).reduce(["title": "", "children": []] as Value) { tree, _ in
        ["title": "", "children": [tree]]
      }
    }
    let store = try AnyStore(Trees.self)
    try store.dispatch(["type": "didGrow", "payload": ["tree": nested(64)]])
    for levels in [65, 500] {
      let error = #expect(throws: EngineError.self) {
        try store.dispatch(["type": "didGrow", "payload": ["tree": nested(levels)]])
      }
      #expect(error?.code == .invalidAction)
      #expect(error?.message.hasSuffix(#": more than 64 "Tree" in each other"#) == true)
    }
  }

  @Test(
    arguments: [
      (
        UnderivableAction.self,
        #"the action "didEnd": /didEnd/outcome: Underived.Outcome: it is an enum whose cases may "#
          + "have associated values; let it be SchemaProviding"
      ),
      (
        UnknownDetail.self,
        #"the action "didMove": the detail "/too": there is no member "too"; did you mean "to"?"#
      ),
      (
        UnknownKeyword.self,
        #"its state: the limits/minimun: the keyword "minimun" is not supported; did you mean "#
          + #""minimum"?"#
      ),
      (
        UnknownElement.self,
        #"the selector "selectAll": the detail "/0": the step to the elements is "*", not "0""#
      ),
      (ScalarArguments.self, "the selector \"selectNext\": Int is not decoded from an object"),
    ] as [(any Domain.Type, String)])
  func failures(_ domain: any Domain.Type, _ problem: String) {
    let error = #expect(throws: EngineError.self) { try AnyStore(domain) }
    #expect(error?.message == "the domain \"test\" has no schema of \(problem)")
  }
}
