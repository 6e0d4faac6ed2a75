import Threading

// MARK: Recording

/// What the history and the log of a store keep of commits.
struct KeptCommits {
  /// In place of that of the store, if a change was rolled back.
  var history: History?
  var entry = History.Entry()
  var logged: LogEntry?
}

extension CommitSequence {
  /// Called with both locks held.
  ///
  /// - Parameter kept: Gets what must be released without the locks.
  func record(_ kept: inout KeptCommits, _ aftermath: inout Aftermath) {
    if kept.history != nil { swap(&self.history, &kept.history) }
    self.history?.record(&kept.entry, &aftermath)
  }
}

extension Store {
  typealias RollBack = OptimisticReducer<State, Action>.RollBack

  /// Called with the dispatch lock held, as a part of the reducer: it may call code of a domain.
  ///
  /// - Parameters:
  ///   - rollBacks: What the commits have rolled back.
  ///   - kept: Gets what the history and the log keep of the commits, also if this throws.
  func keep(
    _ commits: [AnyCommit], _ rollBacks: [RollBack], _ kept: inout KeptCommits
  ) throws {
    if var history = self.commits.history {
      // The history has the commits without what was rolled back.
      var recorded = commits
      for rollBack in rollBacks {
        history = try self.rewritten(history, without: rollBack)
        kept.history = history
        recorded = try recorded.compactMap { try self.rewritten($0, without: rollBack) }
      }
      if let first = recorded.first {
        history.decide(first, Array(recorded.dropFirst()), &kept.entry)
      }
      for commit in commits {
        commit.setHistory(history.status(after: kept.entry, in: commit))
      }
    }
    kept.logged = try self.commits.log?.encode(commits)
  }

  /// The same for one action of a store without optimistic updates. Uses no generic types but those
  /// of the store.
  ///
  /// - Parameters:
  ///   - text: The action as JSON text; empty if the log must encode it.
  ///   - kept: Gets what the history and the log keep of the commit.
  /// - Returns: `nil` if they need no commit.
  // Not inlined: it would make the dispatch of a store without history longer.
  @inline(never)
  func commit(
    _ oldState: State, _ action: Action, _ newState: State, _ text: UnsafeRawBufferPointer,
    _ kept: inout KeptCommits
  ) throws -> AnyCommit? {
    let number = self.commits.number + 1
    // Opening the log again joins the same actions in one step only if it has the same times.
    let time = self.commits.time
    if let log = self.commits.log, !text.isEmpty {
      kept.logged = log.encode(text, number: number, time: time)
      if self.commits.history == nil, kept.logged != nil { return nil }
    }
    var context: CommitContext?
    if self.commits.hasHistory {
      context = CommitContext(time: time, oldInFlight: nil, inFlight: nil)
    }
    let commit = self.commitType.init(
      number: number, isLast: true, oldState: oldState, action: action, newState: newState,
      context: context)
    if let history = self.commits.history {
      history.decide(commit, [], &kept.entry)
      commit.setHistory(history.status(after: kept.entry, in: commit))
    }
    if let log = self.commits.log, kept.logged == nil {
      kept.logged = try log.encode([commit])
    }
    return commit
  }

  /// A commit without changes that were rolled back; `nil` if its action was removed, too.
  func rewritten(_ commit: AnyCommit, without rollBack: RollBack) throws -> AnyCommit? {
    guard commit.number >= rollBack.start, let optimistic, let context = commit.context else {
      return commit
    }
    let old = try optimistic.state(without: rollBack, context.oldInFlight)
    let new = try optimistic.state(
      without: rollBack, context.inFlight, after: context.oldInFlight)
    guard !rollBack.removes(commit.number) else { return nil }
    guard old != nil || new != nil else { return commit }
    let typed: ActionCommit<State, Action> = commit.withAction()
    return self.commitType.init(
      number: commit.number, isLast: commit.isLast, oldState: old?.state ?? typed.oldState,
      action: typed.ownAction, newState: new?.state ?? typed.newState,
      context: CommitContext(
        time: context.time, oldInFlight: old.map(\.inFlight) ?? context.oldInFlight,
        inFlight: new.map(\.inFlight) ?? context.inFlight))
  }
}

extension Store {
  /// A history without a change that was rolled back.
  func rewritten(_ history: History, without rollBack: RollBack) throws -> History {
    try history.rewritten(since: rollBack.start) {
      try self.rewritten($0, without: rollBack)
    } savepoint: { savepoint in
      guard savepoint.number >= rollBack.start, let optimistic, let context = savepoint.context,
        let (state, inFlight) = try optimistic.state(without: rollBack, context.inFlight)
      else { return savepoint }
      return self.savepoint(
        number: savepoint.number, state: state, inFlight: inFlight, time: context.time)
    }
  }
}

// MARK: Jumping

/// A function of the history of a store.
package enum HistoryOperation: Sendable {
  case undo(Int), redo(Int), travel(to: Int)
  case beginGroup, endGroup, cancelGroup, markClean
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
  /// - Returns: How many steps were undone or redone; for a group, 1 if what can be undone and redone
  ///   has changed without a commit.
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
  func mark(_ next: (History) throws -> HistoryMarks, in scope: CallScope) throws -> Bool {
    // Released without the locks.
    var aftermath = Aftermath()
    defer { withExtendedLifetime(aftermath) {} }
    var cancelsOut = false
    self.dispatchLock.lock()
    do {
      defer { self.dispatchLock.unlock() }
      guard let history = self.commits.history else { return false }
      let marks = try next(history)
      guard marks != history.marks else { return false }
      if !marks.isExtensible {
        cancelsOut = try self.reading(history, in: scope) { $0.openCancelsOut($1) }
      }
      let savepoint = history.begins(marks) ? self.savepoint(history.savepoints.last) : nil
      let entry = self.commits.log?.encode(marks, number: self.commits.number)
      if let error = self.commits.appendToLog(entry) { throw error }
      self.commits.access.lock()
      defer { self.commits.access.unlock() }
      history.use(marks, savepoint: savepoint, cancelsOut: cancelsOut, &aftermath)
    }
    try self.commits.log?.wait(upTo: nil, in: scope)
    return cancelsOut
  }

  /// A commit without an action, that has the current state. Called with the dispatch lock held.
  private func savepoint(_ last: Savepoint?) -> AnyCommit {
    let number = self.commits.number
    if let last, last.number == number { return last.commit }
    return self.savepoint(
      number: number, state: self.current, inFlight: self.inFlight, time: self.commits.time)
  }

  package func savepoint(
    number: Int, state: State, inFlight: AnyObject? = nil, time: Int64 = 0
  ) -> AnyCommit {
    Commit<State, Action>(
      number: number, isLast: true, oldState: state, newState: state,
      context: CommitContext(time: time, oldInFlight: inFlight, inFlight: inFlight))
  }

  /// Calls `body` as a part of the reducer if it may call code of a domain. Called with the dispatch
  /// lock held.
  ///
  /// - Parameter body: Gets whether optimistic updates are in flight.
  // Inlined, because generic code would look up the type of the result.
  @inline(__always)
  func reading<Result>(
    _ history: History, in scope: CallScope, _ body: (History, Bool) throws -> Result
  ) throws -> Result {
    let isInFlight = self.inFlight != nil
    guard history.comparesOpen else { return try body(history, isInFlight) }
    scope.beginReduction(of: self.commits)
    let result: Result
    do {
      result = try body(history, isInFlight)
    } catch {
      throw scope.endReduction() ?? error
    }
    if let violation = scope.endReduction() { throw violation }
    return result
  }

  private func jump(
    in scope: CallScope, _ hasTimeout: Bool, to find: (History, Bool) throws -> History.Target?
  ) throws -> History.Target? {
    self.dispatchLock.lock()
    if !scope.isInsideCallback, self.commits.log != nil || self.commits.fullStream != nil {
      // With nothing to do, it does not wait for room.
      do {
        defer { self.dispatchLock.unlock() }
        guard let history = self.commits.history,
          try self.reading(history, in: scope, find) != nil
        else { return nil }
      }
      try self.lockDispatches(in: scope, hasTimeout)
    }
    let history: History
    let target: History.Target
    do {
      guard let found = self.commits.history,
        let foundTarget = try self.reading(found, in: scope, find)
      else {
        self.dispatchLock.unlock()
        return nil
      }
      (history, target) = (found, foundTarget)
    } catch {
      self.dispatchLock.unlock()
      throw error
    }
    let (next, inFlight) = self.shown(by: target)
    try self.commit(
      Jump(kind: target.kind, number: target.number), next, inFlight, history,
      history.status(after: target), in: scope
    ) { $0?.record(target, &$1) }
    return target
  }

  /// Commits a state that no action made. Called with the dispatch lock held, which it releases.
  ///
  /// - Parameters:
  ///   - status: The history after the commit.
  ///   - number: `nil` for the next one.
  ///   - record: Changes the history, with both locks held.
  func commit(
    _ jump: Jump, _ next: State, _ inFlight: AnyObject?, _ history: History?,
    _ status: HistoryStatus, number: Int? = nil, in scope: CallScope,
    _ record: (History?, inout Aftermath) -> Void
  ) throws {
    let last = self.commits.number
    let number = number ?? last + 1
    // Released without the locks.
    let (oldState, oldInFlight, oldHistory) = (self.current, self.inFlight, self.commits.history)
    defer {
      withExtendedLifetime(oldState) {}
      withExtendedLifetime(oldInFlight) {}
      withExtendedLifetime(oldHistory) {}
    }
    let commit = Commit<State, Action>(
      number: number, isLast: true, oldState: oldState, newState: next,
      context: CommitContext(
        time: self.commits.time, jump: jump, oldInFlight: oldInFlight, inFlight: inFlight))
    commit.setHistory(status)
    if let log = self.commits.log {
      do {
        if let error = self.commits.appendToLog(try log.encode([commit])) { throw error }
      } catch {
        self.dispatchLock.unlock()
        throw error
      }
    }
    var aftermath = Aftermath()
    self.commits.access.lock()
    self.current = next
    self.inFlight = inFlight
    self.commits.history = history
    _ = self.commits.advance(by: number - last)
    record(history, &aftermath)
    if self.commits.hasReaders { self.commits.append(commit, &aftermath) }
    self.finish(upTo: number, &aftermath, in: scope)
    try self.commits.log?.wait(upTo: number, in: scope)
  }

  /// The state that a jump goes to, with its changes that are still in flight.
  func shown(by target: History.Target) -> (State, AnyObject?) {
    guard let commit: Commit<State, Action> = target.commit?.typed() else {
      return (self.current, self.inFlight)
    }
    let inFlight = target.isBefore ? commit.context?.oldInFlight : commit.context?.inFlight
    var state = target.isBefore ? commit.oldState : commit.newState
    if let restore = self.commits.history?.policy.restore {
      state = restore(state, self.current) as? State ?? state
    }
    return (state, self.optimistic?.inFlight(inFlight, after: self.inFlight))
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
