import SQLiteStorage
import TestSupport
import Testing

@testable import AnimalsData
import Glibc

/// Errors and their messages. `PATH` in a message stands for the path of the file.
@Suite struct LocalStoreErrorTests {
  private let folder: TemporaryFolder

  init() throws {
    self.folder = try TemporaryFolder()
  }

  private var path: String {
    self.folder.file("animals.sqlite")
  }

  private func check(
    _ path: String?, _ code: LocalStore.Error.Code, _ message: String,
    at location: SourceLocation = #_sourceLocation, _ use: (LocalStore) throws -> Void = { _ in }
  ) {
    let error = #expect(throws: LocalStore.Error.self, sourceLocation: location) {
      try use(LocalStore(path: path, lockTimeout: 0))
    }
    let expected = message.replacing("PATH", with: "\"\(path ?? "")\"")
    #expect(error?.message == expected, sourceLocation: location)
    #expect(error?.code == code, sourceLocation: location)
  }

  // MARK: Opening

  @Test func invalidPaths() {
    check("", .invalid, "a path cannot be empty or contain U+0000")
    check("a\0b", .invalid, "a path cannot be empty or contain U+0000")
  }

  @Test func filesThatCannotBeOpened() throws {
    let folder = self.folder.path
    check(folder, .io, "cannot open PATH: it is a directory, not a file")
    check(
      self.folder.file("no/animals.sqlite"), .io,
      "cannot open PATH: the directory \"\(folder)/no\" does not exist")
    try self.folder.write("", to: "file")
    check(
      self.folder.file("file/animals.sqlite"), .io,
      "cannot open PATH: \"\(folder)/file\" is not a directory")
    check(
      self.folder.file("file/no/animals.sqlite"), .io,
      "cannot open PATH: \"\(folder)/file/no\" is not in a directory")
    let long = self.folder.file(String(repeating: "n", count: 300))
    let shown = "\(long.prefix(34))…\(long.suffix(34))"
    check(long, .io, "cannot open \"\(shown)\": File name too long")
  }

  @Test func aFileThatIsNotADatabase() throws {
    try self.folder.write(String(repeating: "These are my notes. ", count: 100), to: "notes.txt")
    check(self.folder.file("notes.txt"), .corrupt, "PATH is not a database")
  }

  @Test func aDatabaseOfAnotherProgramIsNotModified() throws {
    let other = try Database(path: self.path, lockTimeout: 0)
    try other.execute("CREATE TABLE animals (name)")
    check(self.path, .corrupt, "PATH is a database of another program")
    try other.execute("PRAGMA user_version = 1")
    check(
      self.path, .corrupt,
      "PATH does not have the expected tables: there is no table \"categories\"")
    #expect(try other.rows("PRAGMA journal_mode") { try $0.text(0) } == ["delete"])
  }

  private static let endless = """
    WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless)
    SELECT n AS category_id, n AS name FROM endless WHERE n < 0
    """

  /// A file can make each use of a table endless.
  @Test(arguments: [
    (
      "DROP TABLE categories; CREATE VIEW categories AS \(endless)",
      #"PATH does not have the expected tables: "categories" is a view, not a table"#
    ),
    (
      "CREATE TRIGGER endless AFTER INSERT ON animals BEGIN \(endless); END",
      #"PATH has the trigger "endless" of another program; remove it with "DROP TRIGGER""#
    ),
  ])
  func endlessTablesAreRejected(_ script: String, _ message: String) throws {
    try LocalStore(path: self.path).close()
    try Database(path: self.path, lockTimeout: 0).execute(script)
    check(self.path, .corrupt, message)
  }

  @Test func aStoreThatReads() throws {
    #expect(throws: LocalStore.Error.self) { try LocalStore(readingFrom: self.path) }
    #expect(self.folder.names == [])
    let store = try LocalStore(path: self.path)
    let reader = try LocalStore(readingFrom: self.path)
    let owl = try store.addAnimalMutation(name: "Owl", diet: .carnivorous, categoryId: "Bird")
    #expect(try reader.changes(after: 0)?.map(\.change) == [.addAnimal(animal: owl)])
    let error = LocalStore.Error(
      code: .io,
      message: "cannot write \"\(self.path)\": it is read-only; the file and its directory must be "
        + "writable")
    #expect(throws: error) { try reader.deleteAnimalMutation(animalId: "Dog") }
    // The reader is the last to close, and leaves the log to those that write.
    store.close()
    reader.close()
    #expect(self.folder.names == ["animals.sqlite", "animals.sqlite-shm", "animals.sqlite-wal"])
    #expect(try LocalStore(path: self.path).fetchAnimalsQuery().count == 7)
  }

  @Test func aNewerVersionIsRejected() throws {
    try LocalStore(path: self.path).close()
    try Database(path: self.path, lockTimeout: 0).execute("PRAGMA user_version = 2")
    check(
      self.path, .corrupt,
      "PATH has tables of version 2, but this program supports only versions up to 1; use a newer "
        + "program"
    )
  }

  @Test func anEmptyFileIsANewDatabase() throws {
    try self.folder.write("", to: "animals.sqlite")
    #expect(try LocalStore(path: self.path).fetchAnimalsQuery().count == 6)
  }

  @Test func aDamagedFileIsReported() throws {
    try LocalStore(path: self.path).close()
    let file = try #require(fopen(self.path, "r+"))
    fseek(file, 100, SEEK_SET)
    fputs(String(repeating: "\u{7F}", count: 8_000), file)
    fclose(file)
    check(
      self.path, .corrupt,
      "PATH is damaged (database disk image is malformed); restore it from a backup")
  }

  @Test func aLockedFileIsReported() throws {
    let store = try LocalStore(path: self.path, lockTimeout: 0)
    let other = try Database(path: self.path, lockTimeout: 0)
    try other.execute("BEGIN IMMEDIATE")
    let error = LocalStore.Error(
      code: .io,
      message: "\"\(self.path)\" is locked by another program; try again later")
    #expect(throws: error) { try store.deleteAnimalMutation(animalId: "Dog") }
    // Reading is still possible.
    #expect(try store.fetchAnimalsQuery().count == 6)
    try other.execute("COMMIT")
    #expect(try store.deleteAnimalMutation(animalId: "Dog").name == "Dog")
  }

  // MARK: Rows

  @Test(arguments: [
    (
      "'Dog', 'Dog', 'herbivorous', 'Mammal'",
      #"the animal "Dog" in PATH cannot be read: invalid diet "herbivorous"; expected one of: "#
        + #""Herbivore", "Carnivore", "Omnivore""#
    ),
    (
      "'Dog', NULL, 'Carnivore', 'Mammal'",
      #"the animal "Dog" in PATH cannot be read: name is NULL, not text"#
    ),
    (
      "'Dog', 'Dog', 'Carnivore', 7",
      #"the animal "Dog" in PATH cannot be read: category_id is an integer, not text"#
    ),
    (
      "'Dog', x'00', 'Carnivore', 'Mammal'",
      #"the animal "Dog" in PATH cannot be read: name is a blob, not text"#
    ),
    (
      "'Dog', CAST(x'610062' AS TEXT), 'Carnivore', 'Mammal'",
      #"the animal "Dog" in PATH cannot be read: name is not UTF-8 without U+0000"#
    ),
    (
      "NULL, 'Dog', 'Carnivore', 'Mammal'",
      "an animal in PATH cannot be read: animal_id is NULL, not text"
    ),
  ])
  func theErrorNamesAnUnreadableRow(_ row: String, _ message: String) throws {
    let database = try Database(path: self.path, lockTimeout: 0)
    try database.execute(
      """
      CREATE TABLE categories (category_id, name);
      CREATE TABLE animals (animal_id, name, diet, category_id);
      CREATE TABLE changes (number INTEGER PRIMARY KEY AUTOINCREMENT, mutation TEXT);
      INSERT INTO categories VALUES ('Bird', 'Bird');
      INSERT INTO animals VALUES (\(row));
      PRAGMA user_version = 1;
      """)
    let message = message + "; correct the row, or restore the database from a backup"
    check(self.path, .corrupt, message) { _ = try $0.fetchAnimalsQuery() }
    if row.hasPrefix("'Dog'") {
      check(self.path, .corrupt, message) { _ = try $0.deleteAnimalMutation(animalId: "Dog") }
    }
  }

  @Test func anUnreadableCategoryFailsOnlyItsQuery() throws {
    try LocalStore(path: self.path).close()
    try Database(path: self.path, lockTimeout: 0).execute("UPDATE categories SET name = x'00'")
    let message =
      "the category \"Amphibian\" in PATH cannot be read: name is a blob, not text; correct the "
      + "row, or restore the database from a backup"
    check(self.path, .corrupt, message) { store in
      #expect(try store.fetchAnimalsQuery().count == 6)
      _ = try store.fetchCategoriesQuery()
    }
  }

  @Test func textWithNULIsRejected() throws {
    let store = try LocalStore(path: nil)
    let error = LocalStore.Error(
      code: .invalid, message: "text with the character U+0000 cannot be stored")
    #expect(throws: error) {
      try store.addAnimalMutation(name: "a\0b", diet: .omnivorous, categoryId: "Bird")
    }
    #expect(throws: error) {
      try store.updateAnimalMutation(
        animalId: "Dog", name: "Dog", diet: .omnivorous, categoryId: "\0")
    }
    #expect(throws: error) { try store.deleteAnimalMutation(animalId: "Dog\0") }
    #expect(try Set(store.fetchAnimalsQuery()) == Set(SampleData.animals))
    #expect(try store.lastChange == 0)
  }
}
