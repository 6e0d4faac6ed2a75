import Threading

// MARK: Opening a log

// Called when a log is opened, before other threads know the store, or while it is followed.

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
    try self.lock(origin, in: .current)
    let history = self.commits.history.map {
      History($0.policy, content.history ?? HistoryContent())
    }
    history?.writers?.own = self.commits.log?.writer ?? 0
    var transaction = Transaction(origin, count: content.number - self.commits.number)
    transaction.history = history
    try self.commit(
      Jump(kind: .traveled, number: history?.presentNumber ?? 0), content.state, history?.status,
      &transaction, in: .current)
  }

  /// Begins the marks of a writer of a shared log, and forgets those of writers that have ended.
  package func beginMarks(from origin: Origin, ended numbers: Set<Int>) throws {
    try self.lock(origin, in: .current)
    self.commits.endWriters(numbers)
    self.unlock(origin)
  }

  /// Ends the groups of all writers of a shared log, none of which is left, and forgets their
  /// marks.
  package func endWriters(at time: Int64) throws {
    let others = self.commits.writersWithMarks
    let current = self.commits.currentWriter
    for writer in others + [current] {
      try self.mark({ $0.marksWithoutGroups }, in: .current, from: .writer(writer, time: time))
    }
    try self.beginMarks(from: .writer(current, time: time), ended: others)
  }

  /// Repeats a change of the marks of the history.
  package func replay(_ marks: HistoryMarks, from origin: Origin) throws {
    try self.mark({ _ in marks }, in: .current, from: origin)
  }

  /// Ends the groups that a process has left open.
  package func endGroups() throws {
    try self.mark({ $0.marksWithoutGroups }, in: .current)
  }

  /// Repeats a jump of the log.
  ///
  /// - Parameter isExact: Whether the history must have the step. Otherwise, an earlier one will
  ///   do.
  /// - Throws: ``UnknownJump``
  package func replay(_ jump: Jump, isExact: Bool, from origin: Origin) throws {
    guard jump.kind != .rolledBack else {
      return try self.rollBack(of: jump.writers.isEmpty ? nil : jump.writers, from: origin)
    }
    let scope = CallScope.current
    try self.lock(origin, in: scope)
    let target: History.Target?
    do {
      target = try self.commits.history.flatMap { history in
        try self.reading(history, in: scope) { $0.target(of: jump, isExact: isExact, $1) }
      }
    } catch {
      self.giveUp(origin, in: scope)
      throw error
    }
    guard let target else {
      self.giveUp(origin, in: scope)
      // The group began in what is no longer in the log.
      if jump.kind == .cancelled, !isExact { return }
      throw UnknownJump()
    }
    try self.jump(to: target, in: scope, from: origin)
  }

  /// The writers whose optimistic updates are in flight; 0 for a log that is not shared.
  package var writersInFlight: Set<Int> {
    self.commits.access.lock()
    let inFlight = self.inFlight
    self.commits.access.unlock()
    return self.optimistic?.writers(in: inFlight) ?? []
  }

  /// Rolls back optimistic updates in flight at once: their effects ended with the process. It is
  /// one commit. With none in flight, only an entry of a log makes it.
  ///
  /// - Parameter writers: Those of a shared log whose updates they are; `nil` for all.
  package func rollBack(of writers: Set<Int>?, from origin: Origin = .program) throws {
    guard let optimistic else { return }
    let scope = CallScope.current
    try self.lock(origin, in: scope)
    let rollBack = optimistic.rollBack(in: self.inFlight, of: writers)
    if origin.isProgram, rollBack == nil { return self.giveUp(origin, in: scope) }
    var transaction = Transaction(origin)
    var state = self.current
    do {
      try self.reducing(in: scope) {
        guard let rollBack, let next = try optimistic.state(without: rollBack, self.inFlight)
        else { return }
        (state, transaction.inFlight) = next
        transaction.history = try self.commits.history.map {
          try self.rewritten($0, without: rollBack)
        }
      }
    } catch {
      self.giveUp(origin, in: scope)
      throw error
    }
    let history = transaction.history ?? self.commits.history
    try self.commit(
      Jump(kind: .rolledBack, number: history?.presentNumber ?? 0, writers: writers ?? []), state,
      history?.status, &transaction, in: scope)
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
    number: Int, isLast: Bool, time: Int64, writer: Int, action: Action, oldState: State,
    newState: State
  ) -> AnyCommit {
    let commit = self.commitType.init(
      number: number, isLast: isLast, oldState: oldState, action: action, newState: newState,
      context: CommitContext(time: time, oldInFlight: nil, inFlight: nil))
    commit.writer = writer
    return commit
  }
}
