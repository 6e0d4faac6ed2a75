/// A commit without the types of its states and its action, so that what passes it on needs to know
/// neither: unspecialized generic code looks up types at run time.
public class AnyCommit: @unchecked Sendable {
  /// The position among the commits of the store, from 1, without gaps.
  public let number: Int

  /// Whether no other commit of the same batch follows. Observers are called after this one.
  public let isLast: Bool

  init(number: Int, isLast: Bool) {
    self.number = number
    self.isLast = isLast
  }

  /// The commit with its types, which the caller knows.
  @inlinable
  package func typed<State, Action>() -> Commit<State, Action> {
    unsafeDowncast(self, to: Commit<State, Action>.self)
  }
}

/// One action that a store has committed, with the states before and after it.
///
/// A batch is a run of commits.
public final class Commit<State, Action>: AnyCommit, @unchecked Sendable
where State: Sendable, Action: Sendable {
  public let oldState: State
  public let action: Action
  public let newState: State

  init(number: Int, isLast: Bool, oldState: State, action: Action, newState: State) {
    self.oldState = oldState
    self.action = action
    self.newState = newState
    super.init(number: number, isLast: isLast)
  }
}
