import Threading

// MARK: Opening a log

// Called before other threads know the store.

extension CommitSequence {
  /// Leaves out numbers of commits that a log no longer has.
  package func skip(to number: Int) {
    self.lastNumber.store(number, ordering: .releasing)
  }
}

/// A log has a jump to a step that the history does not have.
package struct UnknownJump: Error {}

extension Store {
  /// Restores the state after a commit.
  package func restore(_ content: Content) {
    self.current = content.state
    self.commits.restore(number: content.number, content.history)
  }

  /// Commits a later state, if what led to it is no longer in the log.
  package func replace(with content: Content, from origin: Origin) throws {
    self.dispatchLock.lock()
    let history = self.commits.history.map {
      History($0.policy, content.history ?? HistoryContent())
    }
    var transaction = Transaction(origin, count: content.number - self.commits.number)
    transaction.history = history
    try self.commit(
      Jump(kind: .traveled, number: history?.presentNumber ?? 0), content.state, history?.status,
      &transaction, in: .current)
  }

  /// Repeats a change of the marks of the history.
  package func replay(_ marks: HistoryMarks, from origin: Origin) throws {
    try self.mark({ _ in marks }, in: .current, from: origin)
  }

  /// Ends the groups that a process has left open.
  package func endGroups() throws {
    try self.mark(
      { history in
        var marks = history.marks
        if marks.groups > 0 { (marks.groups, marks.isExtensible) = (0, false) }
        return marks
      }, in: .current)
  }

  /// Repeats a jump of the log.
  ///
  /// - Parameter isExact: Whether the history must have the step. Otherwise, an earlier one will
  ///   do.
  /// - Throws: ``UnknownJump``
  package func replay(_ jump: Jump, isExact: Bool, from origin: Origin) throws {
    guard jump.kind != .rolledBack else { return try self.rollBackAll(from: origin) }
    guard let history = self.commits.history,
      let target = try self.reading(
        history, in: .current, { $0.target(of: jump, isExact: isExact, $1) })
    else {
      // The group began in what is no longer in the log.
      if jump.kind == .cancelled, !isExact { return }
      throw UnknownJump()
    }
    self.dispatchLock.lock()
    try self.jump(to: target, in: .current, from: origin)
  }

  /// Whether optimistic updates are in flight.
  package var hasInFlight: Bool {
    self.commits.access.lock()
    defer { self.commits.access.unlock() }
    return self.inFlight != nil
  }

  /// Rolls back all optimistic updates in flight at once: their effects ended with the process. The
  /// state is then what ``confirmedState(in:)`` was. It is one commit.
  package func rollBackAll(from origin: Origin = .program) throws {
    guard let optimistic else { return }
    let scope = CallScope.current
    self.dispatchLock.lock()
    let (state, history): (State, History?)
    scope.beginReduction(of: self.commits)
    do {
      (state, history) = try self.withoutInFlight(optimistic)
    } catch {
      let violation = scope.endReduction()
      self.dispatchLock.unlock()
      throw violation ?? error
    }
    if let violation = scope.endReduction() {
      self.dispatchLock.unlock()
      throw violation
    }
    var transaction = Transaction(origin)
    transaction.history = history
    try self.commit(
      Jump(kind: .rolledBack, number: history?.presentNumber ?? 0), state, history?.status,
      &transaction, in: scope)
  }

  private func withoutInFlight(
    _ optimistic: OptimisticReducer<State, Action>
  ) throws -> (State, History?) {
    guard let rollBack = optimistic.rollBackOfAll(in: self.inFlight),
      let next = try optimistic.state(without: rollBack, self.inFlight)
    else { return (self.current, self.commits.history) }
    let history = try self.commits.history.map {
      try self.rewritten($0, without: rollBack)
    }
    return (next.state, history)
  }
}

// MARK: Snapshots

extension Store {
  /// Calls the reducer for another store, whose log is repeated, while it does not run for this
  /// one: it never runs on two threads at once.
  package func whileIdle<Result>(_ reduce: () throws -> Result) rethrows -> Result {
    self.dispatchLock.lock()
    defer { self.dispatchLock.unlock() }
    return try reduce()
  }

  /// What a snapshot has: the state after a commit, and the history.
  package struct Content: Sendable {
    package let state: State
    package let number: Int
    package var history: HistoryContent?

    package init(state: State, number: Int, history: HistoryContent?) {
      self.state = state
      self.number = number
      self.history = history
    }
  }

  /// The present content; `nil` while optimistic updates are in flight, which end with the process.
  ///
  /// - Parameter locked: Called while nothing can be appended to the log.
  package func content(locked: () -> Void) -> Content? {
    self.dispatchLock.lock()
    defer { self.dispatchLock.unlock() }
    self.commits.access.lock()
    defer { self.commits.access.unlock() }
    guard self.inFlight == nil else { return nil }
    locked()
    return Content(
      state: self.current, number: self.commits.number, history: self.commits.history?.content)
  }

  /// The commit of an action that a snapshot has.
  package func restoredCommit(
    number: Int, isLast: Bool, time: Int64, action: Action, oldState: State, newState: State
  ) -> AnyCommit {
    self.commitType.init(
      number: number, isLast: isLast, oldState: oldState, action: action, newState: newState,
      context: CommitContext(time: time, oldInFlight: nil, inFlight: nil))
  }
}
