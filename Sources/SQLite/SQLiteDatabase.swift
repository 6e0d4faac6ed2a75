import CSQLite

/// A connection to a database of SQLite ([sqlite.org](https://sqlite.org/c3ref/intro.html)), with the
/// statements that were prepared for it.
///
/// For one thread at a time: who has it has a lock as well.
package final class SQLiteDatabase {
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]
  private var depth = 0

  /// What messages call it.
  package let name: String

  /// Opens a file, which is made if there is none; without a path, a database in memory.
  package init(path: String?) throws(SQLiteError) {
    self.name = path.map { "the database \"\($0)\"" } ?? "the database in memory"
    guard path?.utf8.contains(0) != true, path?.isEmpty != true else {
      throw SQLiteError(.io, "\(self.name) cannot be opened: that is no path")
    }
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path ?? ":memory:", &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let error = SQLiteError(code, handle, of: self.name)
      sqlite3_close_v2(handle)
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    self.handle = handle
  }

  deinit {
    for statement in self.statements.values {
      sqlite3_finalize(statement)
    }
    sqlite3_close_v2(self.handle)
  }

  /// For how long a statement waits for another program that has the file.
  package func wait(milliseconds: Int32) {
    sqlite3_busy_timeout(self.handle, milliseconds)
  }

  /// Runs a statement, which is prepared once.
  ///
  /// - Parameters:
  ///   - values: Those of its parameters, in order.
  ///   - read: Makes something of each row.
  package func run<Row>(
    _ sql: String, _ values: [SQLiteValue] = [],
    reading read: (SQLiteRow) throws(SQLiteError) -> Row
  ) throws(SQLiteError) -> [Row] {
    let statement = try self.prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      try self.check(value.bind(to: statement, at: Int32(index + 1)))
    }
    var rows: [Row] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append(try read(SQLiteRow(statement: statement, database: self.name)))
      case SQLITE_DONE: return rows
      case let code: throw SQLiteError(code, self.handle, of: self.name)
      }
    }
  }

  /// Runs a statement for what it does.
  package func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) {
    _ = try self.run(sql, values) { _ in () }
  }

  /// How many rows the last statement that changed any did change.
  package var changes: Int {
    Int(sqlite3_changes64(self.handle))
  }

  /// Has all that `body` does be kept or, if it throws, nothing. One inside another takes part in it.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    guard self.depth == 0 else { return try body() }
    try self.run("BEGIN IMMEDIATE")
    self.depth += 1
    defer { self.depth -= 1 }
    do {
      let result = try body()
      try self.run("COMMIT")
      return result
    } catch {
      // SQLite has rolled back by itself after some failures: then there is nothing to do.
      try? self.run("ROLLBACK")
      throw error
    }
  }

  private func prepared(_ sql: String) throws(SQLiteError) -> OpaquePointer {
    if let statement = self.statements[sql] { return statement }
    var statement: OpaquePointer?
    try self.check(
      sqlite3_prepare_v3(
        self.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw SQLiteError(.invalid, "\(self.name): an empty statement") }
    self.statements[sql] = statement
    return statement
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw SQLiteError(code, self.handle, of: self.name) }
  }
}

/// The value of a parameter.
package enum SQLiteValue {
  case integer(Int)
  case text(String)

  fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .integer(let integer):
      return sqlite3_bind_int64(statement, index, Int64(integer))
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          imd_sqlite3_bind_text(
            statement, index, characters.baseAddress, UInt64(characters.count))
        }
      }
    }
  }
}

/// A row that a statement gives, while it is read.
package struct SQLiteRow {
  fileprivate let statement: OpaquePointer
  fileprivate let database: String

  /// A column that has to hold text.
  package func text(_ column: Int32) throws(SQLiteError) -> String {
    guard sqlite3_column_type(self.statement, column) == SQLITE_TEXT,
      let text = sqlite3_column_text(self.statement, column)
    else { throw self.mismatch(column, "text") }
    let count = Int(sqlite3_column_bytes(self.statement, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// A column that has to hold an integer.
  package func integer(_ column: Int32) throws(SQLiteError) -> Int {
    guard sqlite3_column_type(self.statement, column) == SQLITE_INTEGER else {
      throw self.mismatch(column, "an integer")
    }
    return Int(sqlite3_column_int64(self.statement, column))
  }

  private func mismatch(_ column: Int32, _ expected: String) -> SQLiteError {
    let name = sqlite3_column_name(self.statement, column).map { String(cString: $0) } ?? ""
    return SQLiteError(
      .corrupt, "\(self.database) has something else than \(expected) for \(name) in a row")
  }
}
