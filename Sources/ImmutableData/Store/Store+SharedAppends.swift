import Threading

// A log that a driver keeps takes a round trip for each append. Dispatches that wait meanwhile are
// reduced one after the other, and appended together, by one of their threads. Only that thread
// takes a turn: if each did, to learn that its dispatch has ended, the first one would append again
// before the others could dispatch.

extension Store {
  /// How many entries an append has at most.
  private static var entryLimit: Int { 1000 }

  /// Dispatches a batch, or an action, together with what other threads dispatch. The caller has
  /// checked reentrancy.
  // Not inlined: it would make the other dispatch longer.
  @inline(never)
  func dispatchTogether(
    _ actions: [Action], isBatch: Bool, in scope: CallScope, _ hasTimeout: Bool,
    text: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) throws {
    let own = WaitingDispatch(actions, isBatch: isBatch, text)
    self.dispatchTogether([own], in: scope, hasTimeout)
    try self.waiting.outcome(of: own)?.get()
  }

  /// Dispatches actions one after the other, each with its own outcome. The caller has checked
  /// reentrancy.
  package func dispatch(each actions: [Action], in scope: CallScope) -> [Result<Void, any Error>] {
    guard self.commits.sharesAppends else {
      return actions.map { action in
        Result { try self.dispatch(action, in: scope, hasTimeout: true) }
      }
    }
    let own = actions.map { WaitingDispatch([$0], isBatch: false) }
    self.dispatchTogether(own, in: scope, true)
    return own.map { self.waiting.outcome(of: $0) ?? .success(()) }
  }

  /// Returns when all have an outcome.
  private func dispatchTogether(
    _ own: [WaitingDispatch<Action>], in scope: CallScope, _ hasTimeout: Bool
  ) {
    for dispatch in own { self.waiting.append(dispatch) }
    // A callback must not wait for another thread; the log refuses it a turn.
    let waits = !scope.isInsideCallback
    while !waits || self.waiting.beginAppending(for: own) {
      defer { if waits { self.waiting.endAppending() } }
      do {
        try self.lockDispatches(in: scope, hasTimeout, .program)
      } catch {
        for dispatch in own {
          self.waiting.end(
            dispatch, .failure(self.doubting(error, self.waiting.append(of: dispatch))))
        }
        break
      }
      self.settle()
      self.appendWaiting(in: scope)
    }
    self.commits.deliverOthers(in: scope)
  }

  /// How many dispatches wait, for tests.
  package var waitingCount: Int {
    self.waiting.all.count
  }

  /// Ends the dispatches whose entries have arrived without an answer. Called in a turn.
  private func settle() {
    var arrived: [Int: Bool] = [:]
    for dispatch in self.waiting.all {
      guard let append = dispatch.append, let log = self.commits.log else { continue }
      let hasArrived = arrived[append] ?? log.hasArrived(append)
      arrived[append] = hasArrived
      if hasArrived { self.waiting.end(dispatch, .success(())) }
    }
    self.waiting.note(nil, of: self.waiting.all)
  }

  private func doubting(_ error: any Error, _ append: Int?) -> any Error {
    guard append != nil, let log = self.commits.log else { return error }
    return log.doubting(error)
  }

  /// A dispatch that was reduced, and is not appended.
  private struct Reduced {
    let dispatch: WaitingDispatch<Action>
    let state: State
    var transaction: Transaction
  }

  /// Reduces the dispatches that wait, appends their entries, and publishes them. Called with the
  /// dispatch lock held, in a turn, which it ends.
  private func appendWaiting(in scope: CallScope) {
    var reduced: [Reduced] = []
    var refused: [(WaitingDispatch<Action>, any Error)] = []
    // Released without the lock: their deinitializers may use the store.
    var dropped: [State] = []
    defer { withExtendedLifetime((reduced, dropped)) {} }
    var state = self.current
    var number = self.commits.number
    for dispatch in self.waiting.all.prefix(Self.entryLimit) {
      var transaction = Transaction(count: dispatch.actions.count)
      var next = state
      do {
        try self.reduce(
          dispatch.actions, isBatch: dispatch.isBatch, isRecorded: true, &next, &transaction,
          after: number, in: scope)
        transaction.entry = try self.entry(of: dispatch, transaction, after: number)
      } catch {
        dropped.append(next)
        // It was reduced after what is not in the log.
        if reduced.isEmpty {
          self.waiting.end(dispatch, .failure(error))
        } else {
          refused.append((dispatch, error))
        }
        continue
      }
      reduced.append(Reduced(dispatch: dispatch, state: next, transaction: transaction))
      (state, number) = (next, number + transaction.count)
    }
    guard !reduced.isEmpty else { return self.giveUp(.program, in: scope) }
    do {
      try self.commits.log?.append(reduced.compactMap(\.transaction.entry))
    } catch {
      if let moved = error as? LogMoved {
        self.waiting.note(moved.append, of: reduced.map(\.dispatch))
      } else {
        for dispatch in reduced.map(\.dispatch) + refused.map(\.0) {
          self.waiting.end(dispatch, .failure(LogRefusal(error, isBehind: false)))
        }
      }
      return self.giveUp(.program, in: scope)
    }
    self.publish(&reduced, in: scope)
    // Before the turn ends: the next one appends all that wait.
    for dispatch in reduced { self.waiting.end(dispatch.dispatch, .success(())) }
    for (dispatch, error) in refused { self.waiting.end(dispatch, .failure(error)) }
    self.unlock(.program)
    for dispatch in reduced { dispatch.transaction.aftermath.resumeTasks() }
  }

  private func entry(
    of dispatch: WaitingDispatch<Action>, _ transaction: borrowing Transaction, after number: Int
  ) throws -> LogEntry? {
    guard let log = self.commits.log else { return nil }
    if !dispatch.text.isEmpty,
      let entry = log.encode(
        dispatch.text, number: number + 1, time: self.commits.time(of: .program))
    {
      return entry
    }
    return try log.encode(transaction.commits)
  }

  /// Decides what the history keeps. It cannot refuse any more what the log has.
  private func decide(_ transaction: inout Transaction, in scope: CallScope) {
    guard let history = self.commits.history, let first = transaction.first else { return }
    try? self.reducing(in: scope) {
      history.decide(first, transaction.rest, &transaction.step)
      for commit in transaction.commits {
        commit.setHistory(history.status(after: transaction.step, in: commit))
      }
    }
  }

  /// Publishes what the log has. Called with the dispatch lock held.
  private func publish(_ reduced: inout [Reduced], in scope: CallScope) {
    for index in reduced.indices {
      var transaction = reduced[index].transaction
      self.decide(&transaction, in: scope)
      var state = reduced[index].state
      self.commits.access.lock()
      self.commits.access.excludeReaders()
      swap(&self.current, &state)
      _ = self.commits.advance(by: transaction.count)
      self.commits.access.admitReaders()
      self.commits.record(&transaction)
      self.commits.access.unlock()
      reduced[index].transaction = transaction
    }
  }
}
