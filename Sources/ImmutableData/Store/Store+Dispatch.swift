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
    _ action: Action, in scope: CallScope, hasTimeout: Bool = false, from origin: Origin = .program,
    text: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) throws {
    guard !self.isOptimistic else {
      return try self.dispatchOptimistic(action, in: scope, hasTimeout, origin)
    }
    if self.commits.sharesAppends, origin.isProgram {
      return try self.dispatchTogether(
        [action], isBatch: false, in: scope, hasTimeout, text: text)
    }
    while try !self.dispatchOnce(action, in: scope, hasTimeout, origin, text) {}
  }

  /// - Returns: As ``publish(_:_:in:_:)``.
  @inline(__always)
  private func dispatchOnce(
    _ action: Action, in scope: CallScope, _ hasTimeout: Bool, _ origin: Origin,
    _ text: UnsafeRawBufferPointer
  ) throws -> Bool {
    let depth = try self.lockDispatches(in: scope, hasTimeout, origin)
    var transaction = Transaction(origin)
    transaction.depth = depth
    var state = self.current
    scope.beginReduction(of: self.commits)
    do {
      let start = self.commits.reducerStart
      transaction.edits = try self.reduce(&state, action)
      transaction.reducerRun = ReducerRun(since: start)
      if self.commits.keepsCommits { try self.keep(action, text, &state, &transaction) }
    } catch {
      let violation = scope.endReduction()
      self.giveUp(origin, in: scope)
      _ = consume state
      throw violation ?? error
    }
    if let violation = scope.endReduction() {
      self.giveUp(origin, in: scope)
      _ = consume state
      throw violation
    }
    return try self.publish(&transaction, consume state, in: scope) { number, found, oldState in
      if let found {
        return self.inPlaceType.init(
          number: number, action: action, newState: self.current, found: found)
      }
      return self.commitType.init(
        number: number, isLast: true, oldState: oldState, action: action, newState: self.current)
    }
  }

  /// Dispatches a batch. The caller has checked reentrancy.
  package func dispatch(
    batch actions: [Action], in scope: CallScope, hasTimeout: Bool = false,
    from origin: Origin = .program
  ) throws {
    guard !actions.isEmpty else { return }
    if self.commits.sharesAppends, origin.isProgram {
      return try self.dispatchTogether(actions, isBatch: true, in: scope, hasTimeout)
    }
    try self.dispatch(actions, isBatch: true, in: scope, hasTimeout, origin)
  }

  // Not inlined: it would make the other dispatch longer.
  @inline(never)
  private func dispatchOptimistic(
    _ action: Action, in scope: CallScope, _ hasTimeout: Bool, _ origin: Origin
  ) throws {
    try self.dispatch([action], isBatch: false, in: scope, hasTimeout, origin)
  }

  /// Dispatches a batch, or an action of a store with optimistic updates.
  private func dispatch(
    _ actions: [Action], isBatch: Bool, in scope: CallScope, _ hasTimeout: Bool, _ origin: Origin
  ) throws {
    // Again, if a reader begins meanwhile: it gets all commits; or if the log has moved on.
    while true {
      let depth = try self.lockDispatches(in: scope, hasTimeout, origin)
      var transaction = Transaction(origin, count: actions.count)
      transaction.depth = depth
      var state = self.current
      transaction.inFlight = self.inFlight
      do {
        try self.reduce(
          actions, isBatch: isBatch,
          isRecorded: self.commits.hasReaders || self.commits.keepsCommits, &state, &transaction,
          in: scope)
      } catch {
        self.giveUp(origin, in: scope)
        _ = consume state
        throw error
      }
      let isPublished = try self.publish(&transaction, consume state, in: scope) {
        number, _, oldState in
        actions.first.map {
          self.commitType.init(
            number: number, isLast: true, oldState: oldState, action: $0, newState: self.current)
        }
      }
      guard isPublished else { continue }
      if let rejection = transaction.rejection { throw rejection }
      return
    }
  }

  /// Reduces actions. Called with the dispatch lock held.
  ///
  /// - Parameters:
  ///   - isRecorded: Whether the commits are made.
  ///   - number: That of the last commit before them, which may be one that is not published. The
  ///     history and the log then keep nothing.
  func reduce(
    _ actions: [Action], isBatch: Bool, isRecorded: Bool, _ state: inout State,
    _ transaction: inout Transaction, after number: Int? = nil, in scope: CallScope
  ) throws {
    scope.beginReduction(of: self.commits)
    let first = (number ?? self.commits.number) + 1
    let time = self.commits.hasHistory ? self.commits.time(of: transaction.origin) : 0
    var rollBacks: [RollBack] = []
    var index = 0
    do {
      for action in actions {
        if isRecorded {
          let (oldState, oldInFlight) = (state, transaction.inFlight)
          let start = self.commits.reducerStart
          try self.reduce(action, first + index, isBatch, &state, &transaction, &rollBacks)
          let context =
            self.commits.hasHistory
            ? CommitContext(time: time, oldInFlight: oldInFlight, inFlight: transaction.inFlight)
            : nil
          let commit = self.commitType.init(
            number: first + index, isLast: index == actions.count - 1, oldState: oldState,
            action: action, newState: state, context: context)
          commit.reducerRun = ReducerRun(since: start)
          transaction.append(commit)
        } else {
          try self.reduce(action, first + index, isBatch, &state, &transaction, &rollBacks)
        }
        index += 1
      }
      if isRecorded, self.commits.keepsCommits, number == nil {
        // Rewriting the history can fail because of the limit; then the last action is to blame.
        index = actions.count - 1
        try self.keep(rollBacks, &transaction)
      }
    } catch {
      let failure = isBatch ? BatchError(index: index, underlying: error) : error
      throw scope.endReduction() ?? failure
    }
    if let violation = scope.endReduction() { throw violation }
  }

  /// Reduces an action of a batch, or of a store with optimistic updates.
  private func reduce(
    _ action: Action, _ number: Int, _ isBatch: Bool, _ state: inout State,
    _ transaction: inout Transaction, _ rollBacks: inout [RollBack]
  ) throws {
    guard let optimistic else {
      if let edits = try self.reduce(&state, action) { self.edit(&state, edits) }
      return
    }
    let reduction = try optimistic.reduce(
      state, transaction.inFlight, action, number: number,
      by: self.commits.writer(of: transaction.origin))
    if let rejection = reduction.rejection {
      guard !isBatch else { throw rejection.underlying }
      transaction.rejection = rejection
    }
    (state, transaction.inFlight) = (reduction.state, reduction.inFlight)
    if let rollBack = reduction.rollBack { rollBacks.append(rollBack) }
  }

  /// The state without the optimistic updates in flight, as if all of them had failed now. Calls
  /// the reducer for the other actions since the oldest of them. The caller has checked reentrancy.
  package func confirmedState(in scope: CallScope) throws -> State {
    self.dispatchLock.lock()
    defer { self.dispatchLock.unlock() }
    guard let optimistic, let inFlight else { return self.current }
    return try self.reducing(in: scope) {
      try optimistic.confirmedState(inFlight) ?? self.current
    }
  }

  /// Calls `body` as a part of the reducer. Called with the dispatch lock held.
  // Inlined, because generic code would look up the type of the result.
  @inline(__always)
  func reducing<Result>(in scope: CallScope, _ body: () throws -> Result) throws -> Result {
    scope.beginReduction(of: self.commits)
    let result: Result
    do {
      result = try body()
    } catch {
      throw scope.endReduction() ?? error
    }
    if let violation = scope.endReduction() { throw violation }
    return result
  }

  /// The state that actions would make of the current one, and that one. Reduces them as a batch
  /// with optimistic updates, and commits nothing. The caller has checked reentrancy.
  ///
  /// - Throws: What a batch of them would.
  package func preview(
    _ actions: [Action], in scope: CallScope
  ) throws -> (oldState: State, newState: State) {
    self.dispatchLock.lock()
    let oldState = self.current
    var (state, transaction) = (oldState, Transaction(count: actions.count))
    transaction.inFlight = self.inFlight
    // Released without the lock, even after an error.
    defer { withExtendedLifetime((oldState, state, transaction)) {} }
    defer { self.dispatchLock.unlock() }
    try self.reduce(
      actions, isBatch: true, isRecorded: false, &state, &transaction, in: scope)
    return (oldState, state)
  }

  /// Takes the dispatch lock when neither the log nor a stream makes its writers wait.
  ///
  /// - Returns: The depth of the commits.
  @discardableResult
  func lockDispatches(
    in scope: CallScope, _ hasTimeout: Bool, _ origin: Origin
  ) throws -> Int32 {
    // Inside a callback it does not wait for space: the reader of a full stream may be waiting for
    // this very callback. Nor in a turn, for which other stores wait.
    guard !scope.isInsideCallback, origin.writer == 0 else {
      let depth = origin.isProgram ? try self.commits.checkDepth(in: scope) : 0
      try self.lock(origin, in: scope)
      return depth
    }
    if origin.isProgram, let log = self.commits.log { try log.waitForRoom() }
    var deadline: Deadline?
    while true {
      try self.lock(origin, in: scope)
      // Checked with the lock, because another writer may have used the space.
      guard let full = self.commits.fullStream else { return 0 }
      // Waits without the lock, so that a slow reader delays writers only.
      self.giveUp(origin, in: scope)
      let timeout = hasTimeout ? self.commits.spaceTimeout : -1
      if timeout >= 0, deadline == nil { deadline = Deadline(milliseconds: timeout) }
      guard full.waitForSpace(until: deadline) else { throw NoSpace(milliseconds: timeout) }
    }
  }
}

// MARK: Turns

// A change of a store whose log is shared is made in a turn, which begins before the dispatch lock
// is taken, and ends after it was released.

extension Store {
  /// Takes the dispatch lock for a change.
  @inline(__always)
  func lock(_ origin: Origin, in scope: CallScope) throws {
    if self.commits.sharesLog { try self.beginTurn(origin, in: scope) }
    self.dispatchLock.lock()
    if self.commits.sharesLog { self.commits.useMarks(of: origin) }
  }

  /// Releases the dispatch lock.
  @inline(__always)
  func unlock(_ origin: Origin) {
    self.dispatchLock.unlock()
    if self.commits.sharesLog { self.endTurn(origin) }
  }

  /// The same after nothing was changed.
  @inline(__always)
  func giveUp(_ origin: Origin, in scope: CallScope) {
    self.unlock(origin)
    if self.commits.sharesLog, origin.isProgram { self.commits.deliverOthers(in: scope) }
  }

  // Not inlined: it would make the dispatch of a store that does not share its log longer.
  @inline(never)
  private func beginTurn(_ origin: Origin, in scope: CallScope) throws {
    guard origin.isProgram else { return }
    do {
      try self.commits.log?.beginTurn(in: scope)
    } catch {
      self.commits.deliverOthers(in: scope)
      throw error
    }
  }

  @inline(never)
  private func endTurn(_ origin: Origin) {
    if origin.isProgram { self.commits.log?.endTurn() }
  }
}
