/// Persistent storage for animals and categories.
///
/// Calls are synchronous, and may come from any thread, also concurrently: `close` while another
/// call runs, and the calls of two stores that share an instance.
public protocol PersistentStore: Sendable {
  /// Returns all animals, in no particular order.
  func fetchAnimalsQuery() throws -> [Animal]

  /// Returns all categories, in no particular order.
  func fetchCategoriesQuery() throws -> [Category]

  /// Adds an animal with a new id. Does not check that the category exists.
  func addAnimalMutation(name: String, diet: Diet, categoryId: Category.ID) throws -> Animal

  /// - Throws: If there is no such animal.
  func updateAnimalMutation(
    animalId: Animal.ID, name: String, diet: Diet, categoryId: Category.ID
  ) throws -> Animal

  /// - Returns: The animal that was deleted.
  /// - Throws: If there is no such animal.
  func deleteAnimalMutation(animalId: Animal.ID) throws -> Animal

  /// Replaces all data with the sample data.
  func reloadSampleDataMutation() throws -> (animals: [Animal], categories: [Category])

  /// Releases resources. A call that comes later should throw an error.
  func close()
}

extension PersistentStore {
  public func close() {}
}
