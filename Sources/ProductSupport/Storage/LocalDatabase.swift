import SQLiteStorage

/// The database of a store, with ``StorageError`` as its error. May be used from any thread; uses
/// are serialized.
package final class LocalDatabase: Sendable {
  private let database: SharedDatabase

  /// Opens the database at a path, or in memory if `nil`. Creates it if it does not exist.
  ///
  /// - Parameters:
  ///   - lockTimeout: How long to wait for another program's lock, in milliseconds.
  ///   - isReadOnly: Whether the connection only reads an existing file.
  ///   - prepare: Creates or checks the tables.
  package init(
    path: String?, lockTimeout: Int32, isReadOnly: Bool = false,
    prepare: (Database) throws -> Void
  ) throws(StorageError) {
    do {
      let database = try Database(path: path, lockTimeout: lockTimeout, isReadOnly: isReadOnly)
      try prepare(database)
      self.database = SharedDatabase(database)
    } catch {
      throw Self.storageError(error)
    }
  }
}

extension LocalDatabase {
  /// Runs `body` with the database, while no other thread uses it.
  package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try self.converting { try self.database.use(body) }
  }

  /// Runs `body` as a transaction, or as a part of this thread's open transaction. Commits all
  /// changes, or none if `body` throws.
  package func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try self.converting { try self.database.transaction(body) }
  }

  /// Copies the database to a new file, which appears when it is complete.
  package func backup(to path: String) throws(StorageError) {
    do {
      try self.database.backup(to: path)
    } catch {
      throw Self.storageError(error)
    }
  }

  /// Closes the database. Later calls fail. Inside a transaction, takes effect after it.
  package func close() {
    self.database.close()
  }

  /// Converts the errors of the database, and rethrows those of `body`.
  private func converting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw StorageError(error)
    }
  }

  /// The error of opening or copying a database.
  private static func storageError(_ error: any Error) -> StorageError {
    switch error {
    case let error as StorageError: error
    case let error as DatabaseError: StorageError(error)
    default: StorageError(code: .io, message: "\(error)")
    }
  }
}
