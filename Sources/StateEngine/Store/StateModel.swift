import ImmutableJSON

/// What a ``TypedStore`` knows of its states and actions: ``DomainModel`` and ``ValueModel``.
protocol StateModel: Sendable {
  associatedtype State: Sendable

  /// What an action is decoded to.
  associatedtype Action: Sendable

  static func json(of state: State) throws -> Value

  /// Decodes an action, or throws what is wrong with it.
  func decode(_ action: Value) throws(EngineError) -> Action

  func reduce(
    _ state: State, _ action: SentAction<Action>, _ step: Optimism.Step
  ) throws -> State

  /// What an action means for the changes in flight, in a store that was opened with `optimistic`.
  func optimism(of action: SentAction<Action>, in state: State) throws -> Optimism?

  var selectors: [String: SelectorDescription<State>] { get }

  func makeIndex() -> any ObservationIndex
}

/// An action as the reducer gets it, with the JSON from which it was decoded.
struct SentAction<Action: Sendable>: Sendable {
  let action: Action
  let json: Value

  /// Present in a store with optimistic changes, unless the action is part of a batch.
  var refusal: Refusal?
}
