import ImmutableJSON
import StateEngine
import TestSupport
import Testing
import Threading

/// A setting outside the state that a selector uses as a default, such as the system's time zone.
private let place = Mutex("Berlin")

private enum GreetingDomain: Domain {
  struct State: Codable, Sendable {
    var name = "Fox"
  }

  enum Action: Codable, Sendable {
    case didRename(name: String)
  }

  struct Arguments: Decodable, Sendable {
    var place: String?
  }

  static let name = "greeting"
  static let summary = "A greeting to a place."
  static let initialState = State()
  static var stateSchema: Schema { .object([.init("name", .string, "Who greets.")]) }

  static var actions: [ActionDescription] {
    [.init("didRename", "Renames.", payload: [.init("name", .string, "The name.")])]
  }

  static var selectors: [SelectorDescription<State>] {
    [
      .init(
        "selectGreeting", "A greeting.",
        arguments: [.init("place", .string, isRequired: false, "Where to; here by default.")],
        output: .string,
        completing: { arguments in
          guard arguments["place"] == nil else { return arguments }
          var arguments = arguments
          arguments["place"] = .string(place.withLock { $0 })
          return arguments
        }
      ) { (state, arguments: Arguments) in
        "\(state.name) greets \(arguments.place ?? "nobody")"
      }
    ]
  }

  static func reduce(_ state: State, _ action: Action) throws -> State {
    switch action {
    case .didRename(let name): State(name: name)
    }
  }
}

/// Defaults that differ between calls.
@Suite struct CompletedArgumentsTests {
  @Test func theDefaultIsThatOfTheCall() throws {
    let store = try AnyStore(GreetingDomain.self)
    let outputs = Recorder<Delivery.Content>()
    try store.observe("selectGreeting") { outputs.append($0.content) }
    #expect(try store.select("selectGreeting") == "Fox greets Berlin")
    #expect(try store.select("selectGreeting", ["place": "Berlin"]) == "Fox greets Berlin")
    #expect(try store.statistics()["evaluations"] == 1)
    place.withLock { $0 = "Kathmandu" }
    #expect(try store.select("selectGreeting") == "Fox greets Kathmandu")
    #expect(try store.select("selectGreeting", ["place": "Rome"]) == "Fox greets Rome")
    // An observer has the arguments of the call that added it.
    try store.dispatch(["type": "didRename", "payload": ["name": "Owl"]])
    #expect(outputs.all == [.value("Fox greets Berlin"), .value("Owl greets Berlin")])
  }

  @Test func argumentsThatAreNotAnObjectAreRefused() throws {
    let store = try AnyStore(GreetingDomain.self)
    let message = "\"selectGreeting\": arguments: expected an object, found an array"
    #expect(throws: EngineError(.invalidArgument, message)) {
      try store.select("selectGreeting", [])
    }
  }
}
