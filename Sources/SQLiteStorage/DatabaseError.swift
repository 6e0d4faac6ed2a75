import CSQLiteFunctions
import Glibc

/// Why a database could not be used: a code for programs, a message for people.
package struct DatabaseError: Error, Hashable {
  package enum Code: Hashable, Sendable {
    /// A file could not be opened, read or written, or another program has it locked.
    case io
    /// A file's content is damaged or unexpected.
    case corrupt
    /// A path that cannot be used, a text that cannot be stored, or a backup of a database in
    /// memory inside a transaction.
    case invalid
    /// The database was closed, or belongs to the process that this one was forked from.
    case closed
  }

  package let code: Code

  /// A sentence that says what was wrong and, unless it is obvious, what to do.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension DatabaseError: CustomStringConvertible {
  package var description: String {
    self.message
  }
}

extension DatabaseError {
  static var closed: Self {
    Self(.closed, "the database was closed; open it again")
  }

  /// The error in the child of a fork that uses its parent's database.
  static func inherited(_ label: String) -> Self {
    Self(
      .closed,
      "\(label) belongs to the process that this one was forked from; open it in this process")
  }

  /// The error in the child of a fork for a file that an inherited database has open.
  static func inheritedFile(_ label: String) -> Self {
    Self(
      .io,
      "cannot open \(label): a store of the process that this one was forked from has it open; "
        + "open it after exec, or in the parent")
  }

  static func moved(_ label: String) -> Self {
    Self(
      .io,
      "\(label) was deleted, moved or replaced while it was open, so the change is not in the "
        + "file; open it again")
  }

  /// The error for a database that is damaged.
  package static func damaged(
    _ label: String, _ detail: String = errorText(of: SQLITE_CORRUPT)
  ) -> Self {
    Self(.corrupt, "\(label) is damaged (\(detail)); restore it from a backup")
  }

  /// Describes the failure of SQLite's last call.
  ///
  /// - Parameters:
  ///   - result: The primary or extended result code.
  ///   - label: The name of the database in the message.
  ///   - path: The path of the file that could not be opened.
  init(
    _ result: Int32, of connection: OpaquePointer?, _ label: String, opening path: String? = nil
  ) {
    let path = path ?? filePath(of: connection)
    // A call such as `sqlite3_backup_step` does not set the error of the connection.
    let hasError = bound.sqlite3_errcode(connection) != SQLITE_OK
    let detail = hasError ? errorText(of: connection) : errorText(of: result)
    switch result & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(.io, "\(label) is locked by another program; try again later")
    case SQLITE_FULL:
      self.init(.io, "the disk of \(label) is full; free some space and try again")
    case SQLITE_READONLY:
      let problem = path.flatMap(writeProblem) ?? "it is read-only"
      self.init(
        .io, "cannot write \(label): \(problem); the file and its directory must be writable")
    case SQLITE_CANTOPEN:
      let problem = path.flatMap(fileProblem) ?? systemError(of: connection)
      self.init(.io, "cannot open \(label): \(problem ?? detail)")
    case SQLITE_IOERR, SQLITE_PERM:
      self.init(.io, "cannot read or write \(label): \(systemError(of: connection) ?? detail)")
    case SQLITE_NOTADB:
      self.init(.corrupt, "\(label) is not a database")
    case SQLITE_CORRUPT:
      self = .damaged(label, detail)
    case SQLITE_ERROR, SQLITE_CONSTRAINT:
      // The statements are valid, so the tables differ from those that they were written for.
      self.init(.corrupt, "\(label) does not have the expected tables: \(detail)")
    case SQLITE_TOOBIG:
      self.init(.invalid, "a text is too long for \(label)")
    default:
      self.init(.io, "\(label): \(detail)")
    }
  }
}

/// What SQLite says of a result.
private func errorText(of result: Int32) -> String {
  bound.sqlite3_errstr(result).map { String(cString: $0) } ?? ""
}

/// What SQLite says of the last error of a connection.
private func errorText(of connection: OpaquePointer?) -> String {
  bound.sqlite3_errmsg(connection).map { String(cString: $0) } ?? ""
}

/// The system's error in a connection's last call, if it failed.
private func systemError(of connection: OpaquePointer?) -> String? {
  let number = bound.sqlite3_system_errno(connection)
  return number == 0 ? nil : String(cString: strerror(number))
}

/// The path of a connection's file, if it has one.
func filePath(of connection: OpaquePointer?) -> String? {
  guard let connection, let path = bound.sqlite3_db_filename(connection, "main") else { return nil }
  return path.pointee == 0 ? nil : String(cString: path)
}
