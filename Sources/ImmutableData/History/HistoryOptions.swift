import Threading

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

// MARK: Undo and redo

extension Store {
  /// Undoes steps: the state is the one before the first action of the last of them.
  ///
  /// An undo is a commit: subscribers get it, with ``AnyCommit/jump``. It has no effects.
  ///
  /// - Parameter steps: How many; fewer are undone if there are fewer.
  /// - Returns: The number of steps that were undone. If it is 0, nothing was committed.
  /// - Throws: ``NoHistory``; ``ReentrancyError`` in a reducer.
  @discardableResult
  public func undo(_ steps: Int = 1) throws -> Int {
    try self.jump(.undo(steps))
  }

  /// Redoes steps that were undone: the state is the one after the last action of the last of them.
  /// Otherwise as ``undo(_:)``.
  @discardableResult
  public func redo(_ steps: Int = 1) throws -> Int {
    try self.jump(.redo(steps))
  }

  /// Shows the state after a step; number 0 is the state before the first one.
  ///
  /// - Throws: ``JumpRefusal`` if there is no such step; otherwise as ``undo(_:)``.
  public func travel(to number: Int) throws {
    _ = try self.jump(.travel(to: number))
  }

  /// Makes all actions one step until `body` returns, also those of other threads. Groups nest. An
  /// undo in a group ends it.
  ///
  /// - Parameters:
  ///   - cancelsOnError: Whether the group is given up if `body` throws: the state is the one
  ///     before it, and what could be redone then can be redone again. It is a commit, as
  ///     ``undo(_:)``.
  ///   - body: Called once, without locks.
  /// - Returns: What `body` returns.
  /// - Throws: The error of `body`, after the group has ended; ``GroupLimit``; otherwise as
  ///   ``undo(_:)``.
  public func group<Result>(
    cancelsOnError: Bool = false, _ body: () throws -> Result
  ) throws -> Result {
    _ = try self.use(.beginGroup)
    let result = Swift.Result { try body() }
    let cancels = if cancelsOnError, case .failure = result { true } else { false }
    let end = Swift.Result { cancels ? try self.jump(.cancelGroup) : 0 }
    // If it cannot be given up, it ends.
    if !cancels || (try? end.get()) == nil { _ = try self.use(.endGroup) }
    _ = try end.get()
    return try result.get()
  }

  /// Declares that the program has saved what is shown: ``HistoryStatus/isClean``.
  ///
  /// - Throws: As ``undo(_:)``.
  public func markClean() throws {
    _ = try self.use(.markClean)
  }

  /// What can be undone and redone now; `nil` in a store without history.
  public var history: HistoryStatus? {
    self.commits.forbid(.select, in: .current)
    self.commits.access.lock()
    defer { self.commits.access.unlock() }
    return self.commits.history?.status
  }

  private func jump(_ operation: HistoryOperation) throws -> Int {
    let scope = CallScope.current
    if let error = self.commits.forbid(.dispatch, in: scope) { throw error }
    return try self.perform(operation, in: scope)
  }

  private func use(_ operation: HistoryOperation) throws -> Int {
    let scope = CallScope.current
    if let error = self.commits.forbid(.use, in: scope) { throw error }
    return try self.perform(operation, in: scope)
  }
}
