import SQLiteStorage
import TestSupport
import Testing

@testable import AnimalsData

/// The numbered changes of a store.
@Suite struct ChangesTests {
  private let folder: TemporaryFolder
  private let store: LocalStore

  init() throws {
    self.folder = try TemporaryFolder()
    self.store = try LocalStore(path: self.folder.file("animals.sqlite"))
  }

  private func update(_ count: Int) throws {
    try self.store.transaction { store in
      for _ in 0..<count {
        _ = try store.updateAnimalMutation(
          animalId: "Dog", name: "Dog", diet: .carnivorous, categoryId: "Mammal")
      }
    }
  }

  private func numbers(after number: Int) throws -> [Int]? {
    try self.store.changes(after: number)?.map(\.number)
  }

  @Test func eachMutationIsAChange() throws {
    let owl = try self.store.addAnimalMutation(
      name: "Owl", diet: .carnivorous, categoryId: "Bird")
    let hound = try self.store.updateAnimalMutation(
      animalId: "Dog", name: "Hound", diet: .omnivorous, categoryId: "Bird")
    _ = try self.store.deleteAnimalMutation(animalId: "Dog")
    _ = try self.store.reloadSampleDataMutation()
    let changes = try #require(try self.store.changes(after: 0))
    #expect(changes.map(\.number) == [1, 2, 3, 4])
    #expect(
      changes.map(\.change) == [
        .addAnimal(animal: owl), .updateAnimal(animal: hound), .deleteAnimal(animal: hound),
        .reloadSampleData(animals: SampleData.animals, categories: SampleData.categories),
      ])
    #expect(try self.store.lastChange == 4)
  }

  @Test(
    arguments: [
      // changes made, the number to resume after, the expected numbers
      (0, 0, 0..<0), (0, 1, nil), (0, -1, nil),
      (3, 0, 1..<4), (3, 2, 3..<4), (3, 3, 4..<4), (3, 4, nil), (3, -1, nil),
      (3, .min, nil), (3, .max, nil),
      (1_000, 0, 1..<1_001),
      (1_001, 0, nil), (1_001, 1, 2..<1_002), (1_001, 2, 3..<1_002), (1_001, 1_001, 1_002..<1_002),
      (1_010, 9, nil), (1_010, 10, 11..<1_011), (1_010, 1_011, nil),
    ] as [(Int, Int, Range<Int>?)])
  func changesAfterANumber(_ made: Int, _ number: Int, _ expected: Range<Int>?) throws {
    try self.update(made)
    #expect(try self.numbers(after: number) == expected.map(Array.init))
    #expect(try self.store.lastChange == made)
  }

  @Test func numbersAreNotReused() throws {
    try self.update(2)
    try Database(path: self.folder.file("animals.sqlite"), lockTimeout: 0)
      .execute("DELETE FROM changes WHERE number = 2")
    try self.update(1)
    #expect(try self.store.lastChange == 3)
  }

  @Test func theErrorNamesAnUnreadableChange() throws {
    try self.update(1)
    try Database(path: self.folder.file("animals.sqlite"), lockTimeout: 0)
      .execute("UPDATE changes SET mutation = '{}'")
    let error = #expect(throws: LocalStore.Error.self) { try self.store.changes(after: 0) }
    #expect(error?.code == .corrupt)
    let path = self.folder.file("animals.sqlite")
    #expect(
      error?.message.hasPrefix("the change 1 in \"\(path)\" cannot be read: mutation: ") == true)
  }

  /// Numbers are not reused, so a change after the last number is impossible.
  @Test(arguments: [
    "UPDATE sqlite_sequence SET seq = 9223372036854775807",
    "UPDATE changes SET number = 9223372036854775807",
  ])
  func noNumberIsLeft(_ script: String) throws {
    try self.update(1)
    let path = self.folder.file("animals.sqlite")
    try Database(path: path, lockTimeout: 0).execute(script)
    let message =
      "\"\(path)\" is damaged (no number is left for another change); restore it from a backup"
    #expect(throws: LocalStore.Error(code: .corrupt, message: message)) { try self.update(1) }
    #expect(try self.store.fetchAnimalsQuery().count == 6)
  }
}
