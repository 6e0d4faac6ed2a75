import ImmutableJSON
import ProductSupport
import SQLiteStorage

/// Animals and categories in an SQLite database: a file, or one in memory.
///
/// ```swift
/// let store = try LocalStore(path: "animals.sqlite")
/// let owl = try store.addAnimalMutation(name: "Owl", diet: .carnivorous, categoryId: "Bird")
/// try store.changes(after: 0)  // number 1: addAnimal(animal: owl)
/// ```
///
/// When a call returns, its change is durable: it survives a crash of the process or the machine.
/// Several stores, even in several processes, may open the same file. A store may be used from any
/// thread; calls are serialized.
public final class LocalStore: PersistentStore {
  public typealias Error = StorageError

  let database: LocalDatabase

  /// Opens the database at a path, or in memory if `nil`. Creates it if it does not exist, and
  /// inserts the sample data if it has no categories.
  public convenience init(path: String? = nil) throws(LocalStore.Error) {
    try self.init(path: path, lockTimeout: 5_000)
  }

  /// - Parameter lockTimeout: How long to wait for another program's lock, in milliseconds.
  init(path: String?, lockTimeout: Int32) throws(LocalStore.Error) {
    self.database = try LocalDatabase(path: path, lockTimeout: lockTimeout) {
      try $0.prepareForAnimals()
    }
  }

  /// Opens a database that another store has open, in order to read it: its mutations fail. It
  /// never moves changes from the log to the file, and so leaves that to the store that writes.
  public init(readingFrom path: String) throws(LocalStore.Error) {
    self.database = try LocalDatabase(path: path, lockTimeout: 5_000, isReadOnly: true) {
      try $0.requireAnimals()
    }
  }

  /// Closes the database. Later calls fail. Inside a transaction, takes effect after it.
  public func close() {
    self.database.close()
  }
}

// MARK: Backups

extension LocalStore {
  /// Copies the database to a new file, which appears when it is complete.
  ///
  /// Other threads and programs may use the database meanwhile; if it is in memory, they wait. The
  /// copy has the changes that were committed when it began.
  ///
  /// - Throws: `StorageError`: `invalid` if there is a file already, or if called inside a
  ///   transaction of a database in memory.
  public func backup(to path: String) throws(LocalStore.Error) {
    try self.database.backup(to: path)
  }
}

// MARK: Transactions

extension LocalStore {
  /// Runs several calls atomically: commits all changes of `body`, or none if it throws.
  ///
  /// Only the calls that `body` makes on its own thread take part. Calls on other threads wait for
  /// the end of the transaction, so `body` must not wait for them. A nested transaction becomes a
  /// part of the outer one; if it fails, it alone is rolled back.
  ///
  /// - Throws: The error of `body`, or `StorageError` if the changes cannot be committed.
  public func transaction<Result>(_ body: (LocalStore) throws -> Result) throws -> Result {
    try self.database.write { _ in try body(self) }
  }
}

// MARK: Queries and mutations

extension LocalStore {
  public func fetchAnimalsQuery() throws -> [Animal] {
    try self.database.read { try $0.animals() }
  }

  public func fetchCategoriesQuery() throws -> [Category] {
    try self.database.read { try $0.categories() }
  }

  public func addAnimalMutation(
    name: String, diet: Diet, categoryId: Category.ID
  ) throws -> Animal {
    try self.database.write { database in
      let animal = Animal(
        animalId: UUID().description, name: name, diet: diet, categoryId: categoryId)
      try database.put(animal)
      try database.append(.addAnimal(animal: animal))
      return animal
    }
  }

  /// - Throws: `StorageError`: `notFound` if there is no such animal.
  public func updateAnimalMutation(
    animalId: Animal.ID, name: String, diet: Diet, categoryId: Category.ID
  ) throws -> Animal {
    try self.database.write { database in
      let animal = Animal(animalId: animalId, name: name, diet: diet, categoryId: categoryId)
      guard try database.update(animal) else { throw Error(notFound: animalId) }
      try database.append(.updateAnimal(animal: animal))
      return animal
    }
  }

  /// - Throws: `StorageError`: `notFound` if there is no such animal.
  public func deleteAnimalMutation(animalId: Animal.ID) throws -> Animal {
    try self.database.write { database in
      guard let animal = try database.animal(animalId) else { throw Error(notFound: animalId) }
      try database.deleteAnimal(animalId)
      try database.append(.deleteAnimal(animal: animal))
      return animal
    }
  }

  public func reloadSampleDataMutation() throws -> (animals: [Animal], categories: [Category]) {
    try self.database.write { database in
      try database.deleteAll()
      try database.putSampleData()
      let (animals, categories) = (SampleData.animals, SampleData.categories)
      try database.append(.reloadSampleData(animals: animals, categories: categories))
      return (animals, categories)
    }
  }
}

extension StorageError {
  fileprivate init(notFound animalId: Animal.ID) {
    self.init(code: .notFound, message: "there is no animal \(quoted(animalId))")
  }
}
