/// The effect of one dispatch: its actions, and the states before and after them.
public struct Transition<State, Action>: Sendable where State: Sendable, Action: Sendable {
  public let oldState: State

  /// The action, or all actions of a batch.
  public let actions: [Action]

  public let newState: State

  /// The position, from 1, among the store's transitions that had subscribers.
  package let number: Int
}
