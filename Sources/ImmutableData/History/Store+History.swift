import Threading

// MARK: Recording

/// What commits make of the history of a store.
struct Recording {
  var entry: History.Entry
  /// Another object than before if a change was rolled back.
  let history: History
  /// Released without the locks.
  let old: History
}

extension CommitSequence {
  /// Called with both locks held.
  func record(_ recording: inout Recording, _ aftermath: inout Aftermath) {
    self.history = recording.history
    recording.history.record(&recording.entry, &aftermath)
  }
}

extension Store {
  typealias RollBack = OptimisticReducer<State, Action>.RollBack

  /// Called with the dispatch lock held, as a part of the reducer: it may call code of a domain.
  ///
  /// - Parameter rollBacks: The changes that the commits have rolled back.
  /// - Returns: `nil` without history.
  func recording(of commits: [AnyCommit], _ rollBacks: [RollBack]) throws -> Recording? {
    guard let old = self.commits.history else { return nil }
    var history = old
    // The history has the commits without what was rolled back.
    var recorded = commits
    for rollBack in rollBacks {
      history = try history.rewritten(without: rollBack.change) {
        try self.rewritten($0, without: rollBack)
      }
      recorded = try recorded.compactMap { try self.rewritten($0, without: rollBack) }
    }
    var recording = Recording(entry: History.Entry(), history: history, old: old)
    if let first = recorded.first {
      history.decide(first, Array(recorded.dropFirst()), &recording.entry)
    }
    for commit in commits {
      commit.setHistory(history.status(after: recording.entry, in: commit))
    }
    return recording
  }

  /// The same for one action of a store without optimistic updates. Uses no generic types but those
  /// of the store.
  ///
  /// - Parameter entry: Gets what the commit makes of the history.
  // Not inlined: it would make the dispatch of a store without history longer.
  @inline(never)
  func commit(
    _ oldState: State, _ action: Action, _ newState: State, _ entry: inout History.Entry
  ) -> AnyCommit? {
    guard let history = self.commits.history else { return nil }
    let commit = self.commitType.init(
      number: self.commits.number + 1, isLast: true, oldState: oldState, action: action,
      newState: newState,
      context: CommitContext(time: Clock.now, oldInFlight: nil, inFlight: nil))
    history.decide(commit, [], &entry)
    commit.setHistory(history.status(after: entry, in: commit))
    return commit
  }

  /// A commit without a change that was rolled back; `nil` if its action was removed, too.
  private func rewritten(_ commit: AnyCommit, without rollBack: RollBack) throws -> AnyCommit? {
    guard commit.number >= rollBack.change, let optimistic, let context = commit.context else {
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
    case .beginGroup: self.changeHistory { $0.beginGroup() }
    case .endGroup: self.changeHistory { $0.endGroup() }
    case .markClean: self.changeHistory { $0.markClean() }
    }
    return 0
  }

  private func changeHistory(_ body: (History) -> Void) {
    self.dispatchLock.lock()
    defer { self.dispatchLock.unlock() }
    self.commits.access.lock()
    defer { self.commits.access.unlock() }
    self.commits.history.map(body)
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
    let oldState = self.current
    let oldInFlight = self.inFlight
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
    let commit = Commit<State, Action>(
      number: self.commits.number + 1, isLast: true, oldState: oldState, newState: next,
      context: CommitContext(
        time: Clock.now, jump: Jump(kind: target.kind, number: target.number),
        oldInFlight: oldInFlight, inFlight: inFlight))
    commit.setHistory(history.makeStatus(undo: target.present))
    var aftermath = Aftermath()
    self.commits.access.lock()
    (self.current, self.inFlight) = (next, inFlight)
    let number = self.commits.advance(by: 1)
    history.record(target)
    if self.commits.hasReaders { self.commits.append(commit, &aftermath) }
    self.finish(upTo: number, &aftermath, in: scope)
    // Released without the locks.
    withExtendedLifetime((oldState, oldInFlight)) {}
    return target.taken
  }

  /// The state that a jump goes to, with its changes that are still in flight.
  private func shown(by target: History.Target) -> (State, AnyObject?) {
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
