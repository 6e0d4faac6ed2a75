import SQLiteStorage

/// The version of the tables, stored in the file's `user_version`.
private let currentVersion = 1

extension Database {
  /// Creates the tables and inserts the sample data, unless they exist.
  func prepareForAnimals() throws {
    // Checks the version before any write, so that another program's file is not modified.
    _ = try self.version()
    try self.makeDurable()
    guard try self.version() < currentVersion || !self.hasCategories() else { return }
    try self.transaction {
      // Another process may have created the tables meanwhile.
      if try self.version() < currentVersion {
        try self.makeTables()
      }
      if try !self.hasCategories() {
        try self.putSampleData()
      }
    }
  }

  /// The version of the tables; 0 before they are created.
  private func version() throws -> Int {
    // A single statement, because another process may write between two.
    let found = try self.rows(
      "SELECT user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_user_version"
    ) { row in
      (version: try row.integer(0), tables: try row.integer(1))
    }
    guard let (version, tables) = found.first else { return 0 }
    guard version > 0 || tables == 0 else {
      throw DatabaseError(.corrupt, "\(self.place) is a database of another program")
    }
    guard version <= currentVersion else {
      throw DatabaseError(
        .corrupt,
        "\(self.place) has tables of version \(version), but this program supports only "
          + "versions up to \(currentVersion); use a newer program")
    }
    return version
  }

  private func hasCategories() throws -> Bool {
    try self.rows("SELECT EXISTS (SELECT 1 FROM categories)") { try $0.integer(0) } == [1]
  }

  private func makeTables() throws {
    try self.execute(
      """
      CREATE TABLE categories (category_id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL);
      CREATE TABLE animals (
        animal_id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, diet TEXT NOT NULL,
        category_id TEXT NOT NULL);
      CREATE TABLE changes (
        number INTEGER PRIMARY KEY AUTOINCREMENT, mutation TEXT NOT NULL);
      PRAGMA user_version = \(currentVersion);
      """)
  }
}
