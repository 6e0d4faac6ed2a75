import Threading

/// Where a change of a store comes from.
package enum Origin: Sendable {
  /// A call of the program. A log gets it.
  case program

  /// An entry of a log, with its time in milliseconds since 1970.
  case log(time: Int64)

  var isProgram: Bool {
    if case .program = self { true } else { false }
  }
}

/// What a dispatch, a batch, a jump or a mark of the history changes, until it is published.
///
/// It has no type of a state, which generic code would look up at run time. So the next state is beside
/// it.
struct Transaction {
  let origin: Origin
  /// How many commits it has; 0 if it changes only marks.
  let count: Int

  /// Edits of the current state, in place of a next one.
  var edits: AnyObject?
  /// The optimistic updates in flight after it.
  var inFlight: AnyObject?
  /// Why the reducer has rejected the only action, an outcome whose change has ended.
  var rejection: RejectedOutcome?
  /// How long the reducer ran, in nanoseconds; 0 if it was not measured.
  var reducerTime = 0

  // The commits, if they were made. Without readers, nobody needs the states in between.
  var first: AnyCommit?
  var rest: [AnyCommit] = []

  /// What a log keeps.
  var entry: LogEntry?

  /// A history in place of that of the store, if a change was rolled back.
  var history: History?
  /// What the history records.
  var step = History.Entry()
  var jump: History.Target?
  var marks: History.MarkChange?

  /// What is left to be done without the locks.
  var aftermath = Aftermath()

  // Inlined, so that it is not copied.
  @inline(__always)
  init(_ origin: Origin = .program, count: Int = 1) {
    self.origin = origin
    self.count = count
  }
}

extension Transaction {
  var commits: [AnyCommit] {
    self.first.map { [$0] + self.rest } ?? []
  }

  mutating func append(_ commit: AnyCommit) {
    if self.first == nil { self.first = commit } else { self.rest.append(commit) }
  }
}

extension CommitSequence {
  /// Appends the entry of a transaction to the log. Called with the dispatch lock held.
  ///
  /// - Returns: Why it cannot be appended.
  fileprivate func appendToLog(_ transaction: borrowing Transaction) -> (any Error)? {
    guard let entry = transaction.entry, let log else { return nil }
    do {
      try log.append(entry)
      return nil
    } catch {
      return LogRefusal(error)
    }
  }

  /// Gives the commits of a transaction to the readers and the history, and claims the delivery. Called
  /// with both locks held, after the state was replaced.
  fileprivate func record(
    _ transaction: inout Transaction, upTo number: Int, in scope: CallScope
  ) -> Duty {
    if let first = transaction.first {
      if transaction.reducerTime > 0 { first.reducerTime = transaction.reducerTime }
      if self.hasReaders {
        self.append(first, &transaction.aftermath)
        for commit in transaction.rest { self.append(commit, &transaction.aftermath) }
      }
    }
    if transaction.history != nil { swap(&self.history, &transaction.history) }
    if let history { history.record(&transaction) }
    return transaction.count > 0 ? self.claimDelivery(upTo: number, in: scope) : .nothing
  }
}

extension Store {
  /// Publishes a transaction: the one place where a state is replaced. Called with the dispatch lock
  /// held, which it releases.
  ///
  /// - Parameters:
  ///   - state: The next state; that before the edits, if it has edits.
  ///   - commit: Makes the commit of an action for the readers, if it was not made. Gets its number
  ///     and the state before it or, after a change in place, what it concerns and any state.
  /// - Returns: `false` if a reader has begun that needs the commits of a batch, which were not made.
  ///   Nothing has changed then.
  /// - Throws: ``LogRefusal``; ``LogFailure`` after the commits.
  func publish(
    _ transaction: inout Transaction, _ state: consuming State, in scope: CallScope,
    _ commit: (_ number: Int, _ found: AnyObject?, _ oldState: State) -> AnyCommit?
  ) throws -> Bool {
    if let error = self.commits.appendToLog(transaction) {
      self.dispatchLock.unlock()
      _ = consume state
      throw error
    }
    let number: Int
    let duty: CommitSequence.Duty
    self.commits.access.lock()
    if transaction.first == nil, transaction.count > 1, self.commits.hasReaders {
      self.commits.access.unlock()
      self.dispatchLock.unlock()
      _ = consume state
      return false
    }
    if let edits = transaction.edits, self.commits.allowsChangesInPlace {
      // Otherwise, the edits would be made in a copy.
      _ = consume state
      self.edit(&self.current, edits)
      number = self.commits.advance(by: transaction.count)
      if self.commits.hasReaders {
        let found = withUnsafePointer(to: &self.current) {
          self.commits.concern(of: edits, UnsafeRawPointer($0))
        }
        if let found { transaction.first = commit(number, found, self.current) }
      }
      duty = self.commits.record(&transaction, upTo: number, in: scope)
      self.commits.access.unlock()
      self.dispatchLock.unlock()
    } else {
      if let edits = transaction.edits {
        self.edit(&self.current, edits)
      } else {
        swap(&self.current, &state)
      }
      swap(&self.inFlight, &transaction.inFlight)
      number = self.commits.advance(by: transaction.count)
      if self.commits.hasReaders, transaction.first == nil {
        transaction.first = commit(number, nil, state)
      }
      duty = self.commits.record(&transaction, upTo: number, in: scope)
      self.commits.access.unlock()
      self.dispatchLock.unlock()
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
