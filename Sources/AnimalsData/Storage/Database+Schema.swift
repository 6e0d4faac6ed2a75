import ProductSupport
import SQLiteStorage

private let format = DatabaseFormat(version: 1)

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
        try self.makeTables()
      }
      if try !self.hasCategories() {
        try self.putSampleData()
      }
    }
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
      """)
    try format.store(in: self)
  }
}
