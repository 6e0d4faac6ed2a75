import ImmutableJSON
import SQLiteStorage
import TestSupport
import Testing

@testable import AnimalsData

/// Stores in memory and in files.
@Suite struct LocalStoreTests {
  struct Stop: Error {}

  private let folder: TemporaryFolder

  init() throws {
    self.folder = try TemporaryFolder()
  }

  private var path: String {
    self.folder.file("animals.sqlite")
  }

  private func open() throws -> LocalStore {
    try LocalStore(path: self.path)
  }

  private func ids(_ store: LocalStore) throws -> Set<String> {
    Set(try store.fetchAnimalsQuery().map(\.id))
  }

  private static let sampleIds: Set = ["Dog", "Cat", "Kangaroo", "Bibbon", "Sparrow", "Newt"]

  // MARK: Queries and mutations

  @Test(arguments: [true, false]) func aNewStoreHasTheSampleData(_ isInMemory: Bool) throws {
    let store = try LocalStore(path: isInMemory ? nil : self.path)
    #expect(try Set(store.fetchAnimalsQuery()) == Set(SampleData.animals))
    #expect(try Set(store.fetchCategoriesQuery()) == Set(SampleData.categories))
    #expect(try store.lastChange == 0)
  }

  @Test func addedAnimalsGetNewIds() throws {
    let store = try LocalStore(path: nil)
    let owl = try store.addAnimalMutation(name: "Owl", diet: .carnivorous, categoryId: "Bird")
    #expect(owl == Animal(animalId: owl.id, name: "Owl", diet: .carnivorous, categoryId: "Bird"))
    #expect(try Set(store.fetchAnimalsQuery()) == Set(SampleData.animals + [owl]))
    let other = try store.addAnimalMutation(name: "Owl", diet: .carnivorous, categoryId: "Bird")
    #expect(other.id != owl.id)
  }

  /// Any text is stored, and the category need not exist.
  @Test(arguments: ["", "'; DROP TABLE animals; --", "ä 🦊\n", "\u{301}"])
  func animalsRoundTrip(_ text: String) throws {
    let store = try self.open()
    let added = try store.addAnimalMutation(name: text, diet: .omnivorous, categoryId: text)
    let updated = try store.updateAnimalMutation(
      animalId: added.id, name: text + text, diet: .herbivorous, categoryId: text)
    #expect(
      updated
        == Animal(
          animalId: added.id, name: text + text, diet: .herbivorous, categoryId: text))
    #expect(try store.fetchAnimalsQuery().first { $0.id == added.id } == updated)
    #expect(try store.deleteAnimalMutation(animalId: added.id) == updated)
    #expect(try self.ids(store) == Self.sampleIds)
  }

  @Test func theErrorNamesAMissingAnimal() throws {
    let store = try LocalStore(path: nil)
    let error = LocalStore.Error(code: .notFound, message: "there is no animal \"Cow\"")
    #expect(throws: error) { try store.deleteAnimalMutation(animalId: "Cow") }
    #expect(throws: error) {
      try store.updateAnimalMutation(
        animalId: "Cow", name: "Cow", diet: .herbivorous, categoryId: "Mammal")
    }
    #expect("\(error)" == "there is no animal \"Cow\"")
    #expect(try store.lastChange == 0)
  }

  @Test func idsAreComparedByTheirBytes() throws {
    let store = try LocalStore(path: nil)
    #expect(throws: LocalStore.Error.self) { try store.deleteAnimalMutation(animalId: "dog") }
    #expect(throws: LocalStore.Error.self) { try store.deleteAnimalMutation(animalId: "Dog ") }
  }

  @Test func reloadingReplacesEverything() throws {
    let store = try LocalStore(path: nil)
    _ = try store.addAnimalMutation(name: "Owl", diet: .carnivorous, categoryId: "Bird")
    _ = try store.deleteAnimalMutation(animalId: "Dog")
    _ = try store.updateAnimalMutation(
      animalId: "Cat", name: "Puss", diet: .omnivorous, categoryId: "Fish")
    let reloaded = try store.reloadSampleDataMutation()
    #expect(reloaded.animals == SampleData.animals)
    #expect(reloaded.categories == SampleData.categories)
    #expect(try Set(store.fetchAnimalsQuery()) == Set(SampleData.animals))
    #expect(try Set(store.fetchCategoriesQuery()) == Set(SampleData.categories))
  }

  // MARK: Opening

  @Test func dataIsThereAfterReopening() throws {
    let before = try self.open()
    let owl = try before.addAnimalMutation(name: "Owl", diet: .carnivorous, categoryId: "Bird")
    _ = try before.deleteAnimalMutation(animalId: "Dog")
    before.close()
    let after = try self.open()
    #expect(
      try self.ids(after) == Self.sampleIds.subtracting(["Dog"]).union([owl.id]))
    #expect(try after.fetchCategoriesQuery().count == 6)
    #expect(try after.lastChange == 2)
  }

  @Test func storesInMemoryAreIndependent() throws {
    let (one, other) = (try LocalStore(path: nil), try LocalStore(path: nil))
    _ = try one.deleteAnimalMutation(animalId: "Dog")
    #expect(try self.ids(other) == Self.sampleIds)
  }

  @Test func storesOfOneFileSeeEachOthersChanges() throws {
    let (one, other) = (try self.open(), try self.open())
    _ = try one.deleteAnimalMutation(animalId: "Dog")
    #expect(try self.ids(other) == Self.sampleIds.subtracting(["Dog"]))
    _ = try other.deleteAnimalMutation(animalId: "Cat")
    #expect(try self.ids(one) == Self.sampleIds.subtracting(["Dog", "Cat"]))
    #expect(try one.lastChange == 2)
    #expect(try other.changes(after: 0)?.count == 2)
  }

  @Test func storesMayOpenOneNewFileConcurrently() async throws {
    for round in 0..<10 {
      try await withThrowingTaskGroup { group in
        for _ in 0..<8 {
          group.addTask { [folder] in
            let store = try LocalStore(path: folder.file("animals-\(round).sqlite"))
            #expect(try store.fetchAnimalsQuery().count == 6)
          }
        }
        try await group.waitForAll()
      }
    }
  }

  /// A store without categories gets the sample data again.
  @Test func aStoreWithoutCategoriesGetsTheSampleData() throws {
    let store = try self.open()
    _ = try store.deleteAnimalMutation(animalId: "Dog")
    _ = try store.updateAnimalMutation(
      animalId: "Cat", name: "Puss", diet: .omnivorous, categoryId: "Fish")
    store.close()
    try Database(path: self.path, lockTimeout: 0).execute("DELETE FROM categories")
    #expect(try Set(self.open().fetchAnimalsQuery()) == Set(SampleData.animals))
  }

  @Test func callsAfterCloseFail() throws {
    let store = try LocalStore(path: nil)
    store.close()
    #expect(
      throws: LocalStore.Error(code: .closed, message: "the database was closed; open it again")
    ) {
      try store.fetchAnimalsQuery()
    }
  }

  // MARK: Transactions

  @Test func aTransactionIsAtomic() throws {
    let store = try self.open()
    #expect(throws: Stop.self) {
      try store.transaction { store in
        _ = try store.deleteAnimalMutation(animalId: "Dog")
        #expect(try self.ids(store) == Self.sampleIds.subtracting(["Dog"]))
        throw Stop()
      }
    }
    #expect(try self.ids(store) == Self.sampleIds)
    #expect(try store.lastChange == 0)
    let names = try store.transaction { store in
      try ["Dog", "Cat"].map { try store.deleteAnimalMutation(animalId: $0).name }
    }
    #expect(names == ["Dog", "Cat"])
    #expect(try self.ids(self.open()) == Self.sampleIds.subtracting(["Dog", "Cat"]))
    #expect(try store.lastChange == 2)
  }

  @Test func aFailedCallIsRolledBackAlone() throws {
    let store = try LocalStore(path: nil)
    try store.transaction { store in
      _ = try store.deleteAnimalMutation(animalId: "Dog")
      #expect(throws: LocalStore.Error.self) { try store.deleteAnimalMutation(animalId: "Dog") }
      #expect(throws: Stop.self) {
        try store.transaction { store in
          _ = try store.reloadSampleDataMutation()
          throw Stop()
        }
      }
    }
    #expect(try self.ids(store) == Self.sampleIds.subtracting(["Dog"]))
    #expect(try store.lastChange == 1)
  }

  @Test func transactionsOfThreadsAndStoresAreSerialized() async throws {
    let stores = [try self.open(), try self.open()]
    await withTaskGroup { group in
      for store in stores + stores {
        group.addTask {
          for _ in 0..<10 {
            try? store.transaction { store in
              let owl = try store.addAnimalMutation(
                name: "Owl", diet: .carnivorous, categoryId: "Bird")
              _ = try store.deleteAnimalMutation(animalId: owl.id)
            }
          }
        }
      }
    }
    #expect(try self.ids(stores[0]) == Self.sampleIds)
    let changes = try #require(try stores[0].changes(after: 0))
    #expect(changes.map(\.number) == Array(1...80))
    for (added, deleted) in zip(changes, changes.dropFirst()) where added.number % 2 == 1 {
      guard case (.addAnimal(let owl), .deleteAnimal(let same)) = (added.change, deleted.change)
      else {
        Issue.record("\(added) and \(deleted) are not of one transaction")
        continue
      }
      #expect(owl == same)
    }
  }
}
