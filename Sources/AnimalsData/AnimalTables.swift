import ImmutableJSON
import SQLite

/// The tables of a database of animals. For one thread at a time.
final class AnimalTables {
  private let database: SQLiteDatabase

  /// Says whose database a file is, where SQLite has a place for that ("imda").
  private static var applicationId: Int { 0x696D_6461 }
  private static var version: Int { 1 }

  /// How many changes are kept.
  private static var keptChanges: Int { 1_000 }

  init(path: String?) throws {
    self.database = try SQLiteDatabase(path: path)
    self.database.wait(milliseconds: 5_000)
    try self.transaction { try self.prepare() }
    // Written ahead, and on disk before a commit returns.
    try self.database.run("PRAGMA journal_mode = WAL")
    try self.database.run("PRAGMA synchronous = FULL")
  }

  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try self.database.transaction(body)
  }
}

// MARK: The file

extension AnimalTables {
  /// Makes the tables if there is nothing, and fills them if there are no categories.
  private func prepare() throws {
    let isNew = try self.number("SELECT count(*) FROM sqlite_schema") == 0
    if isNew {
      try self.create()
    } else {
      try self.checkFile()
    }
    if try self.number("SELECT count(*) FROM categories") == 0 {
      try self.fillWithSampleData()
    }
  }

  private func create() throws {
    try self.database.run(
      """
      CREATE TABLE categories (categoryId TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL) STRICT
      """)
    try self.database.run(
      """
      CREATE TABLE animals (
        animalId TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, diet TEXT NOT NULL,
        categoryId TEXT NOT NULL
      ) STRICT
      """)
    // A number is never given twice, not even after the change was forgotten.
    try self.database.run(
      """
      CREATE TABLE changes (
        number INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, change TEXT NOT NULL
      ) STRICT
      """)
    try self.database.run("PRAGMA application_id = \(Self.applicationId)")
    try self.database.run("PRAGMA user_version = \(Self.version)")
  }

  private func checkFile() throws {
    guard try self.number("PRAGMA application_id") == Self.applicationId else {
      throw SQLiteError(.corrupt, "\(self.database.name) is of another program")
    }
    let version = try self.number("PRAGMA user_version")
    guard version == Self.version else {
      throw SQLiteError(
        .corrupt,
        "\(self.database.name) was written by another version of this library "
          + "(\(version); this one reads \(Self.version))")
    }
  }

  private func number(_ sql: String) throws -> Int {
    try self.database.run(sql) { row throws(SQLiteError) in try row.integer(0) }.first ?? 0
  }
}

// MARK: Rows

extension AnimalTables {
  var animals: [Animal] {
    get throws {
      try self.database.run("SELECT animalId, name, diet, categoryId FROM animals") {
        row throws(SQLiteError) in try self.animal(row)
      }
    }
  }

  var categories: [Category] {
    get throws {
      try self.database.run("SELECT categoryId, name FROM categories") {
        row throws(SQLiteError) in Category(categoryId: try row.text(0), name: try row.text(1))
      }
    }
  }

  func insert(_ animal: Animal) throws {
    try self.database.run(
      "INSERT INTO animals (animalId, name, diet, categoryId) VALUES (?1, ?2, ?3, ?4)",
      self.values(animal))
  }

  /// - Returns: Whether there was such an animal.
  func update(_ animal: Animal) throws -> Bool {
    try self.database.run(
      "UPDATE animals SET name = ?2, diet = ?3, categoryId = ?4 WHERE animalId = ?1",
      self.values(animal))
    return self.database.changes == 1
  }

  /// - Returns: The animal that was deleted, if there was one.
  func delete(_ animalId: Animal.ID) throws -> Animal? {
    try self.database.run(
      """
      DELETE FROM animals WHERE animalId = ?1 RETURNING animalId, name, diet, categoryId
      """, [.text(animalId)]
    ) { row throws(SQLiteError) in try self.animal(row) }.first
  }

  /// Replaces all animals and categories by the sample data.
  func fillWithSampleData() throws {
    try self.database.run("DELETE FROM animals")
    try self.database.run("DELETE FROM categories")
    for category in SampleData.categories {
      try self.database.run(
        "INSERT INTO categories (categoryId, name) VALUES (?1, ?2)",
        [.text(category.categoryId), .text(category.name)])
    }
    for animal in SampleData.animals {
      try self.insert(animal)
    }
  }

  private func values(_ animal: Animal) -> [SQLiteValue] {
    [
      .text(animal.animalId), .text(animal.name), .text(animal.diet.rawValue),
      .text(animal.categoryId),
    ]
  }

  private func animal(_ row: SQLiteRow) throws(SQLiteError) -> Animal {
    let (animalId, diet) = (try row.text(0), try row.text(2))
    guard let diet = Diet(rawValue: diet) else {
      throw SQLiteError(
        .corrupt,
        "\(self.database.name) has an animal \(quoted(animalId)) with the unknown diet "
          + quoted(diet))
    }
    return Animal(
      animalId: animalId, name: try row.text(1), diet: diet, categoryId: try row.text(3))
  }
}

// MARK: Changes

extension AnimalTables {
  /// Gives a change the next number, and forgets those that are too old.
  func note(_ change: RemoteResponse.Mutation) throws {
    try self.database.run(
      "INSERT INTO changes (change) VALUES (?1)", [.text(try Value(encoding: change).json)])
    try self.database.run(
      "DELETE FROM changes WHERE number <= ?1", [.integer(self.lastChange - Self.keptChanges)])
  }

  var lastChange: Int {
    get throws { try self.number("SELECT seq FROM sqlite_sequence WHERE name = 'changes'") }
  }

  func changes(after number: Int) throws -> [(number: Int, change: RemoteResponse.Mutation)]? {
    let last = try self.lastChange
    guard number <= last, number >= max(0, last - Self.keptChanges) else { return nil }
    let rows = try self.database.run(
      "SELECT number, change FROM changes WHERE number > ?1 ORDER BY number", [.integer(number)]
    ) { row throws(SQLiteError) in (number: try row.integer(0), text: try row.text(1)) }
    return try rows.map { row in
      do {
        return (number: row.number, change: try Value(json: row.text).decode())
      } catch {
        throw SQLiteError(
          .corrupt, "\(self.database.name) has an unreadable change \(row.number): \(error)")
      }
    }
  }
}
