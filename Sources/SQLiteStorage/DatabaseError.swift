import CSQLite

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why a database could not be used: a code for programs, words for people.
package struct DatabaseError: Error, Hashable {
  package enum Code: Hashable, Sendable {
    /// A file could not be opened, read or written, or someone else has it.
    case io
    /// What a file holds is not what was written to it.
    case corrupt
    /// What was to be kept cannot be.
    case invalid
    /// It was closed.
    case closed
  }

  package let code: Code

  /// What was wrong, and where that is not plain, what to do.
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

  /// What the child of a fork gets that uses a database of its parent.
  static func inherited(_ place: String) -> Self {
    Self(
      .closed,
      "\(place) belongs to the process that this one was forked from; open it in this process")
  }

  /// What SQLite says of its last call.
  ///
  /// - Parameters:
  ///   - result: What the call returned, in its short or its long form.
  ///   - place: What the database is called in the message.
  ///   - path: Of the file that could not be opened.
  init(
    _ result: Int32, of connection: OpaquePointer?, _ place: String, opening path: String? = nil
  ) {
    let path = path ?? file(of: connection)
    let said = String(cString: sqlite3_errmsg(connection))
    switch result & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(.io, "\(place) is locked by another program; try again when that is done")
    case SQLITE_FULL:
      self.init(.io, "the disk of \(place) is full; make room and try again")
    case SQLITE_READONLY:
      let problem = path.flatMap(writeProblem) ?? "it is read-only"
      self.init(
        .io, "cannot write \(place): \(problem); the file and its directory must be writable")
    case SQLITE_CANTOPEN:
      let problem = path.flatMap(fileProblem) ?? systemError(of: connection)
      self.init(.io, "cannot open \(place): \(problem ?? said)")
    case SQLITE_IOERR, SQLITE_PERM:
      self.init(.io, "cannot read or write \(place): \(systemError(of: connection) ?? said)")
    case SQLITE_NOTADB:
      self.init(.corrupt, "\(place) is not a database")
    case SQLITE_CORRUPT:
      self.init(.corrupt, "\(place) is damaged (\(said)); put back a copy of it")
    case SQLITE_ERROR, SQLITE_CONSTRAINT:
      // The statements are right, so the tables are not those that they were written for.
      self.init(.corrupt, "\(place) has not the tables that it should have: \(said)")
    case SQLITE_TOOBIG:
      self.init(.invalid, "a text is too long for \(place)")
    default:
      self.init(.io, "\(place): \(said)")
    }
  }
}

/// What the system said that a connection asked last, if it said no.
private func systemError(of connection: OpaquePointer?) -> String? {
  let number = sqlite3_system_errno(connection)
  return number == 0 ? nil : String(cString: strerror(number))
}

/// The file of a connection, if it has one.
private func file(of connection: OpaquePointer?) -> String? {
  guard let connection, let path = sqlite3_db_filename(connection, "main") else { return nil }
  return path.pointee == 0 ? nil : String(cString: path)
}
