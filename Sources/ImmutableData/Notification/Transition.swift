/// The effect of one dispatch: its actions, and the states before and after them.
///
/// Immutable. A class, so that the notifier needs to know neither state nor action.
public final class Transition<State, Action>: Sendable where State: Sendable, Action: Sendable {
  public let oldState: State

  /// The action, or all actions of a batch.
  public let actions: [Action]

  /// The states between the actions of a batch: one less than there are actions.
  public let statesBetween: [State]

  public let newState: State

  /// The position, from 1, among the store's transitions that had subscribers.
  package let number: Int

  init(
    oldState: State, actions: [Action], statesBetween: [State], newState: State, number: Int
  ) {
    self.oldState = oldState
    self.actions = actions
    self.statesBetween = statesBetween
    self.newState = newState
    self.number = number
  }
}

extension Transition {
  /// Calls `body` for each action, in order, with the states before and after it.
  package func forEachAction(_ body: (_ action: Action, _ old: State, _ new: State) -> Void) {
    var old = self.oldState
    for (index, action) in self.actions.enumerated() {
      let new = index < self.statesBetween.count ? self.statesBetween[index] : self.newState
      body(action, old, new)
      old = new
    }
  }
}
