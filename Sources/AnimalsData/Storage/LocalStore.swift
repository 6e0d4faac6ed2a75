import SQLiteStorage

/// Animals and categories in an SQLite database: a file, or one in memory.
///
/// ```swift
/// let store = try LocalStore(path: "animals.sqlite")
/// let owl = try store.addAnimalMutation(name: "Owl", diet: .carnivorous, categoryId: "Bird")
/// try store.changes(after: 0)  // number 1: addAnimal(animal: owl)
/// ```
///
/// What a call has returned from survives the end of the process, whatever ends it. Several stores,
/// of several processes too, may have one file open. Calls may come from any thread, and take
/// turns.
public final class LocalStore: PersistentStore {
  private let database: SharedDatabase

  /// Opens the database at a path, or one in memory if `nil`; makes it, with the sample data, if
  /// there are no categories.
  public convenience init(path: String?) throws(LocalStore.Error) {
    try self.init(path: path, lockTimeout: 5_000)
  }

  /// - Parameter lockTimeout: For how many milliseconds it is waited for another program's lock.
  init(path: String?, lockTimeout: Int32) throws(LocalStore.Error) {
    do {
      let database = try Database(path: path, lockTimeout: lockTimeout)
      try database.prepareForAnimals()
      self.database = SharedDatabase(database)
    } catch {
      throw Error(opening: error)
    }
  }

  /// Closes the database. What is called afterwards fails. In a transaction it is closed after
  /// that.
  public func close() {
    self.database.close()
  }
}

// MARK: Turns

extension LocalStore {
  /// Runs several calls as one: all of what `body` does is kept, or, if it throws, nothing.
  ///
  /// What takes part are the calls that `body` makes on its own thread. Those of other threads wait
  /// for its end, so it may not wait for them. A transaction in another is a part of that, which is
  /// undone alone if it fails.
  ///
  /// - Throws: What `body` throws, or ``Error`` if it cannot be kept.
  public func transaction<Result>(_ body: (LocalStore) throws -> Result) throws -> Result {
    try self.change { _ in try body(self) }
  }

  func change<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do {
      return try self.database.transaction(body)
    } catch let error as DatabaseError {
      throw Error(error)
    }
  }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do {
      return try self.database.use(body)
    } catch let error as DatabaseError {
      throw Error(error)
    }
  }
}

// MARK: Queries and mutations

extension LocalStore {
  public func fetchAnimalsQuery() throws -> [Animal] {
    try self.read { try $0.animals() }
  }

  public func fetchCategoriesQuery() throws -> [Category] {
    try self.read { try $0.categories() }
  }

  public func addAnimalMutation(
    name: String, diet: Diet, categoryId: Category.ID
  ) throws -> Animal {
    try self.change { database in
      let animal = Animal(
        animalId: UUID().description, name: name, diet: diet, categoryId: categoryId)
      try database.put(animal)
      try database.append(.addAnimal(animal: animal))
      return animal
    }
  }

  /// - Throws: ``Error`` with ``Error/Code/animalNotFound`` if there is no such animal.
  public func updateAnimalMutation(
    animalId: Animal.ID, name: String, diet: Diet, categoryId: Category.ID
  ) throws -> Animal {
    try self.change { database in
      let animal = Animal(animalId: animalId, name: name, diet: diet, categoryId: categoryId)
      guard try database.update(animal) else { throw Error(notFound: animalId) }
      try database.append(.updateAnimal(animal: animal))
      return animal
    }
  }

  /// - Throws: ``Error`` with ``Error/Code/animalNotFound`` if there is no such animal.
  public func deleteAnimalMutation(animalId: Animal.ID) throws -> Animal {
    try self.change { database in
      guard let animal = try database.animal(animalId) else { throw Error(notFound: animalId) }
      try database.deleteAnimal(animalId)
      try database.append(.deleteAnimal(animal: animal))
      return animal
    }
  }

  public func reloadSampleDataMutation() throws -> (animals: [Animal], categories: [Category]) {
    try self.change { database in
      try database.deleteAll()
      try database.putSampleData()
      let (animals, categories) = (SampleData.animals, SampleData.categories)
      try database.append(.reloadSampleData(animals: animals, categories: categories))
      return (animals, categories)
    }
  }
}
