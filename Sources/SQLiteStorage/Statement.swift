import CSQLiteFunctions

/// A value for a `?` in a statement. Text must not contain U+0000. SQLite stores NaN as NULL.
package enum Parameter {
  case integer(Int)
  case real(Double)
  case text(String)
}

/// A compiled statement, which can run many times.
///
/// Owns the handle, and finalizes it. SQLite itself checks the indexes of parameters and columns.
final class Statement {
  let handle: OpaquePointer
  let calls: SQLiteCalls
  private let statementGuard: StatementGuard

  /// - Parameter handle: The compiled statement. This object takes ownership of it.
  init(_ handle: OpaquePointer, _ calls: SQLiteCalls, _ statementGuard: StatementGuard) {
    self.handle = handle
    self.calls = calls
    self.statementGuard = statementGuard
  }

  deinit {
    let handle = self.handle
    self.calls.release { _ = bound.sqlite3_finalize(handle) }
  }
}

extension Statement {
  func bind(_ parameters: [Parameter]) throws(DatabaseError) {
    guard !parameters.isEmpty else { return }
    try self.calls { () throws(DatabaseError) in
      for (number, parameter) in zip(Int32(1)..., parameters) {
        let result = try self.bind(parameter, at: number)
        guard result == SQLITE_OK else { throw self.error(result) }
      }
    }
  }

  private func bind(_ parameter: Parameter, at number: Int32) throws(DatabaseError) -> Int32 {
    switch parameter {
    case .integer(let integer):
      return bound.sqlite3_bind_int64(self.handle, number, sqlite3_int64(integer))
    case .real(let real):
      return bound.sqlite3_bind_double(self.handle, number, real)
    case .text(let text):
      // SQLite's functions would end the text at U+0000.
      guard !text.utf8.contains(0) else {
        throw DatabaseError(.invalid, "text with the character U+0000 cannot be stored")
      }
      return text.withCString { start in
        bound.sqlite3_bind_text64(
          self.handle, number, start, UInt64(text.utf8.count), copied, UInt8(SQLITE_UTF8))
      }
    }
  }

  /// Begins the statement and steps to its first row.
  ///
  /// - Parameter lockRetry: Waits for another program's lock; `nil` if the statement must not be
  ///   repeated.
  /// - Returns: Whether there is a row.
  func start(_ lockRetry: LockRetry?) throws(DatabaseError) -> Bool {
    self.statementGuard.beginStatement()
    guard let lockRetry else { return try self.step() }
    let result = try lockRetry.retrying { () throws(DatabaseError) in
      try self.calls {
        let result = bound.sqlite3_step(self.handle)
        // Makes the statement repeatable. Keeps its parameters.
        if result & 0xFF == SQLITE_BUSY { _ = bound.sqlite3_reset(self.handle) }
        return result
      }
    }
    return try self.hasRow(result)
  }

  /// Steps to the next row.
  ///
  /// - Returns: Whether there is another row.
  func step() throws(DatabaseError) -> Bool {
    self.statementGuard.beginStep()
    return try self.hasRow(try self.calls { bound.sqlite3_step(self.handle) })
  }

  /// Prepares the statement to run again.
  func reset() {
    self.calls.release {
      _ = bound.sqlite3_reset(self.handle)
      _ = bound.sqlite3_clear_bindings(self.handle)
    }
  }

  private func hasRow(_ result: Int32) throws(DatabaseError) -> Bool {
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    guard result != SQLITE_INTERRUPT else { throw self.statementGuard.error(self.calls.label) }
    throw try self.calls { self.error(result) }
  }

  private func error(_ result: Int32) -> DatabaseError {
    DatabaseError(result, of: bound.sqlite3_db_handle(self.handle), self.calls.label)
  }
}

/// Makes SQLite copy a text immediately: `SQLITE_TRANSIENT`, a macro that Swift does not import.
private var copied: sqlite3_destructor_type {
  unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
