/// What a dispatch did: the state that it found, the actions, and the state that they led to.
public struct Transition<State, Action>: Sendable where State: Sendable, Action: Sendable {
  public let oldState: State

  /// One action, or those of a batch.
  public let actions: [Action]

  public let newState: State

  /// Counts the transitions of a store that anyone was to be told of, from 1.
  package let number: Int
}
