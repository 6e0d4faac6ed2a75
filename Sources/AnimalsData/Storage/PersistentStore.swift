/// Where animals and categories are kept.
///
/// Each call waits until it is done. It may come from any thread, one at a time.
public protocol PersistentStore: Sendable {
  /// All animals, in no order.
  func fetchAnimalsQuery() throws -> [Animal]

  /// All categories, in no order.
  func fetchCategoriesQuery() throws -> [Category]

  /// Adds an animal under an id that it makes up. Whether there is such a category is not asked.
  func addAnimalMutation(name: String, diet: Diet, categoryId: Category.ID) throws -> Animal

  /// - Throws: If there is no such animal.
  func updateAnimalMutation(
    animalId: Animal.ID, name: String, diet: Diet, categoryId: Category.ID
  ) throws -> Animal

  /// - Returns: The animal that was deleted.
  /// - Throws: If there is no such animal.
  func deleteAnimalMutation(animalId: Animal.ID) throws -> Animal

  /// Replaces all that there is by the sample data.
  func reloadSampleDataMutation() throws -> (animals: [Animal], categories: [Category])

  /// Lets go of what it has open. No call comes after.
  func close()
}

extension PersistentStore {
  public func close() {}
}
