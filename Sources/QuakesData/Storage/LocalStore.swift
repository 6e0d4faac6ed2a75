import ProductSupport
import SQLiteStorage

/// Quakes in an SQLite database: a file, or one in memory. It starts empty.
///
/// ```swift
/// let store = try LocalStore(path: "quakes.sqlite")
/// try store.didFetchRemoteQuakesMutation(inserted: feed.quakes, updated: [], deleted: [])
/// try store.fetchLocalQuakesQuery().count
/// ```
///
/// When a call returns, its change is durable: it survives a crash of the process or the machine.
/// Several stores, even in several processes, may open the same file. A store may be used from any
/// thread; calls are serialized.
public final class LocalStore: PersistentSessionLocalStore {
  public typealias Error = StorageError

  let database: LocalDatabase

  /// Opens the database at a path, or in memory if `nil`. Creates it if it does not exist.
  public convenience init(path: String? = nil) throws(LocalStore.Error) {
    try self.init(path: path, lockTimeout: 5_000)
  }

  /// - Parameter lockTimeout: How long to wait for another program's lock, in milliseconds.
  init(path: String?, lockTimeout: Int32) throws(LocalStore.Error) {
    self.database = try LocalDatabase(path: path, lockTimeout: lockTimeout) {
      try $0.prepareForQuakes()
    }
  }

  /// Closes the database. Later calls fail.
  public func close() {
    self.database.close()
  }
}

extension LocalStore {
  /// Copies the database to a new file, which appears when it is complete.
  ///
  /// Other threads and programs may use the database meanwhile; if it is in memory, they wait. The
  /// copy has the changes that were committed when it began.
  ///
  /// - Throws: `StorageError`: `invalid` if there is a file already.
  public func backup(to path: String) throws(LocalStore.Error) {
    try self.database.backup(to: path)
  }
}

// MARK: Queries and mutations

extension LocalStore {
  public func fetchLocalQuakesQuery() throws -> [Quake] {
    try self.database.read { try $0.quakes() }
  }

  @discardableResult
  public func didFetchRemoteQuakesMutation(
    inserted: [Quake], updated: [Quake], deleted: [Quake]
  ) throws -> Int {
    // Without changes, takes no lock.
    guard !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty else { return 0 }
    return try self.database.write { database in
      let rows =
        try inserted.map(database.put) + updated.map(database.put)
        + deleted.map { try database.deleteQuake($0.id) }
      return rows.reduce(0, +)
    }
  }

  public func deleteLocalQuakeMutation(quakeId: Quake.ID) throws {
    _ = try self.database.write { try $0.deleteQuake(quakeId) }
  }

  public func deleteLocalQuakesMutation() throws {
    try self.database.write { try $0.deleteAllQuakes() }
  }
}
