/// Which actions of a store can be undone, and how many.
///
/// An action that changes nothing is no step, nor are a batch, a group or neighbours that together
/// change nothing. Whether they do is known if the state is `Equatable`.
/// An action that is no step keeps what can be redone; any other one drops it.
public struct HistoryOptions<Action>: Sendable where Action: Sendable {
  /// How many steps can be undone; at least 1.
  public var limit: Int

  /// Whether an action is a step.
  public var isStep: @Sendable (Action) -> Bool

  /// Whether an action is undone together with the one before it.
  public var joins: (@Sendable (_ last: Action, _ next: Action) -> Bool)?

  /// - Parameters:
  ///   - limit: How many steps can be undone; a number below 1 counts as 1.
  ///   - isStep: Whether an action is a step. By default, each is.
  ///   - joins: Whether an action is undone together with the one before it. By default, none is.
  public init(
    limit: Int = 100, isStep: @escaping @Sendable (Action) -> Bool = { _ in true },
    joins: (@Sendable (_ last: Action, _ next: Action) -> Bool)? = nil
  ) {
    self.limit = limit
    self.isStep = isStep
    self.joins = joins
  }
}

extension HistoryOptions {
  func policy<State: Sendable>(_ state: State.Type) -> HistoryPolicy {
    @Sendable func action(_ commit: AnyCommit) -> Action? {
      (commit.typed() as Commit<State, Action>).action
    }
    var policy = HistoryPolicy.comparing(State.self, Action.self)
    policy.limit = max(self.limit, 1)
    policy.isStep = { [isStep] in action($0).map(isStep) ?? false }
    if let joins {
      policy.joins = { last, next in
        guard let last = action(last), let next = action(next) else { return false }
        return joins(last, next)
      }
    }
    return policy
  }
}

extension HistoryPolicy {
  /// Compares states that are `Equatable`. All others are assumed to change.
  package static func comparing<State: Sendable, Action: Sendable>(
    _ state: State.Type, _ action: Action.Type
  ) -> HistoryPolicy {
    let states = (State.self as? any Equatable.Type).map { comparison(of: $0) }
    return HistoryPolicy { first, last in
      guard let states else { return true }
      let (first, last): (Commit<State, Action>, Commit<State, Action>) =
        (first.typed(), last.typed())
      return withUnsafePointer(to: first.oldState) { old in
        withUnsafePointer(to: last.newState) { states.differ($0, old) }
      }
    } haveSameType: { _, _ in
      true
    }
  }
}

/// Compares states whose type is known to be `Equatable` only at run time.
private protocol StateComparison: Sendable {
  /// Gets pointers to two states.
  func differ(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool
}

private func comparison<Equal: Equatable>(of type: Equal.Type) -> any StateComparison {
  EquatableComparison<Equal>()
}

private struct EquatableComparison<Equal: Equatable>: StateComparison, @unchecked Sendable {
  func differ(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    left.assumingMemoryBound(to: Equal.self).pointee
      != right.assumingMemoryBound(to: Equal.self).pointee
  }
}
