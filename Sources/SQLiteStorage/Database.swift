import CSQLite

/// A connection to an SQLite database: what runs statements, and what makes several of them one.
///
/// ```swift
/// let database = try Database(path: nil)
/// try database.execute("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL)")
/// try database.run("INSERT INTO notes VALUES (?, ?)", [.text("1"), .text("Feed the cat")])
/// let texts = try database.rows("SELECT text FROM notes") { try $0.text(0) }
/// ```
///
/// A statement is compiled when it is first run, and kept: so statements are fixed texts, with what
/// varies as parameters. Not for several threads at a time.
package final class Database {
  /// What SQLite opened, valid until this object is gone.
  private let connection: OpaquePointer

  /// What messages call it.
  package let place: String

  /// For how many milliseconds it is waited for another program's lock.
  private let patience: Int32

  private var statements: [String: Statement] = [:]

  /// How many transactions are under way, one in the other.
  private var depth = 0

  /// Opens a database, and makes its file if there is none.
  ///
  /// - Parameters:
  ///   - path: Of its file; `nil` for one in memory, which no one else sees.
  ///   - patience: For how many milliseconds it is waited for another program's lock.
  package init(path: String?, patience: Int32) throws(DatabaseError) {
    // For C a path ends at the first NUL; an empty one is a file that SQLite deletes again.
    guard path != "", path?.utf8.contains(0) != true else {
      throw DatabaseError(.invalid, "a path cannot be empty or contain U+0000")
    }
    let place = path.map { "\"\($0)\"" } ?? "the database in memory"
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    var connection: OpaquePointer?
    let result = sqlite3_open_v2(path ?? ":memory:", &connection, flags, nil)
    guard result == SQLITE_OK, let connection else {
      let error = DatabaseError(result, of: connection, place)
      sqlite3_close_v2(connection)
      throw error
    }
    self.connection = connection
    self.place = place
    self.patience = patience
    sqlite3_busy_timeout(connection, patience)
    // What cannot be opened for writing, SQLite opens for reading.
    guard sqlite3_db_readonly(connection, "main") == 0 else {
      throw DatabaseError(SQLITE_READONLY, of: connection, place)
    }
  }

  deinit {
    // It stays open until the last statement is gone, which follows.
    sqlite3_close_v2(self.connection)
  }
}

// MARK: Durability

extension Database {
  /// Has what was committed survive the end of the process and of the machine, and readers go on
  /// while someone writes: with a write-ahead log.
  package func makeDurable() throws(DatabaseError) {
    try self.execute("PRAGMA synchronous = FULL")
    let deadline = ContinuousClock.now + .milliseconds(self.patience)
    // Where others turn the log on too, SQLite does not wait for them as it does otherwise.
    while !(try self.turnOnLog()) {
      guard ContinuousClock.now < deadline else {
        throw DatabaseError(SQLITE_BUSY, of: self.connection, self.place)
      }
      sqlite3_sleep(5)
    }
  }

  /// - Returns: Whether it is on, and no one else was in the way.
  private func turnOnLog() throws(DatabaseError) -> Bool {
    let result = sqlite3_exec(self.connection, "PRAGMA journal_mode = WAL", nil, nil, nil)
    if result & 0xFF == SQLITE_BUSY { return false }
    try self.check(result)
    return true
  }
}

// MARK: Statements

extension Database {
  /// Runs statements without parameters or results, which are not kept.
  package func execute(_ script: String) throws(DatabaseError) {
    try self.check(sqlite3_exec(self.connection, script, nil, nil, nil))
  }

  /// Runs a statement that gives no rows.
  ///
  /// - Returns: How many rows it inserted, updated or deleted.
  @discardableResult
  package func run(_ sql: String, _ parameters: [Parameter] = []) throws -> Int {
    _ = try self.rows(sql, parameters) { _ in }
    return Int(sqlite3_changes(self.connection))
  }

  /// The rows that a statement gives.
  ///
  /// - Parameters:
  ///   - sql: One statement, with a `?` for each parameter.
  ///   - read: Makes something of a row. It may not use the database.
  package func rows<Result>(
    _ sql: String, _ parameters: [Parameter] = [], _ read: (Row) throws -> Result
  ) throws -> [Result] {
    let statement = try self.statement(sql)
    defer { statement.reset() }
    try statement.bind(parameters)
    var results: [Result] = []
    while try statement.step() {
      results.append(try read(Row(statement: statement)))
    }
    return results
  }

  private func statement(_ sql: String) throws(DatabaseError) -> Statement {
    if let statement = self.statements[sql] { return statement }
    let statement = try Statement(sql, of: self.connection, self.place)
    self.statements[sql] = statement
    return statement
  }

  private func check(_ result: Int32) throws(DatabaseError) {
    guard result == SQLITE_OK else {
      throw DatabaseError(result, of: self.connection, self.place)
    }
  }
}

// MARK: Transactions

extension Database {
  /// Runs several statements as one: all of what they do is kept, or, if `body` throws, nothing.
  ///
  /// Inside of another it is a part of that, which is undone alone if it fails.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try self.begin()
    do {
      let result = try body()
      try self.commit()
      return result
    } catch {
      self.undo()
      throw error
    }
  }

  private func begin() throws {
    if self.depth == 0 {
      // At once for writing: one that reads first may find that it cannot write any more.
      try self.run("BEGIN IMMEDIATE")
    } else {
      try self.checkTransaction()
      try self.run("SAVEPOINT part")
    }
    self.depth += 1
  }

  private func commit() throws {
    try self.checkTransaction()
    try self.run(self.depth == 1 ? "COMMIT" : "RELEASE part")
    self.depth -= 1
  }

  /// There is nothing to be done about an error here: what was not committed is not kept.
  private func undo() {
    if self.isInTransaction {
      try? self.execute(self.depth == 1 ? "ROLLBACK" : "ROLLBACK TO part; RELEASE part")
    }
    self.depth -= 1
  }

  /// After some errors SQLite has undone the whole transaction. What followed would be none.
  private func checkTransaction() throws(DatabaseError) {
    guard self.isInTransaction else {
      throw DatabaseError(.io, "\(self.place): all of the transaction was undone after an error")
    }
  }

  private var isInTransaction: Bool {
    sqlite3_get_autocommit(self.connection) == 0
  }
}
