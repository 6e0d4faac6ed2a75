/// Which commits are steps of a history, and how many of them it keeps. Its functions are called in
/// the order of the commits, with the dispatch lock held.
package struct HistoryPolicy: Sendable {
  /// How many steps can be undone.
  package var limit = 100

  /// About how many bytes only the past keeps alive, at most.
  package var bytes: Int?

  /// Whether an action that changes the state is a step.
  package var isStep: @Sendable (AnyCommit) -> Bool = { _ in true }

  /// Whether the state after a commit, the second one, may differ from that before the first.
  /// Called for each commit.
  package var hasChanged: @Sendable (AnyCommit, AnyCommit) -> Bool

  /// Whether they differ, if they may. Called for several commits that are one step; `nil` if
  /// `hasChanged` knows.
  package var differs: (@Sendable (AnyCommit, AnyCommit) -> Bool)?

  /// A state with those parts of a past one that undo and redo change; `nil` if they change all.
  package var restore: (@Sendable (_ past: any Sendable, _ current: any Sendable) -> any Sendable)?

  /// Throws if a state with such parts must not become that of the store.
  package var check: (@Sendable (_ state: any Sendable, _ current: any Sendable) throws -> Void)?

  /// Why an action must not be undone.
  package var refusal: (@Sendable (AnyCommit) -> String?)?

  /// Whether an action joins the step whose last action was another one.
  package var joins: (@Sendable (_ last: AnyCommit, AnyCommit) -> Bool)?

  /// Whether two actions have the same type.
  package var haveSameType: @Sendable (AnyCommit, AnyCommit) -> Bool

  /// About how many bytes are alive only because of the state before the first commit, while the
  /// state after the second one is alive.
  package var size: (@Sendable (AnyCommit, AnyCommit) -> Int)?

  package init(
    hasChanged: @escaping @Sendable (AnyCommit, AnyCommit) -> Bool,
    haveSameType: @escaping @Sendable (AnyCommit, AnyCommit) -> Bool
  ) {
    self.hasChanged = hasChanged
    self.haveSameType = haveSameType
  }
}

/// What can be undone and redone in a store.
public struct HistoryStatus: Sendable {
  /// How many steps can be undone.
  public internal(set) var undo = 0
  /// How many steps can be redone.
  public internal(set) var redo = 0
  /// Whether what is shown is what the program has saved.
  public internal(set) var isClean = true
  /// The first commit of the step that an undo takes back; `nil` if there is none.
  package var undoCommit: AnyCommit?
  /// The first commit of the step that a redo brings back.
  package var redoCommit: AnyCommit?
}
