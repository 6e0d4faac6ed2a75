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

  private let calls: SQLiteCalls

  /// Waits for another program's lock.
  let timeout: LockTimeout

  private var statements: [String: Statement] = [:]

  private var isClosed = false

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
    let calls = SQLiteCalls(place: place)
    self.calls = calls
    self.timeout = LockTimeout(milliseconds: patience)
    self.connection = try calls { () throws(DatabaseError) in
      try Self.open(path, place)
    }
  }

  deinit {
    self.close()
  }
}

extension Database {
  /// What messages call it.
  package var place: String {
    self.calls.place
  }

  /// Closes the database; what uses it afterwards fails.
  func close() {
    guard !self.isClosed else { return }
    self.isClosed = true
    self.statements = [:]
    self.calls.release { _ = sqlite3_close_v2(self.connection) }
  }

  private static func open(
    _ path: String?, _ place: String
  ) throws(DatabaseError) -> OpaquePointer {
    InheritedFiles.separate()
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    var connection: OpaquePointer?
    let result = sqlite3_open_v2(path ?? ":memory:", &connection, flags, nil)
    guard result == SQLITE_OK, let connection else {
      let error = DatabaseError(result, of: connection, place, opening: path)
      sqlite3_close_v2(connection)
      throw error
    }
    // What cannot be opened for writing, SQLite opens for reading.
    guard sqlite3_db_readonly(connection, "main") == 0 else {
      let error = DatabaseError(SQLITE_READONLY, of: connection, place, opening: path)
      sqlite3_close_v2(connection)
      throw error
    }
    return connection
  }
}

// MARK: Durability

extension Database {
  /// Has what was committed survive the end of the process and of the machine, and readers go on
  /// while someone writes: with a write-ahead log.
  package func makeDurable() throws {
    try self.execute("PRAGMA synchronous = FULL")
    try self.execute("PRAGMA journal_mode = WAL")
  }
}

// MARK: Statements

extension Database {
  /// Runs statements without parameters, which are not kept, and ignores the rows that they give.
  package func execute(_ script: String) throws {
    try script.withCString { start in
      var rest = start
      while let (statement, next) = try self.compile(rest, keeping: false) {
        rest = next
        guard let statement else { continue }
        var hasRow = try self.start(statement, isCommit: false)
        while hasRow { hasRow = try statement.step() }
      }
    }
  }

  /// Runs a statement that gives no rows.
  ///
  /// - Returns: How many rows it inserted, updated or deleted.
  @discardableResult
  package func run(_ sql: String, _ parameters: [Parameter] = []) throws -> Int {
    _ = try self.rows(sql, parameters) { _ in }
    return try self.calls { Int(sqlite3_changes(self.connection)) }
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
    var hasRow = try self.start(statement, isCommit: sql == Self.commit)
    while hasRow {
      results.append(try read(Row(statement: statement)))
      hasRow = try statement.step()
    }
    return results
  }

  private func statement(_ sql: String) throws -> Statement {
    if let statement = self.statements[sql] { return statement }
    let compiled = try sql.withCString { try self.compile($0, keeping: true)?.statement }
    guard let statement = compiled else {
      throw DatabaseError(.invalid, "\"\(sql)\" is no statement")
    }
    self.statements[sql] = statement
    return statement
  }

  /// Compiles the first statement of a text.
  ///
  /// - Returns: The statement, or `nil` for a comment, and what follows; `nil` at the end.
  private func compile(
    _ text: UnsafePointer<CChar>, keeping isKept: Bool
  ) throws(DatabaseError) -> (statement: Statement?, next: UnsafePointer<CChar>)? {
    guard !self.isClosed else { throw .closed }
    guard text.pointee != 0 else { return nil }
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    var handle: OpaquePointer?
    var next: UnsafePointer<CChar>?
    let result = try self.timeout.repeating { () throws(DatabaseError) in
      try self.calls { sqlite3_prepare_v3(self.connection, text, -1, flags, &handle, &next) }
    }
    guard result == SQLITE_OK, let next else {
      throw try self.calls { DatabaseError(result, of: self.connection, self.place) }
    }
    return (handle.map { Statement($0, self.calls) }, next)
  }

  /// Begins a statement, and waits for another program's lock if it may be repeated: inside of a
  /// transaction only its end may, since SQLite may have undone what came before.
  private func start(_ statement: Statement, isCommit: Bool) throws(DatabaseError) -> Bool {
    try statement.start(isCommit || !self.isInTransaction ? self.timeout : nil)
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
    try self.run(self.depth == 1 ? Self.commit : "RELEASE part")
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

  private static var commit: String { "COMMIT" }

  /// Reads a field of the connection: no call that a fork has to wait for.
  private var isInTransaction: Bool {
    !self.isClosed && sqlite3_get_autocommit(self.connection) == 0
  }
}
