import Threading

/// A database that threads take turns with.
///
/// A thread whose turn it is may use it again meanwhile: so a function that uses it takes part in
/// the transaction of its caller.
package final class SharedDatabase: Sendable {
  private struct State {
    /// `nil` once it is closed.
    var database: Database?
    /// The thread whose turn it is.
    var holder: ThreadIdentity?
    var isClosing = false
  }

  private let state: Mutex<State>
  private let hasChanged = Condition()
  private let timeout: LockTimeout
  private let place: String
  private let process = ProcessGeneration.current

  package init(_ database: sending Database) {
    self.timeout = database.timeout
    self.place = database.place
    self.state = Mutex(State(database: database))
  }
}

extension SharedDatabase {
  /// Runs `body` with the database while no other thread has it.
  package func use<Result>(_ body: (Database) throws -> Result) throws -> Result {
    // The child of a fork may have inherited the lock as locked.
    guard self.process.isCurrent else { throw DatabaseError.inherited(self.place) }
    if let database = self.ownDatabase { return try body(database) }
    let begun = self.state.withLock(after: self.hasChanged) { state in
      state.holder == nil || state.isClosing
    } do: { state in
      if !state.isClosing { state.holder = .current }
      return state.isClosing ? nil : state.database
    }
    guard let database = begun else { throw DatabaseError.closed }
    defer { self.endTurn() }
    return try body(database)
  }

  /// Runs `body` as one transaction, or as a part of the one that this thread is in.
  package func transaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try self.use { database in
      try database.transaction { try body(database) }
    }
  }

  /// Closes the database once it is no one's turn. Waits for that, except for the turn of this
  /// thread, and inside a callback.
  ///
  /// A turn that waits for another program's lock fails.
  package func close() {
    guard self.process.isCurrent else { return }
    self.timeout.cancel()
    let isWaiting = self.state.withLock { state in
      state.isClosing = true
      return state.holder?.isCurrent != true && !CallScope.isInsideCallback
    }
    self.hasChanged.broadcast()
    let isFree = self.state.withLock(after: self.hasChanged) { state in
      state.holder == nil || !isWaiting
    } do: { state in
      guard state.holder == nil else { return false }
      state.holder = .current
      return true
    }
    if isFree { self.endTurn() }
  }

  /// Ends the turn. If the database is being closed, it is closed first, so that waiting threads find
  /// it closed.
  private func endTurn() {
    guard self.process.isCurrent else { return }
    let closing = self.state.withLock { state in
      if !state.isClosing { state.holder = nil }
      return state.isClosing ? state.database.take() : nil
    }
    closing?.close()
    self.state.withLock { state in
      if state.holder?.isCurrent == true { state.holder = nil }
    }
    self.hasChanged.broadcast()
  }

  /// The database, if it is this thread's turn.
  private var ownDatabase: Database? {
    self.state.withLock { state in
      state.holder?.isCurrent == true ? state.database : nil
    }
  }
}
