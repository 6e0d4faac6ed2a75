import ImmutableJSON
import StateEngine
import Testing

/// A domain that decodes its options to a type.
private enum OptionDomain<Options: Decodable & Sendable>: Domain {
  struct State: Codable, Sendable {}
  enum Action: Codable, Sendable { case nothing }

  struct Session: Effects {
    func effect(of action: Action, from old: State, to new: State) -> Effect<State, Action>? { nil }
  }

  static var name: String { "option" }
  static var summary: String { "Nothing but an option." }
  static var initialState: State { State() }
  static var stateSchema: Schema { .object([]) }
  static var actions: [ActionDescription<Action>] { [.init("nothing", "Does nothing.")] }
  static var selectors: [SelectorDescription<State>] { [] }
  static var options: [Schema.Property] { [.init("server", .string, "Its address.")] }
  static func reduce(_ state: State, _ action: Action) -> State { state }

  static func makeEffects(
    _ options: Value, _ fetcher: Fetcher
  ) throws -> (any Effects<State, Action>)? {
    _ = try options.decode(Options.self)
    return Session()
  }
}

private struct Misspelled: Decodable {
  var sever: String
}

private struct OtherType: Decodable {
  var server: [String]
}

private struct Address: Decodable {
  var server: String

  enum CodingKeys: CodingKey { case server }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.server = try container.decode(String.self, forKey: .server)
    guard self.server.hasPrefix("http") else {
      throw DecodingError.dataCorruptedError(
        forKey: .server, in: container, debugDescription: "it does not begin with \"http\"")
    }
  }
}

/// Options that `makeEffects` cannot decode are invalid arguments.
@Suite struct EffectOptionTests {
  private func check<D: Domain>(_ domain: D.Type, _ message: String) {
    let error = failure { () throws(EngineError) in
      _ = try AnyStore(domain, options: ["server": "host"])
    }
    #expect(error == EngineError(.invalidArgument, message))
  }

  @Test func aTypeThatTheDescriptionContradicts() {
    let remedy = "; correct the description of the options or the type"
    self.check(
      OptionDomain<Misspelled>.self,
      #"the domain "option": makeEffects does not decode options: the member "sever" is missing"#
        + remedy)
    self.check(
      OptionDomain<OtherType>.self,
      #"the domain "option": makeEffects does not decode options/server: expected an array, "#
        + "found a string" + remedy)
  }

  @Test func contentThatTheTypeRejects() throws {
    self.check(
      OptionDomain<Address>.self, #"options/server: it does not begin with "http""#)
    _ = try AnyStore(OptionDomain<Address>.self, options: ["server": "http://host"])
  }
}
