import Threading

// MARK: Jumping

/// A function of the history of a store.
package enum HistoryOperation: Sendable {
  case undo(Int), redo(Int), travel(to: Int)
  case beginGroup, endGroup, cancelGroup, markClean

  /// Whether it may change the state.
  package var isJump: Bool {
    switch self {
    case .undo, .redo, .travel, .cancelGroup: true
    case .beginGroup, .endGroup, .markClean: false
    }
  }
}

/// A store was created without a history.
public struct NoHistory: Error, Hashable {}

extension NoHistory: CustomStringConvertible {
  public var description: String {
    "the store has no history; create it with the parameter `history`"
  }
}

extension Store {
  /// Performs an operation. The caller has checked reentrancy.
  ///
  /// - Parameter hasTimeout: Whether ``CommitSequence/spaceTimeout`` limits the wait for space.
  /// - Returns: How many steps were undone or redone; for a group, 1 if what can be undone and
  ///   redone has changed without a commit.
  package func perform(
    _ operation: HistoryOperation, in scope: CallScope, hasTimeout: Bool = false
  ) throws -> Int {
    guard self.commits.hasHistory else { throw NoHistory() }
    switch operation {
    case .undo(let count):
      return try self.jump(in: scope, hasTimeout) { try $0.undo(count, $1) }?.taken ?? 0
    case .redo(let count):
      return try self.jump(in: scope, hasTimeout) { try $0.redo(count, $1) }?.taken ?? 0
    case .travel(let number):
      return try self.jump(in: scope, hasTimeout) { try $0.travel(to: number, $1) }?.taken ?? 0
    case .cancelGroup:
      let target = try self.jump(in: scope, hasTimeout) {
        try $0.cancelGroup(after: self.commits.number, $1)
      }
      guard target == nil else { return 0 }
      // Nothing was committed since it began.
      return try self.mark({ $0.marks.afterGroup }, in: scope) ? 1 : 0
    case .beginGroup: return try self.mark({ try $0.marksInGroup() }, in: scope) ? 1 : 0
    case .endGroup: return try self.mark({ $0.marks.afterGroup }, in: scope) ? 1 : 0
    case .markClean: return try self.mark({ $0.cleanMarks }, in: scope) ? 1 : 0
    }
  }

  /// Changes the marks of the history. It is no commit, but a log has it.
  ///
  /// - Returns: Whether nothing is left of the step that they settle. It is then no step.
  @discardableResult
  func mark(
    _ next: (History) throws -> HistoryMarks, in scope: CallScope, from origin: Origin = .program
  ) throws -> Bool {
    while true {
      if let cancelsOut = try self.markOnce(next, in: scope, from: origin) { return cancelsOut }
    }
  }

  /// - Returns: `nil` if it must be made again.
  private func markOnce(
    _ next: (History) throws -> HistoryMarks, in scope: CallScope, from origin: Origin
  ) throws -> Bool? {
    try self.lock(origin, in: scope)
    var transaction = Transaction(origin, count: 0)
    do {
      guard let history = self.commits.history, case let marks = try next(history),
        marks != history.marks
      else {
        self.giveUp(origin, in: scope)
        return false
      }
      var change = History.MarkChange(marks)
      if !marks.isExtensible, history.openWriter == history.writer {
        change.cancelsOut = try self.reading(history, in: scope) { $0.openCancelsOut($1) }
      }
      if history.begins(marks) {
        change.savepoint = self.savepoint(history.savepoints.last, origin)
      }
      if origin.isProgram {
        transaction.entry = self.commits.log?.encode(marks, number: self.commits.number)
      }
      transaction.marks = change
    } catch {
      self.giveUp(origin, in: scope)
      throw error
    }
    transaction.inFlight = self.inFlight
    guard try self.publish(&transaction, self.current, in: scope, { _, _, _ in nil }) else {
      return nil
    }
    return transaction.marks?.cancelsOut == true
  }

  /// A commit without an action, that has the current state. Called with the dispatch lock held.
  private func savepoint(_ last: Savepoint?, _ origin: Origin) -> AnyCommit {
    let number = self.commits.number
    if let last, last.number == number { return last.commit }
    return self.savepoint(
      number: number, state: self.current, inFlight: self.inFlight,
      time: self.commits.time(of: origin))
  }

  package func savepoint(
    number: Int, state: State, inFlight: AnyObject? = nil, time: Int64 = 0
  ) -> AnyCommit {
    self.stateCommitType.init(
      number: number, oldState: state, newState: state,
      context: CommitContext(time: time, oldInFlight: inFlight, inFlight: inFlight))
  }

  /// Calls `body` as a part of the reducer if it may call code of a domain. Called with the
  /// dispatch lock held.
  ///
  /// - Parameter body: Gets whether optimistic updates are in flight.
  // Inlined, because generic code would look up the type of the result.
  @inline(__always)
  func reading<Result>(
    _ history: History, in scope: CallScope, _ body: (History, Bool) throws -> Result
  ) throws -> Result {
    let isInFlight = self.inFlight != nil
    guard history.comparesOpen else { return try body(history, isInFlight) }
    return try self.reducing(in: scope) { try body(history, isInFlight) }
  }

  private func jump(
    in scope: CallScope, _ hasTimeout: Bool, to find: (History, Bool) throws -> History.Target?
  ) throws -> History.Target? {
    let depth = scope.isInsideCallback ? try self.commits.checkDepth(in: scope) : 0
    try self.lock(.program, in: scope)
    var hasRoom =
      scope.isInsideCallback || self.commits.log == nil && self.commits.fullStream == nil
    while true {
      let found: History.Target?
      do {
        if let history = self.commits.history {
          found = try self.reading(history, in: scope, find)
        } else {
          found = nil
        }
      } catch {
        self.giveUp(.program, in: scope)
        throw error
      }
      guard let target = found else {
        self.giveUp(.program, in: scope)
        return nil
      }
      if hasRoom {
        if try self.jump(to: target, in: scope, depth: depth) { return target }
      } else {
        // With nothing to do, it does not wait for room.
        self.giveUp(.program, in: scope)
      }
      try self.lockDispatches(in: scope, hasTimeout, .program)
      hasRoom = true
    }
  }

  /// Called with the dispatch lock held, which it releases.
  ///
  /// - Returns: As ``publish(_:_:in:_:)``.
  @discardableResult
  func jump(
    to target: History.Target, in scope: CallScope, from origin: Origin = .program,
    depth: Int32 = 0
  ) throws -> Bool {
    let (next, inFlight) = self.shown(by: target)
    if origin.isProgram, let policy = self.commits.history?.policy, policy.restore != nil {
      do {
        try policy.check?(next, self.current)
      } catch {
        self.giveUp(origin, in: scope)
        throw error
      }
    }
    var transaction = Transaction(origin)
    transaction.depth = depth
    (transaction.inFlight, transaction.jump) = (inFlight, target)
    return try self.commit(
      Jump(kind: target.kind, number: target.number), next,
      self.commits.history?.status(after: target), &transaction, in: scope)
  }

  /// Commits a state that no action made. Called with the dispatch lock held, which it releases.
  ///
  /// - Parameters:
  ///   - status: The history after the commit.
  ///   - transaction: What else changes with it.
  /// - Returns: As ``publish(_:_:in:_:)``.
  @discardableResult
  func commit(
    _ jump: Jump, _ next: State, _ status: HistoryStatus?, _ transaction: inout Transaction,
    in scope: CallScope
  ) throws -> Bool {
    let commit = self.stateCommitType.init(
      number: self.commits.number + transaction.count, oldState: self.current, newState: next,
      context: CommitContext(
        time: self.commits.time(of: transaction.origin), jump: jump, oldInFlight: self.inFlight,
        inFlight: transaction.inFlight))
    commit.setHistory(status ?? HistoryStatus())
    transaction.first = commit
    do {
      try self.log(&transaction)
    } catch {
      self.giveUp(transaction.origin, in: scope)
      throw error
    }
    return try self.publish(&transaction, next, in: scope) { _, _, _ in nil }
  }

  /// The state that a jump goes to, with its changes that are still in flight.
  func shown(by target: History.Target) -> (State, AnyObject?) {
    guard let commit: Commit<State, Action> = target.commit?.typed() else {
      return (self.current, self.inFlight)
    }
    let inFlight = target.isBefore ? commit.context?.oldInFlight : commit.context?.inFlight
    var state = target.isBefore ? commit.oldState : commit.newState
    if let restore = self.commits.history?.policy.restore { self.restore(&state, restore) }
    guard self.isOptimistic else { return (state, nil) }
    return (state, self.optimistic?.inFlight(inFlight, after: self.inFlight))
  }

  // Not inlined: generic code looks up the type of the cast.
  @inline(never)
  private func restore(
    _ state: inout State, _ restore: (any Sendable, any Sendable) -> any Sendable
  ) {
    state = restore(state, self.current) as? State ?? state
  }
}

// MARK: Reading

extension CommitSequence {
  /// A part of the history of a store.
  package struct HistoryPart: Sendable {
    /// The number of the step that is shown.
    package let present: Int
    package let status: HistoryStatus
    package let policy: HistoryPolicy
    package let steps: [HistoryStep]
    /// The index of the first of these steps.
    package let start: Int
  }

  /// - Parameter range: The indices of the steps, oldest first.
  /// - Returns: `nil` without history.
  package func readHistory(_ range: Range<Int>) -> HistoryPart? {
    self.access.lock()
    defer { self.access.unlock() }
    return self.history.map { history in
      HistoryPart(
        present: history.presentNumber, status: history.status, policy: history.policy,
        steps: history.steps(range),
        start: range.lowerBound)
    }
  }
}
