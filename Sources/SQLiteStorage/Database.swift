import CSQLiteFunctions

/// A connection to an SQLite database, with statements and transactions.
///
/// ```swift
/// let database = try Database(path: nil, lockTimeout: 5_000)
/// try database.execute("CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL)")
/// try database.run("INSERT INTO notes VALUES (?, ?)", [.text("1"), .text("Feed the cat")])
/// let texts = try database.rows("SELECT text FROM notes") { try $0.text(0) }
/// ```
///
/// A statement is compiled when it first runs, and cached by its text. So use constant texts, and
/// pass values as parameters. Not thread-safe; see ``SharedDatabase``.
package final class Database {
  /// SQLite's connection. Owned by this object.
  let connection: OpaquePointer

  /// `nil` for a database in memory.
  private let openFile: OpenFile?

  let calls: SQLiteCalls

  /// Waits for locks of other programs.
  let lockRetry: LockRetry

  /// Interrupts statements that run too long.
  private let statementGuard: StatementGuard

  private var statements: [String: Statement] = [:]

  private var isClosed = false

  /// The number of open transactions, each nested in the previous one.
  private var depth = 0

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: The path of its file; `nil` for a private database in memory.
  ///   - label: Its name in messages; `nil` for its path.
  ///   - lockTimeout: How long to wait for another program's lock, in milliseconds.
  ///   - isReadOnly: Whether the connection only reads an existing file. It then makes no
  ///     checkpoints either.
  ///   - limit: How long a statement may run.
  package init(
    path: String?, named label: String? = nil, lockTimeout: Int32, isReadOnly: Bool = false,
    limit: StatementLimit = .standard
  ) throws(DatabaseError) {
    // A C string ends at the first NUL. For an empty path, SQLite would create a temporary file.
    guard path != "", path?.utf8.contains(0) != true else { throw .invalidPath }
    let label = label ?? path.map(quotedPath) ?? "the database in memory"
    let calls = SQLiteCalls(label: label)
    self.calls = calls
    self.lockRetry = LockRetry(milliseconds: lockTimeout)
    let statementGuard = StatementGuard(limit, self.lockRetry)
    self.statementGuard = statementGuard
    (self.connection, self.openFile) = try calls { () throws(DatabaseError) in
      let (connection, file) = try Self.open(path, label, isReadOnly: isReadOnly)
      statementGuard.watch(connection)
      return (connection, file)
    }
  }

  deinit {
    self.close()
  }
}

extension Database {
  /// The name of the database in messages.
  package var label: String {
    self.calls.label
  }

  /// The absolute path of its file; `nil` for a database in memory.
  var file: String? {
    try? self.calls { filePath(of: self.connection) }
  }

  /// Closes the database. Later uses fail.
  func close() {
    guard !self.isClosed else { return }
    self.isClosed = true
    self.statements = [:]
    self.calls.release {
      _ = bound.sqlite3_close_v2(self.connection)
      self.openFile?.remove()
    }
  }

  private static func open(
    _ path: String?, _ label: String, isReadOnly: Bool
  ) throws(DatabaseError) -> (OpaquePointer, OpenFile?) {
    if let path, OpenFile.isInherited(path) { throw .inheritedFile(label) }
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    var connection: OpaquePointer?
    let name = path.map(fileName) ?? ":memory:"
    let result = bound.sqlite3_open_v2(name, &connection, access | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let connection else {
      let error = DatabaseError(result, of: connection, label, opening: path)
      _ = bound.sqlite3_close_v2(connection)
      throw error
    }
    // If the file is not writable, SQLite opens it read-only and reports no error.
    guard isReadOnly || bound.sqlite3_db_readonly(connection, "main") == 0 else {
      let error = DatabaseError(SQLITE_READONLY, of: connection, label, opening: path)
      _ = bound.sqlite3_close_v2(connection)
      throw error
    }
    return (connection, path.flatMap(OpenFile.insert))
  }

  /// A path that SQLite takes neither for a URI nor for a special name.
  private static func fileName(_ path: String) -> String {
    path.utf8.starts(with: "file:".utf8) || path.utf8.first == UInt8(ascii: ":")
      ? "./\(path)" : path
  }
}

// MARK: Durability

extension Database {
  /// Makes commits survive a crash of the process or the machine, and lets readers continue during
  /// writes, with a write-ahead log.
  package func makeDurable() throws {
    try self.execute("PRAGMA synchronous = FULL")
    try self.execute("PRAGMA journal_mode = WAL")
  }
}

// MARK: Statements

extension Database {
  /// Runs statements without parameters, does not cache them, and ignores their rows.
  package func execute(_ script: String) throws {
    try script.withCString { start in
      var rest = start
      while let (statement, next) = try self.compile(rest, isCached: false) {
        rest = next
        guard let statement else { continue }
        var hasRow = try self.start(statement, isCommit: false)
        while hasRow { hasRow = try statement.step() }
      }
    }
  }

  /// Runs a statement that returns no rows.
  ///
  /// - Returns: How many rows it inserted, updated or deleted.
  @discardableResult
  package func run(_ sql: String, _ parameters: [Parameter] = []) throws -> Int {
    _ = try self.rows(sql, parameters) { _ in }
    return try self.calls { Int(bound.sqlite3_changes(self.connection)) }
  }

  /// Runs a statement and returns its rows.
  ///
  /// - Parameters:
  ///   - sql: One statement, with a `?` for each parameter.
  ///   - read: Converts a row. It must not use the database.
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
    let compiled = try sql.withCString { try self.compile($0, isCached: true)?.statement }
    guard let statement = compiled else {
      throw DatabaseError(.invalid, "\"\(sql)\" is not a statement")
    }
    self.statements[sql] = statement
    return statement
  }

  /// Compiles the first statement of a text.
  ///
  /// - Returns: The statement, or `nil` for a comment, and the rest of the text; `nil` at its end.
  private func compile(
    _ text: UnsafePointer<CChar>, isCached: Bool
  ) throws(DatabaseError) -> (statement: Statement?, next: UnsafePointer<CChar>)? {
    guard !self.isClosed else { throw .closed }
    guard text.pointee != 0 else { return nil }
    let flags = isCached ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    var handle: OpaquePointer?
    var next: UnsafePointer<CChar>?
    self.statementGuard.beginStatement()
    let result = try self.lockRetry.retrying { () throws(DatabaseError) in
      try self.calls { bound.sqlite3_prepare_v3(self.connection, text, -1, flags, &handle, &next) }
    }
    guard result != SQLITE_INTERRUPT else { throw self.statementGuard.error(self.label) }
    guard result == SQLITE_OK, let next else {
      throw try self.calls { DatabaseError(result, of: self.connection, self.label) }
    }
    return (handle.map { Statement($0, self.calls, self.statementGuard) }, next)
  }

  /// Begins a statement. Waits for another program's lock if the statement can be repeated: in a
  /// transaction only `COMMIT` can, because SQLite may have rolled back the earlier statements.
  private func start(_ statement: Statement, isCommit: Bool) throws(DatabaseError) -> Bool {
    try statement.start(isCommit || !self.isInTransaction ? self.lockRetry : nil)
  }
}

// MARK: Transactions

extension Database {
  /// Runs several statements atomically: commits all of them, or none if `body` throws.
  ///
  /// A nested transaction becomes a part of the outer one. If it fails, it alone is rolled back.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try self.begin()
    do {
      let result = try body()
      try self.commit()
      return result
    } catch {
      self.rollBack()
      throw error
    }
  }

  private func begin() throws {
    if self.depth == 0 {
      try self.checkFile()
      // Takes the write lock at the start: a transaction that reads first may be unable to write
      // later.
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
    if self.depth == 1 { try self.checkFile() }
    self.depth -= 1
  }

  /// Ignores errors: uncommitted changes are lost in any case.
  private func rollBack() {
    if self.isInTransaction {
      try? self.execute(self.depth == 1 ? "ROLLBACK" : "ROLLBACK TO part; RELEASE part")
    }
    self.depth -= 1
  }

  /// After some errors SQLite rolls back the whole transaction; later statements would run outside
  /// of it.
  private func checkTransaction() throws(DatabaseError) {
    guard self.isInTransaction else {
      throw DatabaseError(.io, "\(self.label): the transaction was rolled back after an error")
    }
  }

  private static var commit: String { "COMMIT" }

  /// Checks that the path still leads to the open file. Otherwise a change would be lost when the
  /// database is closed. SQLite itself checks this only without a write-ahead log.
  private func checkFile() throws(DatabaseError) {
    var hasMoved: Int32 = 0
    try self.calls {
      _ = bound.sqlite3_file_control(self.connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    }
    guard hasMoved == 0 else { throw .moved(self.label) }
  }

  /// Not in `calls`: SQLite only reads a field of the connection here, and takes no lock.
  var isInTransaction: Bool {
    !self.isClosed && bound.sqlite3_get_autocommit(self.connection) == 0
  }
}
