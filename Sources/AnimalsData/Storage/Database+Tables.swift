import ImmutableJSON
import ProductSupport
import SQLiteStorage

// The tables of animals and categories.

extension Database {
  func animals() throws -> [Animal] {
    try self.rows("SELECT animal_id, name, diet, category_id FROM animals") {
      try Animal(row: $0, in: self.label)
    }
  }

  func animal(_ animalId: Animal.ID) throws -> Animal? {
    try self.rows(
      "SELECT animal_id, name, diet, category_id FROM animals WHERE animal_id = ?",
      [.text(animalId)]
    ) { try Animal(row: $0, in: self.label) }.first
  }

  /// Inserts an animal, or replaces the one with its id.
  func put(_ animal: Animal) throws {
    try self.run(
      "INSERT OR REPLACE INTO animals (animal_id, name, diet, category_id) VALUES (?, ?, ?, ?)",
      [
        .text(animal.animalId), .text(animal.name), .text(animal.diet.rawValue),
        .text(animal.categoryId),
      ])
  }

  /// Replaces the animal with the same id.
  ///
  /// - Returns: Whether it existed.
  func update(_ animal: Animal) throws -> Bool {
    try self.run(
      "UPDATE animals SET name = ?, diet = ?, category_id = ? WHERE animal_id = ?",
      [
        .text(animal.name), .text(animal.diet.rawValue), .text(animal.categoryId),
        .text(animal.animalId),
      ]) > 0
  }

  func deleteAnimal(_ animalId: Animal.ID) throws {
    try self.run("DELETE FROM animals WHERE animal_id = ?", [.text(animalId)])
  }

  func categories() throws -> [Category] {
    try self.rows("SELECT category_id, name FROM categories") {
      try Category(row: $0, in: self.label)
    }
  }

  /// Inserts a category, or replaces the one with its id.
  private func put(_ category: Category) throws {
    try self.run(
      "INSERT OR REPLACE INTO categories (category_id, name) VALUES (?, ?)",
      [.text(category.categoryId), .text(category.name)])
  }

  func deleteAll() throws {
    try self.run("DELETE FROM animals")
    try self.run("DELETE FROM categories")
  }

  func putSampleData() throws {
    try SampleData.categories.forEach(self.put)
    try SampleData.animals.forEach(self.put)
  }
}

extension Category {
  fileprivate init(row: Row, in label: String) throws(DatabaseError) {
    var id: String?
    do {
      let categoryId = try row.text(0)
      id = categoryId
      self.init(categoryId: categoryId, name: try row.text(1))
    } catch {
      throw error.whileReading(id.map { "the category \(quoted($0))" } ?? "a category", in: label)
    }
  }
}

extension Animal {
  fileprivate init(row: Row, in label: String) throws(DatabaseError) {
    var id: String?
    do {
      let animalId = try row.text(0)
      id = animalId
      self.init(
        animalId: animalId, name: try row.text(1), diet: try Diet(stored: row.text(2)),
        categoryId: try row.text(3))
    } catch {
      throw error.whileReading(id.map { "the animal \(quoted($0))" } ?? "an animal", in: label)
    }
  }
}

extension Diet {
  fileprivate init(stored text: String) throws(DatabaseError) {
    guard let diet = Diet(rawValue: text) else {
      let known = Diet.allCases.map { quoted($0.rawValue) }.joined(separator: ", ")
      throw DatabaseError(.corrupt, "invalid diet \(quoted(text)); expected one of: \(known)")
    }
    self = diet
  }
}
