import HashTreeCollections

// MARK: Categories

extension AnimalsState {
  /// All categories, by id. O(1).
  public static func selectCategories()
    -> @Sendable (Self) -> TreeDictionary<Category.ID, Category>
  {
    { state in state.categories.data }
  }

  /// All categories in the order of what `key` gives. O(n log n).
  @specialized(where Key == String)
  public static func selectCategoriesValues<Key: Comparable & SendableMetatype>(
    sort key: @escaping @Sendable (Category) -> Key, order: SortOrder = .forward
  ) -> @Sendable (Self) -> [Category] {
    { state in state.categories.data.values.sorted(by: key, order) }
  }

  /// How far the fetching of categories is.
  public static func selectCategoriesStatus() -> @Sendable (Self) -> Status? {
    { state in state.categories.status }
  }

  public static func selectCategory(categoryId: Category.ID?) -> @Sendable (Self) -> Category? {
    { state in categoryId.flatMap { state.categories.data[$0] } }
  }

  /// The category of an animal.
  public static func selectCategory(animalId: Animal.ID?) -> @Sendable (Self) -> Category? {
    { state in
      let animal = animalId.flatMap { state.animals.data[$0] }
      return animal.flatMap { state.categories.data[$0.categoryId] }
    }
  }
}

// MARK: Connection

extension AnimalsState {
  /// What is known of the connection to the server.
  public static func selectConnection() -> @Sendable (Self) -> Connection? {
    { state in state.connection }
  }

  /// Since when the connection is lost, in milliseconds since 1970: what is shown may be that old.
  public static func selectConnectionLostSince() -> @Sendable (Self) -> Int64? {
    { state in state.connection?.lostSince }
  }
}

// MARK: Animals

extension AnimalsState {
  /// The animals of a category, by id; of none, none. O(n).
  public static func selectAnimals(categoryId: Category.ID?)
    -> @Sendable (Self) -> TreeDictionary<Animal.ID, Animal>
  {
    { state in state.animals.data.filter { $0.value.categoryId == categoryId } }
  }

  /// The animals of a category in the order of what `key` gives; of none, none. O(n log n).
  @specialized(where Key == String)
  public static func selectAnimalsValues<Key: Comparable & SendableMetatype>(
    categoryId: Category.ID?, sort key: @escaping @Sendable (Animal) -> Key,
    order: SortOrder = .forward
  ) -> @Sendable (Self) -> [Animal] {
    { state in
      state.animals.data.values.lazy.filter { $0.categoryId == categoryId }.sorted(by: key, order)
    }
  }

  /// How far the fetching of animals is.
  public static func selectAnimalsStatus() -> @Sendable (Self) -> Status? {
    { state in state.animals.status }
  }

  public static func selectAnimal(animalId: Animal.ID?) -> @Sendable (Self) -> Animal? {
    { state in animalId.flatMap { state.animals.data[$0] } }
  }

  /// How far what is done to an animal is.
  public static func selectAnimalStatus(animalId: Animal.ID?) -> @Sendable (Self) -> Status? {
    { state in animalId.flatMap { state.animals.queue[$0] } }
  }
}
