import SQLiteStorage

/// The tables that a domain expects in its database, and the numbers by which the file identifies
/// them.
package struct DatabaseFormat: Sendable {
  /// The `application_id` of the file, which tells the databases of two domains apart. A file has 0
  /// if its program sets none.
  let application: Int

  /// The `user_version` of the file: the version of the tables, from 1.
  let version: Int

  /// The statements that create the tables.
  let schema: String

  package init(application: Int = 0, version: Int, schema: String) {
    self.application = application
    self.version = version
    self.schema = schema
  }
}

extension DatabaseFormat {
  /// Whether the tables have this version; `false` if there are none yet, or they are older.
  ///
  /// - Throws: ``DatabaseError`` (`corrupt`) for the database of another program, or of a newer
  ///   one; or if the tables of this version are not those of the schema.
  package func isCurrent(in database: Database) throws -> Bool {
    // A single statement, because another process may write between two.
    let found = try database.rows(
      """
      SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
      FROM pragma_application_id, pragma_user_version
      """
    ) { row in
      (application: try row.integer(0), version: try row.integer(1), tables: try row.integer(2))
    }
    guard let (application, version, tables) = found.first else { return false }
    guard tables > 0 || version > 0 else { return false }
    guard application == self.application, version > 0 else {
      throw DatabaseError(.corrupt, "\(database.label) is a database of another program")
    }
    guard version <= self.version else {
      throw DatabaseError(
        .corrupt,
        "\(database.label) has tables of version \(version), but this program supports only "
          + "versions up to \(self.version); use a newer program")
    }
    guard version == self.version else { return false }
    try self.checkTables(in: database)
    return true
  }

  /// Creates the tables, and stores the numbers of the format. Part of a transaction.
  package func create(in database: Database) throws {
    try database.execute(self.schema)
    try database.execute(
      """
      PRAGMA application_id = \(self.application);
      PRAGMA user_version = \(self.version);
      """)
  }
}
