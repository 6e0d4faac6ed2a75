import Threading

extension Store: Dispatcher {
  public nonisolated func dispatch(action: Action) throws {
    let scope = CallScope.current
    if let error = self.commits.forbid(.dispatch, in: scope) { throw error }
    try self.dispatch(action, in: scope)
  }

  public nonisolated func dispatch(thunk: @Sendable (Store, Store) throws -> Void) rethrows {
    try thunk(self, self)
  }

  public nonisolated func dispatch(thunk: @Sendable (Store, Store) async throws -> Void)
    async rethrows
  {
    try await thunk(self, self)
  }
}

extension Store {
  /// Dispatches several actions atomically: all of them or none, with no other action in between.
  ///
  /// Readers see the state before the first action or after the last. Once all have succeeded,
  /// streams get each action with the state before it. Without actions, nothing is committed.
  ///
  /// - Throws: ``BatchError`` with the index of the action that failed and its reducer's error;
  ///   ``ReentrancyError`` if a reducer used its store.
  public func dispatch(batch actions: some Sequence<Action>) throws {
    let scope = CallScope.current
    if let error = self.commits.forbid(.dispatch, in: scope) { throw error }
    try self.dispatch(batch: Array(actions), in: scope)
  }
}

// MARK: Without checks

// This code uses no generic types other than State and Action. Where it is not specialized, every
// dispatch would look up each such type at run time.

extension Store {
  /// Dispatches an action. The caller has checked reentrancy.
  ///
  /// - Parameters:
  ///   - hasTimeout: Whether ``CommitSequence/spaceTimeout`` limits the wait for space.
  ///   - text: The action as JSON text; empty if the log must encode it.
  package func dispatch(
    _ action: Action, in scope: CallScope, hasTimeout: Bool = false,
    text: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) throws {
    guard !self.isOptimistic else {
      return try self.dispatchRun(of: action, in: scope, hasTimeout)
    }
    try self.lockDispatches(in: scope, hasTimeout)
    let start = self.commits.reducerStart
    let keepsCommits = self.commits.keepsCommits
    // What the reducer has left to the store.
    var change: AnyObject?
    var commit: AnyCommit?
    var kept = KeptCommits()
    scope.beginReduction(of: self.commits)
    // The next state; later the old one.
    var state: State
    let reducerTime: Int
    self.deferredChange?.isAllowed = !keepsCommits && !self.commits.needsOldStates
    do {
      state = try self.reducer(self.current, action)
      change = self.deferredChange?.take()
      reducerTime = CommitSequence.reducerTime(since: start)
      if keepsCommits { commit = try self.commit(self.current, action, state, text, &kept) }
    } catch {
      _ = self.deferredChange?.take()
      let violation = scope.endReduction()
      self.dispatchLock.unlock()
      throw violation ?? error
    }
    var failure = scope.endReduction()
    if keepsCommits, failure == nil { failure = self.commits.appendToLog(kept.logged) }
    var number = 0
    if failure == nil {
      var aftermath = Aftermath()
      self.commits.access.lock()
      // Asked once: an observer with a filter may begin now.
      let isInPlace = change != nil && !self.commits.needsOldStates
      if let change {
        // Shared with the old state, it is changed in a copy.
        if !isInPlace { state = self.current }
        self.deferredChange?.make(change, in: &self.current)
      } else {
        swap(&self.current, &state)
      }
      number = self.commits.advance(by: 1)
      if self.commits.hasReaders, commit == nil {
        if !isInPlace {
          commit = self.commitType.init(
            number: number, isLast: true, oldState: state, action: action, newState: self.current)
        } else if let change {
          let concern = withUnsafePointer(to: &self.current) {
            self.commits.concern(of: change, UnsafeRawPointer($0), number)
          }
          switch concern {
          case .nothing: break
          case .number: commit = AnyCommit(number: number, isLast: true, context: nil)
          case .commit:
            commit = self.commitType.init(
              number: number, isLast: true, oldState: self.current, action: action,
              newState: self.current)
            commit?.change = change
          }
        }
      }
      if let commit {
        commit.reducerTime = reducerTime
        self.commits.append(commit, &aftermath)
        self.commits.record(&kept, &aftermath)
      }
      self.finish(upTo: number, &aftermath, in: scope)
    } else {
      self.dispatchLock.unlock()
    }
    // Released without the locks: they may be large, or their deinitializers may use this store.
    _ = consume state
    withExtendedLifetime(commit) {}
    withExtendedLifetime(kept) {}
    if let failure { throw failure }
    if keepsCommits { try self.commits.log?.wait(upTo: number, in: scope) }
  }

  /// The state without the optimistic updates in flight, as if all of them had failed now. Calls the
  /// reducer for the other actions since the oldest of them. The caller has checked reentrancy.
  package func confirmedState(in scope: CallScope) throws -> State {
    self.dispatchLock.lock()
    defer { self.dispatchLock.unlock() }
    guard let optimistic, let inFlight else { return self.current }
    scope.beginReduction(of: self.commits)
    let result = Result { try optimistic.confirmedState(inFlight) ?? self.current }
    if let violation = scope.endReduction() { throw violation }
    return try result.get()
  }

  /// The state that actions would make of the current one, and that one. Reduces them as a batch
  /// with optimistic updates, and commits nothing. The caller has checked reentrancy.
  ///
  /// - Throws: What a batch of them would.
  package func preview(
    _ actions: [Action], in scope: CallScope
  ) throws -> (oldState: State, newState: State) {
    self.dispatchLock.lock()
    let old = Run(
      isBatch: true, isRecorded: false, state: self.current, inFlight: self.inFlight)
    var run = old
    // Released without the lock, even after an error.
    defer { withExtendedLifetime((old, run)) {} }
    defer { self.dispatchLock.unlock() }
    try self.reduce(actions, &run, in: scope)
    return (old.state, run.state)
  }

  /// Dispatches a batch. The caller has checked reentrancy.
  package func dispatch(
    batch actions: [Action], in scope: CallScope, hasTimeout: Bool = false
  ) throws {
    guard !actions.isEmpty else { return }
    try self.dispatch(actions, isBatch: true, in: scope, hasTimeout)
  }

  // Not inlined: it would make the other dispatch longer.
  @inline(never)
  private func dispatchRun(of action: Action, in scope: CallScope, _ hasTimeout: Bool) throws {
    try self.dispatch([action], isBatch: false, in: scope, hasTimeout)
  }

  /// Dispatches a batch, or an action of a store with optimistic updates.
  private func dispatch(
    _ actions: [Action], isBatch: Bool, in scope: CallScope, _ hasTimeout: Bool
  ) throws {
    try self.lockDispatches(in: scope, hasTimeout)
    self.commits.access.lock()
    let old = Run(
      isBatch: isBatch, isRecorded: self.commits.hasReaders || self.commits.keepsCommits,
      state: self.current, inFlight: self.inFlight)
    self.commits.access.unlock()
    var (run, discarded) = (old, old)
    // Released without the locks, even after an error.
    defer { withExtendedLifetime((old, run, discarded)) {} }
    while true {
      do {
        try self.reduce(actions, &run, in: scope)
        if let error = self.commits.appendToLog(run.kept.logged) { throw error }
      } catch {
        self.dispatchLock.unlock()
        throw error
      }
      self.commits.access.lock()
      if run.isRecorded || !self.commits.hasReaders { break }
      // A reader has begun meanwhile, and gets all commits. Reduces again, to record them.
      self.commits.access.unlock()
      discarded = run
      run = old
      run.isRecorded = true
    }
    var aftermath = Aftermath()
    self.current = run.state
    self.inFlight = run.inFlight
    let number = self.commits.advance(by: actions.count)
    if self.commits.hasReaders {
      for commit in run.commits {
        self.commits.append(commit, &aftermath)
      }
    }
    self.commits.record(&run.kept, &aftermath)
    self.finish(upTo: number, &aftermath, in: scope)
    try self.commits.log?.wait(upTo: number, in: scope)
    if let rejection = run.rejection { throw rejection }
  }

  /// Actions that are being reduced.
  private struct Run {
    let isBatch: Bool
    /// Whether the commits are made. Without readers, nobody needs the states in between.
    var isRecorded: Bool
    var state: State
    var inFlight: AnyObject?
    /// Why the reducer has rejected the only action, an outcome whose change has ended.
    var rejection: RejectedOutcome?
    var rollBacks: [RollBack] = []
    var commits: [AnyCommit] = []
    var kept = KeptCommits()
  }

  /// Reduces actions. Called with the dispatch lock held.
  private func reduce(_ actions: [Action], _ run: inout Run, in scope: CallScope) throws {
    scope.beginReduction(of: self.commits)
    let first = self.commits.number + 1
    let time = self.commits.hasHistory ? self.commits.time : 0
    var index = 0
    do {
      if !run.isRecorded, !self.isOptimistic {
        try self.change(&run.state, by: actions, &index)
      }
      for action in actions[index...] {
        let (oldState, oldInFlight) = (run.state, run.inFlight)
        let start = self.commits.reducerStart
        if let optimistic {
          let reduction = try optimistic.reduce(
            oldState, oldInFlight, action, number: first + index)
          if let rejection = reduction.rejection {
            guard !run.isBatch else { throw rejection.underlying }
            run.rejection = rejection
          }
          (run.state, run.inFlight) = (reduction.state, reduction.inFlight)
          if let rollBack = reduction.rollBack { run.rollBacks.append(rollBack) }
        } else {
          run.state = try self.reducer(oldState, action)
        }
        if run.isRecorded {
          let context =
            self.commits.hasHistory
            ? CommitContext(time: time, oldInFlight: oldInFlight, inFlight: run.inFlight) : nil
          let commit = self.commitType.init(
            number: first + index, isLast: index == actions.count - 1, oldState: oldState,
            action: action, newState: run.state, context: context)
          commit.reducerTime = CommitSequence.reducerTime(since: start)
          run.commits.append(commit)
        }
        index += 1
      }
      if run.isRecorded, self.commits.keepsCommits {
        // Rewriting the history can fail because of the limit; then the last action is to blame.
        index = actions.count - 1
        try self.keep(run.commits, run.rollBacks, &run.kept)
      }
    } catch {
      let failure = run.isBatch ? BatchError(index: index, underlying: error) : error
      throw scope.endReduction() ?? failure
    }
    if let violation = scope.endReduction() { throw violation }
  }

  /// Reduces actions of which nobody needs the states in between.
  private func change(
    _ state: inout State, by actions: [Action], _ index: inout Int
  ) throws {
    for action in actions {
      let change: AnyObject?
      self.deferredChange?.isAllowed = true
      do {
        let next = try self.reducer(state, action)
        change = self.deferredChange?.take()
        if change == nil { state = next }
      } catch {
        _ = self.deferredChange?.take()
        throw error
      }
      if let change { self.deferredChange?.make(change, in: &state) }
      index += 1
    }
  }

  /// Releases both locks, and has the commits delivered.
  func finish(upTo number: Int, _ aftermath: inout Aftermath, in scope: CallScope) {
    let duty = self.commits.claimDelivery(upTo: number, in: scope)
    self.commits.access.unlock()
    self.dispatchLock.unlock()
    if !aftermath.tasks.isEmpty { aftermath.resumeTasks() }
    self.commits.perform(duty, upTo: number, in: scope)
  }

  /// Takes the dispatch lock when neither the log nor a stream makes its writers wait.
  func lockDispatches(in scope: CallScope, _ hasTimeout: Bool) throws {
    // Inside a callback it does not wait for space: the reader of a full stream may be waiting for
    // this very callback.
    guard !scope.isInsideCallback else { return self.dispatchLock.lock() }
    if let log = self.commits.log { try log.waitForRoom() }
    var deadline: Deadline?
    while true {
      self.dispatchLock.lock()
      // Checked with the lock, because another writer may have used the space.
      guard let full = self.commits.fullStream else { return }
      // Waits without the lock, so that a slow reader delays writers only.
      self.dispatchLock.unlock()
      let timeout = hasTimeout ? self.commits.spaceTimeout : -1
      if timeout >= 0, deadline == nil { deadline = Deadline(milliseconds: timeout) }
      guard full.waitForSpace(until: deadline) else { throw NoSpace(milliseconds: timeout) }
    }
  }
}
