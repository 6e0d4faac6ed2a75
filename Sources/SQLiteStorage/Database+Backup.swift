import CSQLiteFunctions

extension Database {
  /// Begins a read transaction, which lasts until the database is closed. It does not see later
  /// writes of other connections.
  func beginReading() throws {
    try self.execute("BEGIN; SELECT count(*) FROM sqlite_schema")
  }

  /// Copies all pages to an empty database, in steps, because a fork waits for each step. No
  /// transaction that writes may be open.
  func copyPages(to copy: Database) throws {
    let backup = try self.calls { () throws(DatabaseError) in
      guard let backup = bound.sqlite3_backup_init(copy.connection, "main", self.connection, "main")
      else {
        throw DatabaseError(bound.sqlite3_errcode(copy.connection), of: copy.connection, copy.label)
      }
      return backup
    }
    var result = SQLITE_OK
    do {
      // Sets the error of the copy.
      defer { self.calls.release { _ = bound.sqlite3_backup_finish(backup) } }
      while result == SQLITE_OK {
        result = try self.lockRetry.retrying { () throws(DatabaseError) in
          try self.calls { bound.sqlite3_backup_step(backup, Self.pagesPerStep) }
        }
      }
    }
    guard result == SQLITE_DONE else {
      // Only the original can be damaged: the copy is new.
      let isDamaged = [SQLITE_CORRUPT, SQLITE_NOTADB].contains(result & 0xFF)
      let culprit = isDamaged ? self : copy
      throw try self.calls { DatabaseError(result, of: culprit.connection, culprit.label) }
    }
  }

  private static var pagesPerStep: Int32 { 256 }

  /// Checks the tables and indexes of a copy.
  ///
  /// - Throws: ``DatabaseError`` (`corrupt`) for `original` if they are damaged.
  func checkCopy(of original: String) throws {
    do {
      let problems = try self.rows("PRAGMA quick_check(1)") { try $0.text(0) }
      guard problems == ["ok"] else { throw DatabaseError.damaged(original) }
    } catch let error as DatabaseError where error.code == .corrupt {
      throw DatabaseError.damaged(original)
    }
  }

  /// Stops using a write-ahead log, whose files are kept beside the database.
  func makeSingleFile() throws {
    try self.execute("PRAGMA journal_mode = DELETE")
  }
}
