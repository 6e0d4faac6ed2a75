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
        history = try history.rewritten(since: rollBack.start) {
          try self.rewritten($0, without: rollBack)
        }
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

// MARK: Jumping

/// A function of the history of a store.
package enum HistoryOperation: Sendable {
  case undo(Int), redo(Int), travel(to: Int)
  case beginGroup, endGroup, markClean
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
  /// - Returns: How many steps were undone or redone.
  package func perform(
    _ operation: HistoryOperation, in scope: CallScope, hasTimeout: Bool = false
  ) throws -> Int {
    guard self.commits.hasHistory else { throw NoHistory() }
    switch operation {
    case .undo(let count): return try self.jump(in: scope, hasTimeout) { try $0.undo(count) }
    case .redo(let count): return try self.jump(in: scope, hasTimeout) { try $0.redo(count) }
    case .travel(let number):
      return try self.jump(in: scope, hasTimeout) { try $0.travel(to: number) }
    case .beginGroup: try self.mark({ $0.marks.inGroup }, in: scope)
    case .endGroup: try self.mark({ $0.marks.afterGroup }, in: scope)
    case .markClean: try self.mark({ $0.cleanMarks }, in: scope)
    }
    return 0
  }

  /// Changes the marks of the history. It is no commit, but a log has it.
  func mark(_ next: (History) -> HistoryMarks, in scope: CallScope) throws {
    self.dispatchLock.lock()
    do {
      defer { self.dispatchLock.unlock() }
      guard let history = self.commits.history else { return }
      let marks = next(history)
      guard marks != history.marks else { return }
      let entry = self.commits.log?.encode(marks, number: self.commits.number)
      if let error = self.commits.appendToLog(entry) { throw error }
      self.commits.access.lock()
      defer { self.commits.access.unlock() }
      history.use(marks)
    }
    try self.commits.log?.wait(upTo: nil, in: scope)
  }

  private func jump(
    in scope: CallScope, _ hasTimeout: Bool, to find: (History) throws -> History.Target?
  ) throws -> Int {
    // With nothing to do, it does not wait for room in streams.
    self.dispatchLock.lock()
    let isPossible = Result { try self.commits.history.flatMap(find) != nil }
    self.dispatchLock.unlock()
    guard try isPossible.get() else { return 0 }
    try self.lockDispatches(in: scope, hasTimeout)
    let history: History
    let target: History.Target
    do {
      guard let found = self.commits.history, let foundTarget = try find(found) else {
        self.dispatchLock.unlock()
        return 0
      }
      (history, target) = (found, foundTarget)
    } catch {
      self.dispatchLock.unlock()
      throw error
    }
    let (next, inFlight) = self.shown(by: target)
    try self.commit(
      Jump(kind: target.kind, number: target.number), next, inFlight, history,
      history.makeStatus(undo: target.present), in: scope
    ) { $0?.record(target) }
    return target.taken
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
    _ record: (History?) -> Void
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
    record(history)
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
    return (
      target.isBefore ? commit.oldState : commit.newState,
      self.optimistic?.inFlight(inFlight, after: self.inFlight)
    )
  }
}

// MARK: Reading

extension CommitSequence {
  /// A part of the history of a store.
  package struct HistoryPart: Sendable {
    /// The number of the step that is shown.
    package let present: Int
    package let status: HistoryStatus
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
        present: history.presentNumber, status: history.status, steps: history.steps(range),
        start: range.lowerBound)
    }
  }
}
