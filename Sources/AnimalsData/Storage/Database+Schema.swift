import ProductSupport
import SQLiteStorage

private let format = DatabaseFormat(
  version: 1,
  schema: """
    CREATE TABLE categories (category_id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL);
    CREATE TABLE animals (
      animal_id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, diet TEXT NOT NULL,
      category_id TEXT NOT NULL);
    CREATE TABLE changes (
      number INTEGER PRIMARY KEY AUTOINCREMENT, mutation TEXT NOT NULL);
    """)

extension Database {
  /// Creates the tables and inserts the sample data, unless they exist.
  func prepareForAnimals() throws {
    // Checked before any write, so that another program's file is not modified.
    let isPrepared = try format.isCurrent(in: self) && self.hasCategories()
    try self.makeDurable()
    guard !isPrepared else { return }
    try self.transaction {
      // Another process may have created the tables meanwhile.
      if try !format.isCurrent(in: self) {
        try format.create(in: self)
      }
      if try !self.hasCategories() {
        try self.putSampleData()
      }
    }
  }

  /// Checks that a connection that only reads finds the tables.
  func requireAnimals() throws {
    guard try format.isCurrent(in: self) else {
      throw DatabaseError(.corrupt, "\(self.label) has no animals yet; open it for writing first")
    }
  }

  private func hasCategories() throws -> Bool {
    try self.rows("SELECT EXISTS (SELECT 1 FROM categories)") { try $0.integer(0) } == [1]
  }
}
