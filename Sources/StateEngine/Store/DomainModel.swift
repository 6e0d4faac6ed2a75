import ImmutableJSON

/// The states and actions of a domain.
struct DomainModel<D: Domain>: StateModel {
  typealias State = D.State
  typealias Action = D.Action

  let selectors: [String: SelectorDescription<State>]
  private let decoder: ActionDecoder<Action>

  private init() {
    self.selectors = Dictionary(D.selectors.map { ($0.name, $0) }) { first, _ in first }
    self.decoder = ActionDecoder(D.actions)
  }

  static func json(of state: State) throws -> Value {
    try Value(encoding: state)
  }

  func decode(_ action: Value) throws(EngineError) -> Action {
    try self.decoder.action(from: action)
  }

  func reduce(
    _ state: State, _ action: SentAction<Action>, _ step: Optimism.Step
  ) throws -> State {
    switch step {
    case .reduce: try D.reduce(state, action.action)
    case .anticipate: try D.anticipate(state, action.action)
    case .confirm: try D.confirm(state, action.action)
    }
  }

  func optimism(of action: SentAction<Action>, in state: State) -> Optimism? {
    D.optimism(of: action.action, in: state)
  }

  func makeIndex() -> any ObservationIndex {
    PartIndex<Self>(selectors: self.selectors)
  }
}

extension DomainModel {
  /// Opens a store of the domain.
  static func open(
    options: Value?, fetcher: Fetcher
  ) throws(EngineError) -> TypedStore<DomainModel> {
    let isOptimistic = options?["optimistic"]?.bool == true
    let initialState = try self.initialState(options)
    let effects = try EngineError.catching { try D.makeEffects(options ?? [:], fetcher) }
    return TypedStore(DomainModel(), initialState, isOptimistic: isOptimistic) { store, reducer in
      effects.map { EffectRunner<D>($0, of: store, isOptimistic: isOptimistic, reducer) }
    }
  }

  private static func initialState(_ options: Value?) throws(EngineError) -> State {
    guard let options else { return D.initialState }
    do {
      try Schema.object(D.allOptions).check(options, "options")
      return try options["state"]?.decode() ?? D.initialState
    } catch {
      throw EngineError(.invalidArgument, reason(error))
    }
  }
}
