import ImmutableJSON

/// A JSON value as the state, with a reducer of the host.
struct ValueModel: StateModel {
  typealias State = Value

  /// Actions stay JSON.
  typealias Action = Void

  let reducer: @Sendable (_ state: Value, _ action: Value) throws -> Value

  static func json(of state: Value) -> Value {
    state
  }

  func decode(_ action: Value) throws(EngineError) {
    _ = try ActionEnvelope(action, example: "added")
  }

  func reduce(_ state: Value, _ action: SentAction<Void>, _ step: Optimism.Step) throws -> Value {
    try self.reducer(state, action.json)
  }

  func optimism(of action: SentAction<Void>, in state: Value) throws -> Optimism? {
    try Optimism(metaOf: action.json)
  }

  var selectors: [String: SelectorDescription<Value>] {
    [:]
  }

  func makeIndex() -> any ObservationIndex {
    PathIndex()
  }
}

typealias ValueSnapshot = TypedSnapshot<ValueModel>
