import Threading

/// A commit without the types of its states and its action, so that what passes it on needs to know
/// neither: unspecialized generic code looks up types at run time.
///
/// It is a ``Commit``, or an `InPlaceCommit` for a reader that takes one.
public class AnyCommit: @unchecked Sendable {
  /// The position among the commits of the store, from 1, without gaps.
  public let number: Int

  /// Whether no other commit of the same batch follows. Observers are called after this one.
  public let isLast: Bool

  /// How many dispatches led to it, each in the delivery of the one before: 0 if it was dispatched
  /// outside of deliveries. Set before another thread can see the commit.
  final var depth: Int32 = 0

  /// `nil` in a store without history.
  package let context: CommitContext?

  /// When and how long the reducer ran.
  package internal(set) var reducerRun = ReducerRun()

  /// The number of the store that has appended it to a shared log, and whether it was another one;
  /// 0 if the log is not shared.
  package internal(set) var writer = 0
  package internal(set) var isOfOther = false

  init(number: Int, isLast: Bool, context: CommitContext?) {
    self.number = number
    self.isLast = isLast
    self.context = context
  }

  /// The jump in the history that caused the commit; `nil` if an action did.
  public var jump: Jump? {
    self.context?.jump
  }

  package final var hasHistory: Bool {
    self.context != nil
  }

  /// The milliseconds since 1970; `nil` in a store without history.
  package var time: Int64? {
    self.context?.time
  }

  /// The history after the commit; `nil` in a store without one.
  package final var history: HistoryStatus? {
    guard var status = self.context?.status else { return nil }
    if status.undo > 0, status.undoCommit == nil { status.undoCommit = self }
    return status
  }

  /// Called before another thread can see the commit.
  ///
  /// - Parameter status: Must not refer to the commit itself, so that it can be released.
  final func setHistory(_ status: HistoryStatus) {
    self.context?.status = status
  }

  /// What a reader has found that a change in place concerns; `nil` unless it is an
  /// `InPlaceCommit`.
  package var found: AnyObject? {
    nil
  }

  /// The commit with its types, which the caller knows.
  @inlinable
  package final func typed<State, Action>() -> Commit<State, Action> {
    unsafeDowncast(self, to: Commit<State, Action>.self)
  }

  /// The commit of an action with its types, which the caller knows.
  final func withAction<State, Action>() -> ActionCommit<State, Action> {
    unsafeDowncast(self, to: ActionCommit<State, Action>.self)
  }

  package final func inPlace<State, Action>() -> InPlaceCommit<State, Action> {
    unsafeDowncast(self, to: InPlaceCommit<State, Action>.self)
  }

  /// The same commit without its states, which it replaces by one that another commit keeps.
  func withoutStates(_ other: AnyCommit) -> AnyCommit {
    self
  }
}

/// When and how long a reducer ran for an action, in nanoseconds; 0 if it was not measured.
package struct ReducerRun: Sendable {
  /// By ``Clock/uptimeNanoseconds``.
  package let start: Int
  package let duration: Int

  init() {
    (self.start, self.duration) = (0, 0)
  }

  /// A run that ends now.
  ///
  /// - Parameter start: 0 if it is not measured.
  init(since start: Int) {
    self.start = start
    self.duration = start == 0 ? 0 : max(1, Clock.uptimeNanoseconds - start)
  }
}

/// One action that a store has committed, or a jump in its history, with the states before and
/// after it.
///
/// A batch is a run of commits.
public class Commit<State, Action>: AnyCommit, @unchecked Sendable
where State: Sendable, Action: Sendable {
  public let oldState: State
  public let newState: State

  init(number: Int, isLast: Bool, oldState: State, newState: State, context: CommitContext?) {
    self.oldState = oldState
    self.newState = newState
    super.init(number: number, isLast: isLast, context: context)
  }

  /// `nil` for a jump.
  public var action: Action? {
    nil
  }
}

/// The commit of an action. A class of its own, because generic code would look up the type of an
/// optional action.
final class ActionCommit<State, Action>: Commit<State, Action>, @unchecked Sendable
where State: Sendable, Action: Sendable {
  let ownAction: Action

  required init(
    number: Int, isLast: Bool, oldState: State, action: Action, newState: State,
    context: CommitContext? = nil
  ) {
    self.ownAction = action
    super.init(
      number: number, isLast: isLast, oldState: oldState, newState: newState, context: context)
  }

  override var action: Action? {
    self.ownAction
  }

  override func withoutStates(_ other: AnyCommit) -> AnyCommit {
    let state = (other.typed() as Commit<State, Action>).newState
    return ActionCommit(
      number: self.number, isLast: self.isLast, oldState: state, action: self.ownAction,
      newState: state)
  }
}

/// A commit without an action: a jump, or the state that a group of the history began with.
final class StateCommit<State, Action>: Commit<State, Action>, @unchecked Sendable
where State: Sendable, Action: Sendable {
  required override init(
    number: Int, isLast: Bool = true, oldState: State, newState: State, context: CommitContext?
  ) {
    super.init(
      number: number, isLast: isLast, oldState: oldState, newState: newState, context: context)
  }
}

/// An action whose edits were made in the state itself: nobody has the state before it.
package final class InPlaceCommit<State, Action>: AnyCommit, @unchecked Sendable
where State: Sendable, Action: Sendable {
  package let action: Action
  package let newState: State
  private let ownFound: AnyObject

  required init(number: Int, action: Action, newState: State, found: AnyObject) {
    self.action = action
    self.newState = newState
    self.ownFound = found
    super.init(number: number, isLast: true, context: nil)
  }

  override package var found: AnyObject? {
    self.ownFound
  }
}

/// A state that no action made: that of another step of the history, that before a group, or, when
/// a log was opened, that without the optimistic updates in flight.
public struct Jump: Hashable, Sendable {
  /// What the program called: `undo`, `redo`, `travel(to:)`, `cancelGroup`, or an open of a log.
  public enum Kind: String, Hashable, Sendable {
    case undone, redone, traveled, cancelled, rolledBack
  }

  public let kind: Kind

  /// The number of the step that is shown.
  public let number: Int

  /// The writers of a shared log whose optimistic updates were rolled back; empty for all.
  package let writers: Set<Int>

  package init(kind: Kind, number: Int, writers: Set<Int> = []) {
    self.kind = kind
    self.number = number
    self.writers = writers
  }
}

/// What a store with history knows of a commit, besides its action and its states.
package final class CommitContext: @unchecked Sendable {
  /// The milliseconds since 1970.
  package let time: Int64

  let jump: Jump?

  /// The optimistic updates in flight before and after the commit.
  let oldInFlight: AnyObject?
  let inFlight: AnyObject?

  /// The history after the commit. Set before another thread can see the commit.
  fileprivate var status = HistoryStatus()

  /// Whether optimistic updates are in flight before or after the commit.
  var hasInFlight: Bool {
    self.oldInFlight != nil || self.inFlight != nil
  }

  init(time: Int64, jump: Jump? = nil, oldInFlight: AnyObject?, inFlight: AnyObject?) {
    self.time = time
    self.jump = jump
    self.oldInFlight = oldInFlight
    self.inFlight = inFlight
  }
}
