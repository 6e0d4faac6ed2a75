/// A pure function from a state and an action to the next state.
///
/// If it throws, the action has no effect.
public typealias Reducer<State, Action> = @Sendable (State, Action) throws -> State
where State: Sendable, Action: Sendable
