import CSQLite

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why a database did not do what it was told.
package struct SQLiteError: Error, Hashable {
  package enum Kind: Hashable, Sendable {
    /// A file could not be opened, read or written, or there is no room.
    case io
    /// A file is damaged, or no database, or has in it what it should not.
    case corrupt
    /// Another program has it.
    case locked
    /// What it was told makes no sense to it.
    case invalid
  }

  package var kind: Kind
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    self.message
  }
}

extension SQLiteError {
  /// What SQLite says of a database, in words for who uses it.
  init(_ code: Int32, _ handle: OpaquePointer?, of name: String) {
    let said = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    let words = said.map { String(cString: $0) } ?? "error \(code)"
    switch code & 0xFF {
    case SQLITE_CANTOPEN:
      let reason = handle.flatMap { sqlite3_system_errno($0) } ?? 0
      let because = reason == 0 ? words : strerror(reason).map { String(cString: $0) } ?? words
      self.init(.io, "\(name) cannot be opened: \(because)")
    case SQLITE_NOTADB:
      self.init(.corrupt, "\(name) is not a database of SQLite")
    case SQLITE_CORRUPT:
      self.init(.corrupt, "\(name) is damaged: \(words)")
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(.locked, "\(name) is locked by another program; try again when that is done")
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      self.init(.io, "\(name) may not be written: \(words)")
    case SQLITE_FULL:
      self.init(.io, "there is no room left for \(name)")
    case SQLITE_IOERR:
      self.init(.io, "\(name) could not be read or written: \(words)")
    default:
      self.init(.invalid, "\(name): \(words)")
    }
  }
}
