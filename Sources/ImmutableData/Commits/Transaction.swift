import Threading

/// Where a change of a store comes from.
package enum Origin: Sendable {
  /// A call of the program. A log gets it.
  case program

  /// An entry of a log, with its time in milliseconds since 1970.
  case log(time: Int64)

  /// An entry that was read in a shared log, which the store with this number among its writers has
  /// appended: usually another one. Its commits are delivered when the turn in which it is repeated
  /// has ended.
  case writer(Int, time: Int64)

  var isProgram: Bool {
    if case .program = self { true } else { false }
  }

  /// The store that has appended the entry to a shared log, if it was read there; else 0.
  var writer: Int {
    if case .writer(let number, _) = self { number } else { 0 }
  }
}

/// What a dispatch, a batch, a jump or a mark of the history changes, until it is published.
///
/// It has no type of a state, which generic code would look up at run time. So the next state is
/// beside it.
struct Transaction {
  let origin: Origin
  /// How many commits it has; 0 if it changes only marks.
  let count: Int

  /// The depth of its commits, see ``AnyCommit/depth``.
  var depth: Int32 = 0

  /// Edits of the current state, in place of a next one.
  var edits: AnyObject?
  /// The optimistic updates in flight after it.
  var inFlight: AnyObject?
  /// Why the reducer has rejected the only action, an outcome whose change has ended.
  var rejection: RejectedOutcome?
  /// When and how long the reducer ran.
  var reducerRun = ReducerRun()

  // The commits, if they were made. Without readers, nobody needs the states in between.
  var first: AnyCommit?
  var rest: [AnyCommit] = []

  /// What a log keeps.
  var entry: LogEntry?

  /// A history in place of that of the store, if a change was rolled back.
  var history: History?
  /// What the history records.
  var step = History.StepChange()
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
  @inline(__always)
  func appendToLog(_ transaction: borrowing Transaction) -> (any Error)? {
    guard let entry = transaction.entry, let log else { return nil }
    return self.append(entry, to: log)
  }

  // Not inlined: it would make the dispatch of a store without a log longer.
  @inline(never)
  private func append(_ entry: LogEntry, to log: any CommitLog) -> (any Error)? {
    do {
      try log.append(entry)
      return nil
    } catch {
      return error is LogMoved ? error : LogRefusal(error, isBehind: !self.sharesLog)
    }
  }

  /// Whether the log has the entry of a transaction that failed because the log has moved on. It is
  /// committed then, as an entry that was read. Called without locks.
  ///
  /// - Throws: Any other error, as it is.
  @inline(never)
  func hasArrived(after error: any Error, in scope: CallScope) throws -> Bool {
    guard let moved = error as? LogMoved else { throw error }
    guard let append = moved.append, let log else { return false }
    defer { self.deliverOthers(in: scope) }
    do {
      try log.beginTurn(in: scope)
    } catch {
      throw log.doubting(error)
    }
    defer { log.endTurn() }
    return log.hasArrived(append)
  }

  /// Gives the commits of a transaction to the readers and the history, and claims the delivery.
  /// Called with both locks held, after the state was replaced.
  func record(
    _ transaction: inout Transaction, upTo number: Int, in scope: CallScope
  ) -> Duty {
    self.record(&transaction)
    guard transaction.origin.writer == 0, transaction.count > 0 || self.sharesLog else {
      return .nothing
    }
    return self.claimDelivery(upTo: number, in: scope)
  }

  /// The same without a claim.
  func record(_ transaction: inout Transaction) {
    if let first = transaction.first {
      if self.sharesLog {
        let writer = self.writer(of: transaction.origin)
        let isOfOther = writer != self.log?.writer
        for commit in [first] + transaction.rest {
          (commit.writer, commit.isOfOther) = (writer, isOfOther)
        }
      }
      if transaction.depth != 0 {
        for commit in [first] + transaction.rest { commit.depth = transaction.depth }
      }
      if transaction.reducerRun.start != 0 { first.reducerRun = transaction.reducerRun }
      if self.hasReaders {
        self.append(first, &transaction.aftermath)
        for commit in transaction.rest { self.append(commit, &transaction.aftermath) }
      }
    }
    if transaction.history != nil { swap(&self.history, &transaction.history) }
    if let history { history.record(&transaction) }
  }
}
