import Threading

extension Store {
  /// Publishes a transaction: the one place where a state is replaced. Called with the dispatch
  /// lock held, which it releases.
  ///
  /// - Parameters:
  ///   - state: The next state; that before the edits, if it has edits.
  ///   - commit: Makes the commit of an action for the readers, if it was not made. Gets its number
  ///     and the state before it or, after a change in place, what it concerns and any state.
  /// - Returns: `false` if it must be made again: a reader has begun that needs the commits of a
  ///   batch, which were not made, or the log has moved on. Nothing has changed then.
  /// - Throws: ``LogRefusal``; ``LogFailure`` after the commits.
  func publish(
    _ transaction: inout Transaction, _ state: consuming State, in scope: CallScope,
    _ commit: (_ number: Int, _ found: AnyObject?, _ oldState: State) -> AnyCommit?
  ) throws -> Bool {
    if let error = self.commits.appendToLog(transaction) {
      self.giveUp(transaction.origin, in: scope)
      _ = consume state
      return try self.commits.hasArrived(after: error, in: scope)
    }
    let number: Int
    let duty: CommitSequence.Duty
    self.commits.access.lock()
    if transaction.first == nil, transaction.count > 1, self.commits.hasReaders {
      self.commits.access.unlock()
      self.giveUp(transaction.origin, in: scope)
      _ = consume state
      return false
    }
    // First, because a reader may need the state before the edits.
    self.commits.access.excludeReaders()
    if let edits = transaction.edits, self.commits.allowsChangesInPlace {
      // Otherwise, the edits would be made in a copy.
      _ = consume state
      self.edit(&self.current, edits)
      number = self.commits.advance(by: transaction.count)
      self.commits.access.admitReaders()
      if self.commits.hasReaders {
        let found = withUnsafePointer(to: &self.current) {
          self.commits.concern(of: edits, UnsafeRawPointer($0))
        }
        if let found { transaction.first = commit(number, found, self.current) }
      }
      duty = self.commits.record(&transaction, upTo: number, in: scope)
      self.commits.access.unlock()
      self.unlock(transaction.origin)
    } else {
      if let edits = transaction.edits {
        self.edit(&self.current, edits)
      } else {
        swap(&self.current, &state)
      }
      swap(&self.inFlight, &transaction.inFlight)
      number = self.commits.advance(by: transaction.count)
      self.commits.access.admitReaders()
      if self.commits.hasReaders, transaction.first == nil {
        transaction.first = commit(number, nil, state)
      }
      duty = self.commits.record(&transaction, upTo: number, in: scope)
      self.commits.access.unlock()
      self.unlock(transaction.origin)
      // Without the locks: it may be large, or its deinitializers may use this store.
      _ = consume state
    }
    if !transaction.aftermath.tasks.isEmpty { transaction.aftermath.resumeTasks() }
    self.commits.perform(duty, upTo: number, in: scope)
    if transaction.origin.isProgram, let log = self.commits.log {
      try log.wait(upTo: transaction.count > 0 ? number : nil, in: scope)
    }
    return true
  }
}
