import Threading

/// A database that threads use one at a time.
///
/// Uses may nest: a function that uses the database takes part in its caller's transaction.
package final class SharedDatabase: Sendable {
  private struct State {
    /// `nil` after it was closed.
    var database: Database?
    /// The thread that uses the database.
    var user: ThreadIdentity?
    var isClosing = false
  }

  private let state: Mutex<State>
  private let hasChanged = Condition()
  let lockRetry: LockRetry
  /// The path of its file; `nil` for a database in memory.
  let file: String?
  let label: String

  package init(_ database: sending Database) {
    self.lockRetry = database.lockRetry
    self.file = database.file
    self.label = database.label
    self.state = Mutex(State(database: database))
  }
}

extension SharedDatabase {
  /// Runs `body` with the database, while no other thread uses it.
  package func use<Result>(_ body: (Database) throws -> Result) throws -> Result {
    if let database = self.databaseInUse { return try body(database) }
    let acquired = self.state.withLock(after: self.hasChanged) { state in
      state.user == nil || state.isClosing
    } do: { state -> Database? in
      guard !state.isClosing else { return nil }
      state.user = .current
      return state.database
    }
    guard let database = acquired else { throw DatabaseError.closed }
    defer { self.release() }
    return try body(database)
  }

  /// Throws ``DatabaseError`` (`closed`) if the database was closed.
  func requireOpen() throws(DatabaseError) {
    guard self.state.withLock({ !$0.isClosing }) else { throw .closed }
  }

  /// Runs `body` as a transaction, or as a part of this thread's open transaction.
  package func transaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try self.use { database in
      try database.transaction { try body(database) }
    }
  }

  /// Closes the database when no thread uses it. Waits for other threads, except inside a callback.
  /// If the calling thread is using the database, closes it after that use.
  ///
  /// A use that waits for another program's lock fails immediately, and so does a statement that
  /// runs long.
  package func close() {
    self.lockRetry.cancel()
    let isWaiting = self.state.withLock { state in
      state.isClosing = true
      return state.user?.isCurrent != true && !CallScope.isInsideCallback
    }
    self.hasChanged.broadcast()
    let isFree = self.state.withLock(after: self.hasChanged) { state in
      state.user == nil || !isWaiting
    } do: { state in
      guard state.user == nil else { return false }
      state.user = .current
      return true
    }
    if isFree { self.release() }
  }

  /// Ends the calling thread's use. A pending close happens first, so that waiting threads find the
  /// database closed.
  private func release() {
    let closing = self.state.withLock { state in
      if !state.isClosing { state.user = nil }
      return state.isClosing ? state.database.take() : nil
    }
    closing?.close()
    self.state.withLock { state in
      if state.user?.isCurrent == true { state.user = nil }
    }
    self.hasChanged.broadcast()
  }

  /// The database, if the calling thread uses it.
  private var databaseInUse: Database? {
    self.state.withLock { state in
      state.user?.isCurrent == true ? state.database : nil
    }
  }
}
