/// The effect of one dispatch: its actions, and the states before and after them.
///
/// Immutable. A class, so that the notifier needs to know neither state nor action.
public final class Transition<State, Action>: Sendable where State: Sendable, Action: Sendable {
  public let oldState: State
  public let newState: State

  // Functions, not arrays: generic code would look up the types of the arrays for each dispatch.
  private let makeActions: @Sendable () -> [Action]
  private let makeStatesBetween: (@Sendable () -> [State])?

  /// The position, from 1, among the store's transitions that had subscribers.
  package let number: Int

  init(
    from oldState: State, to newState: State, number: Int,
    actions: @escaping @Sendable () -> [Action],
    statesBetween: (@Sendable () -> [State])? = nil
  ) {
    self.oldState = oldState
    self.newState = newState
    self.number = number
    self.makeActions = actions
    self.makeStatesBetween = statesBetween
  }
}

extension Transition {
  /// The action, or all actions of a batch.
  public var actions: [Action] {
    self.makeActions()
  }

  /// The states between the actions of a batch: one less than there are actions.
  public var statesBetween: [State] {
    self.makeStatesBetween?() ?? []
  }

  /// Calls `body` for each action, in order, with the states before and after it.
  package func forEachAction(_ body: (_ action: Action, _ old: State, _ new: State) -> Void) {
    var old = self.oldState
    let statesBetween = self.statesBetween
    for (index, action) in self.actions.enumerated() {
      let new = index < statesBetween.count ? statesBetween[index] : self.newState
      body(action, old, new)
      old = new
    }
  }
}
