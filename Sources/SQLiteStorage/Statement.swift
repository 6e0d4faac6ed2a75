import CSQLite

/// A value for a `?` of a statement.
package enum Parameter {
  case integer(Int)
  case text(String)
}

/// A statement that was compiled once, to be run many times.
///
/// The handle is one that SQLite made and is finalized with this object, so it is valid throughout.
/// SQLite itself checks the numbers of parameters and columns.
final class Statement {
  let handle: OpaquePointer
  private let place: String

  init(_ sql: String, of connection: OpaquePointer, _ place: String) throws(DatabaseError) {
    var handle: OpaquePointer?
    let result = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard result == SQLITE_OK, let handle else {
      throw DatabaseError(result, of: connection, place)
    }
    self.handle = handle
    self.place = place
  }

  deinit {
    sqlite3_finalize(self.handle)
  }
}

extension Statement {
  func bind(_ parameters: [Parameter]) throws(DatabaseError) {
    for (number, parameter) in zip(Int32(1)..., parameters) {
      try self.check(self.bind(parameter, at: number))
    }
  }

  private func bind(_ parameter: Parameter, at number: Int32) throws(DatabaseError) -> Int32 {
    switch parameter {
    case .integer(let integer):
      return sqlite3_bind_int64(self.handle, number, sqlite3_int64(integer))
    case .text(let text):
      // SQLite's own functions would take it for the end.
      guard !text.utf8.contains(0) else {
        throw DatabaseError(.invalid, "a text with the character U+0000 cannot be kept")
      }
      return text.withCString { start in
        sqlite3_bind_text64(
          self.handle, number, start, UInt64(text.utf8.count), copied, UInt8(SQLITE_UTF8))
      }
    }
  }

  /// Goes on to the next row.
  ///
  /// - Returns: Whether there is one.
  func step() throws(DatabaseError) -> Bool {
    let result = sqlite3_step(self.handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    throw self.error(result)
  }

  /// Makes it ready to run again.
  func reset() {
    sqlite3_reset(self.handle)
    sqlite3_clear_bindings(self.handle)
  }

  private func check(_ result: Int32) throws(DatabaseError) {
    guard result == SQLITE_OK else { throw self.error(result) }
  }

  private func error(_ result: Int32) -> DatabaseError {
    DatabaseError(result, of: sqlite3_db_handle(self.handle), self.place)
  }
}

/// Has SQLite copy a text at once: `SQLITE_TRANSIENT`, a macro that Swift does not see.
private var copied: sqlite3_destructor_type {
  unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
