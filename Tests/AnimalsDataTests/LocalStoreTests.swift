import AnimalsData
import CSQLite
import Foundation
import ImmutableData
import ImmutableJSON
import StateEngine
import Testing

@Suite struct LocalStoreTests {
  private let folder: URL

  init() throws {
    self.folder = FileManager.default.temporaryDirectory.appending(
      path: "animals-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: false)
  }

  private func path(_ name: String = "animals.db") -> String {
    self.folder.appending(path: name).path
  }

  private func sql(_ statements: String) {
    var database: OpaquePointer?
    sqlite3_open(self.path(), &database)
    #expect(sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
  }

  private func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func isSample(_ store: LocalStore) throws -> Bool {
    try Set(store.fetchAnimalsQuery()) == Set(SampleData.animals)
      && Set(store.fetchCategoriesQuery()) == Set(SampleData.categories)
  }

  @Test func aNewStoreHasTheSampleData() throws {
    #expect(try self.isSample(LocalStore(path: nil)))
    #expect(try self.isSample(LocalStore(path: self.path())))
  }

  @Test func changes() throws {
    let store = try LocalStore(path: nil)
    let eagle = try store.addAnimalMutation(name: "Eagle", diet: .carnivorous, categoryId: "Bird")
    #expect(
      eagle.animalId.wholeMatch(
        of: /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/) != nil)
    let hawk = try store.updateAnimalMutation(
      animalId: eagle.id, name: "Hawk", diet: .omnivorous, categoryId: "no such")
    #expect(
      hawk
        == Animal(animalId: eagle.id, name: "Hawk", diet: .omnivorous, categoryId: "no such"))
    #expect(try Set(store.fetchAnimalsQuery()) == Set(SampleData.animals + [hawk]))
    #expect(try store.deleteAnimalMutation(animalId: eagle.id) == hawk)
    #expect(try self.isSample(store))

    #expect(try store.lastChange == 3)
    let all = try #require(try store.changes(after: 0))
    #expect(all.map(\.number) == [1, 2, 3])
    #expect(
      all.map(\.change) == [
        .addAnimal(animal: eagle), .updateAnimal(animal: hawk), .deleteAnimal(animal: hawk),
      ])
    #expect(try store.changes(after: 2)?.map(\.number) == [3])
    #expect(try store.changes(after: 3)?.isEmpty == true)
    #expect(try store.changes(after: 4) == nil)
    #expect(try store.changes(after: -1) == nil)
  }

  @Test func anAnimalThatIsNotThere() throws {
    let store = try LocalStore(path: nil)
    #expect(
      self.message {
        _ = try store.updateAnimalMutation(
          animalId: "Unicorn", name: "x", diet: .omnivorous, categoryId: "Bird")
      } == "there is no animal \"Unicorn\"")
    #expect(
      self.message { _ = try store.deleteAnimalMutation(animalId: "Unicorn") }
        == "there is no animal \"Unicorn\"")
    #expect(try store.lastChange == 0)
  }

  @Test func reloading() throws {
    let store = try LocalStore(path: nil)
    _ = try store.deleteAnimalMutation(animalId: "Dog")
    _ = try store.addAnimalMutation(name: "Eagle", diet: .carnivorous, categoryId: "Bird")
    let (animals, categories) = try store.reloadSampleDataMutation()
    #expect(animals == SampleData.animals)
    #expect(categories == SampleData.categories)
    #expect(try self.isSample(store))
    #expect(
      try store.changes(after: 2)?.map(\.change)
        == [.reloadSampleData(animals: animals, categories: categories)])
  }

  /// What was done is there again, and no sample comes back.
  @Test func reopening() throws {
    var store = try LocalStore(path: self.path())
    let eagle = try store.addAnimalMutation(name: "Eagle", diet: .carnivorous, categoryId: "Bird")
    for animal in SampleData.animals {
      _ = try store.deleteAnimalMutation(animalId: animal.id)
    }
    store.close()
    store = try LocalStore(path: self.path())
    #expect(try store.fetchAnimalsQuery() == [eagle])
    #expect(try store.lastChange == 7)
    _ = try store.deleteAnimalMutation(animalId: eagle.id)
    #expect(try LocalStore(path: self.path()).fetchAnimalsQuery().isEmpty)
  }

  @Test func twoStoresOnOneFile() throws {
    let (one, other) = (try LocalStore(path: self.path()), try LocalStore(path: self.path()))
    let eagle = try one.addAnimalMutation(name: "Eagle", diet: .carnivorous, categoryId: "Bird")
    #expect(try other.deleteAnimalMutation(animalId: eagle.id) == eagle)
    #expect(try self.isSample(one))
    #expect(try one.lastChange == 2)
  }

  @Test func aTransactionIsAllOrNothing() throws {
    let store = try LocalStore(path: nil)
    #expect(
      self.message {
        try store.transaction { store in
          _ = try store.addAnimalMutation(name: "a", diet: .omnivorous, categoryId: "Bird")
          _ = try store.deleteAnimalMutation(animalId: "Dog")
          _ = try store.deleteAnimalMutation(animalId: "Dog")
        }
      } == "there is no animal \"Dog\"")
    #expect(try self.isSample(store))
    #expect(try store.lastChange == 0)
    let number = try store.transaction { store in
      _ = try store.deleteAnimalMutation(animalId: "Dog")
      return try store.lastChange
    }
    #expect(number == 1)
  }

  /// Numbers go on, and never come again.
  @Test func oldChangesAreForgotten() throws {
    let store = try LocalStore(path: nil)
    try store.transaction { store in
      for number in 1...1_010 {
        _ = try store.updateAnimalMutation(
          animalId: "Dog", name: "\(number)", diet: .omnivorous, categoryId: "Bird")
      }
    }
    #expect(try store.lastChange == 1_010)
    #expect(try store.changes(after: 9) == nil)
    #expect(try store.changes(after: 10)?.map(\.number) == Array(11...1_010))
  }

  @Test func textIsKeptAsItIs() throws {
    let store = try LocalStore(path: self.path())
    for name in ["", "é", "e\u{301}", "a\0b", "'; DROP TABLE animals; --", "🦅", "\n"] {
      let animal = try store.addAnimalMutation(
        name: name, diet: .omnivorous, categoryId: "Bird")
      let read = try store.fetchAnimalsQuery().first { $0.id == animal.id }
      #expect(read.map { Array($0.name.utf8) } == Array(name.utf8))
    }
  }

  @Test func threadsTakeTurns() throws {
    let store = try LocalStore(path: self.path())
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<20 {
        _ = try? store.transaction { store in
          _ = try store.addAnimalMutation(name: "a", diet: .omnivorous, categoryId: "Bird")
          _ = try store.fetchAnimalsQuery()
        }
      }
    }
    #expect(try store.fetchAnimalsQuery().count == 6 + 160)
    #expect(try store.lastChange == 160)
  }

  @Test func closing() throws {
    let store = try LocalStore(path: nil)
    store.close()
    store.close()
    #expect(
      self.message { _ = try store.fetchAnimalsQuery() } == "the store of animals was closed")
  }

  // MARK: Bad files

  @Test func pathsThatAreNone() throws {
    let folder = self.folder.path
    #expect(
      self.message { _ = try LocalStore(path: "\(folder)/no/animals.db") }
        == "the database \"\(folder)/no/animals.db\" cannot be opened: No such file or directory")
    #expect(self.message { _ = try LocalStore(path: folder) }?.contains("cannot be opened") == true)
    #expect(
      self.message { _ = try LocalStore(path: "") }
        == "the database \"\" cannot be opened: that is no path")
    #expect(self.message { _ = try LocalStore(path: "a\0b") }?.contains("no path") == true)
  }

  @Test func filesThatAreNoDatabase() throws {
    try Data(repeating: 65, count: 5_000).write(to: URL(filePath: self.path()))
    #expect(
      self.message { _ = try LocalStore(path: self.path()) }
        == "the database \"\(self.path())\" is not a database of SQLite")
    try FileManager.default.removeItem(atPath: self.path())
    self.sql("CREATE TABLE notes (text)")
    #expect(
      self.message { _ = try LocalStore(path: self.path()) }
        == "the database \"\(self.path())\" is of another program")
  }

  @Test func aLaterVersion() throws {
    _ = try LocalStore(path: self.path())
    self.sql("PRAGMA user_version = 2")
    #expect(
      self.message { _ = try LocalStore(path: self.path()) }?.contains("another version") == true)
  }

  @Test func aDamagedFile() throws {
    let store = try LocalStore(path: self.path())
    for number in 0..<500 {
      _ = try store.addAnimalMutation(
        name: "\(number)", diet: .omnivorous, categoryId: "Bird")
    }
    store.close()
    let file = try FileHandle(forUpdating: URL(filePath: self.path()))
    try file.seek(toOffset: 4_096)
    try file.write(contentsOf: Data(repeating: 0xFF, count: 40_960))
    try file.close()
    #expect(
      self.message { _ = try LocalStore(path: self.path()).fetchAnimalsQuery() }?
        .contains("is damaged") == true)
  }

  @Test(arguments: [
    (
      "UPDATE animals SET diet = 'Stones' WHERE animalId = 'Dog'",
      "has an animal \"Dog\" with the unknown diet \"Stones\""
    ),
    (
      """
      DROP TABLE animals;
      CREATE TABLE animals (animalId, name, diet, categoryId);
      INSERT INTO animals VALUES ('Dog', 7, 'Carnivore', 'Mammal')
      """, "has something else than text for name in a row"
    ),
    (
      """
      DROP TABLE animals;
      CREATE TABLE animals (animalId, name, diet, categoryId);
      INSERT INTO animals VALUES (NULL, 'Dog', 'Carnivore', 'Mammal')
      """, "has something else than text for animalId in a row"
    ),
    ("DROP TABLE animals", "no such table: animals"),
  ])
  func rowsThatAreNone(_ statements: String, _ expected: String) throws {
    try LocalStore(path: self.path()).close()
    self.sql(statements)
    let store = try LocalStore(path: self.path())
    #expect(
      self.message { _ = try store.fetchAnimalsQuery() }?.hasSuffix(expected) == true)
    // The store lives, and mends itself when it is filled anew.
    #expect(try store.fetchCategoriesQuery().count == 6)
  }

  @Test func aFileThatAnotherProgramHas() throws {
    try LocalStore(path: self.path()).close()
    var database: OpaquePointer?
    sqlite3_open(self.path(), &database)
    #expect(sqlite3_exec(database, "BEGIN EXCLUSIVE", nil, nil, nil) == SQLITE_OK)
    defer { sqlite3_close(database) }
    #expect(
      self.message { _ = try LocalStore(path: self.path()) }?
        .contains("is locked by another program") == true)
  }
}

/// The domain over its database, from the action to the state.
@Suite struct LocalEffectsTests {
  @Test func fromActionToState() throws {
    let store = try AnyStore(AnimalsDomain.self)
    try store.dispatch(["type": "ui/categoryList/onAppear"])
    try store.dispatch(["type": "ui/animalList/onAppear"])
    try store.settle()
    #expect(try store.select("selectCategoriesStatus") == ["success": [:]])
    let add: Value = [
      "type": "ui/animalEditor/onTapAddAnimalButton",
      "payload": ["id": "new", "name": "Eagle", "diet": "Carnivore", "categoryId": "Bird"],
    ]
    try store.dispatch(add)
    try store.settle()
    #expect(try store.select("selectAnimalStatus", ["animalId": "new"]) == ["success": [:]])
    guard case .object(let birds) = try store.select("selectAnimals", ["categoryId": "Bird"])
    else { return #expect(Bool(false)) }
    #expect(birds.values.map { $0["name"] }.contains("Eagle"))
    #expect(birds.count == 2)
  }

  @Test func badOptions() {
    let cases: [(Value, EngineError.Code, String)] = [
      (["store": "/no/such/folder/x"], .io, "No such file or directory"),
      (["store": 1], .invalidArgument, "options/store"),
      (["store": "a", "remote": "http://a"], .invalidArgument, "exclude each other"),
      (["remote": "localhost"], .invalidArgument, "\"localhost\" is no address"),
      (["remote": "http://"], .invalidArgument, "is no address"),
      (["remote": "http://a b"], .invalidArgument, "is no address"),
      (["remote": "http://a?b"], .invalidArgument, "is no address"),
      (["remote": "http://a", "timeout": 0], .invalidArgument, "options/timeout"),
    ]
    for (options, code, part) in cases {
      do {
        _ = try AnyStore(AnimalsDomain.self, options: options)
        #expect(Bool(false), "\(options)")
      } catch {
        #expect(error.code == code)
        #expect(error.message.contains(part), "\(error.message)")
      }
    }
  }
}
