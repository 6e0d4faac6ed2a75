import ImmutableData

/// A database that threads take turns with.
///
/// A thread whose turn it is may use it again meanwhile: so a function that uses it takes part in
/// the transaction of its caller.
package final class SharedDatabase: Sendable {
  private struct Turn {
    let thread: ThreadIdentity
    let database: Database
    var isLast = false
  }

  /// Locked for the whole of a turn. `nil` once it is closed.
  private let database: Mutex<Database?>

  private let turn = Mutex<Turn?>(nil)

  package init(_ database: sending Database) {
    self.database = Mutex(database)
  }
}

extension SharedDatabase {
  /// Runs `body` with the database while no other thread has it.
  package func use<Result>(_ body: (Database) throws -> Result) throws -> Result {
    if let database = self.ownTurn { return try body(database) }
    return try self.database.withLock { shared in
      guard let database = shared else {
        throw DatabaseError(.closed, "the database was closed; open it again")
      }
      self.turn.withLock { $0 = Turn(thread: .current, database: database) }
      defer {
        if self.turn.withLock({ $0.take()?.isLast }) == true {
          shared = nil
        }
      }
      return try body(database)
    }
  }

  /// Runs `body` as one transaction, or as a part of the one that this thread is in.
  package func transaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try self.use { database in
      try database.transaction { try body(database) }
    }
  }

  /// Closes the database once it is no one's turn, or where this thread has it, after its turn.
  package func close() {
    let isOwnTurn = self.turn.withLock { turn in
      guard turn?.thread.isCurrent == true else { return false }
      turn?.isLast = true
      return true
    }
    if !isOwnTurn {
      _ = self.database.withLock { $0.take() }
    }
  }

  /// The database, if it is this thread's turn.
  private var ownTurn: Database? {
    self.turn.withLock { turn in
      turn?.thread.isCurrent == true ? turn?.database : nil
    }
  }
}
