import StateEngine

enum LightDomain {
  struct State: Codable, Sendable { var isOn = false }
  enum Action: Codable, Sendable { case toggle }
}

extension LightDomain: Domain {
  static let name = "light"
  static let summary = "A light that is on or off."
  static let initialState = State()
  static var stateSchema: Schema {
    Schema(of: State.self, ["/isOn": "Whether it is on."])
  }

  static var actions: [ActionDescription<Action>] {
    [.init(.toggle, "Turns it on or off.")]
  }

  static var selectors: [SelectorDescription<State>] {
    [
      .init("selectIsOn", "Whether it is on.") { $0.isOn }
    ]
  }

  static func reduce(_ state: State, _ action: Action) throws -> State {
    State(isOn: !state.isOn)
  }
}
