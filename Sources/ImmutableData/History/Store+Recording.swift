extension Store {
  typealias RollBack = OptimisticReducer<State, Action>.RollBack

  /// Decides what the history and the log keep of the commits of a transaction. Called with the
  /// dispatch lock held, as a part of the reducer: it may call code of a domain.
  ///
  /// - Parameter rollBacks: What the commits have rolled back.
  func keep(_ rollBacks: [RollBack], _ transaction: inout Transaction) throws {
    let commits = transaction.commits
    if var history = self.commits.history {
      // The history has the commits without what was rolled back.
      var recorded = commits
      for rollBack in rollBacks {
        history = try self.rewritten(history, without: rollBack)
        transaction.history = history
        recorded = try recorded.compactMap { try self.rewritten($0, without: rollBack) }
      }
      if let first = recorded.first {
        history.decide(first, Array(recorded.dropFirst()), &transaction.step)
      }
      for commit in commits {
        commit.setHistory(history.status(after: transaction.step, in: commit))
      }
    }
    try self.log(&transaction)
  }

  /// Encodes the commits of a transaction for the log, unless they come from it.
  func log(_ transaction: inout Transaction) throws {
    guard transaction.origin.isProgram, transaction.entry == nil, let log = self.commits.log else {
      return
    }
    transaction.entry = try log.encode(transaction.commits)
  }

  /// The same for one action of a store without optimistic updates. Makes the commit, if they need
  /// one. Uses no generic types but those of the store.
  ///
  /// - Parameters:
  ///   - text: The action as JSON text; empty if the log must encode it.
  ///   - state: The next state, or that before the edits.
  // Not inlined: it would make the dispatch of a store without history longer.
  @inline(never)
  func keep(
    _ action: Action, _ text: UnsafeRawBufferPointer, _ state: inout State,
    _ transaction: inout Transaction
  ) throws {
    let number = self.commits.number + 1
    // Opening the log again joins the same actions in one step only if it has the same times.
    let time = self.commits.time(of: transaction.origin)
    if transaction.origin.isProgram, let log = self.commits.log {
      if !text.isEmpty { transaction.entry = log.encode(text, number: number, time: time) }
      if self.commits.history == nil, transaction.entry != nil { return }
    } else if self.commits.history == nil {
      return
    }
    if let edits = transaction.edits.take() { self.edit(&state, edits) }
    var context: CommitContext?
    if self.commits.hasHistory {
      context = CommitContext(time: time, oldInFlight: nil, inFlight: nil)
    }
    let commit = self.commitType.init(
      number: number, isLast: true, oldState: self.current, action: action, newState: state,
      context: context)
    transaction.first = commit
    if let history = self.commits.history {
      history.decide(commit, [], &transaction.step)
      commit.setHistory(history.status(after: transaction.step, in: commit))
    }
    try self.log(&transaction)
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
