import HashTreeCollections
import ProductSupport

// MARK: Categories

extension AnimalsState {
  /// All categories, by id. O(1).
  public static func selectCategories()
    -> @Sendable (Self) -> TreeDictionary<Category.ID, Category>
  {
    { state in state.categories.data }
  }

  /// All categories, sorted by `key`: text by its UTF-8 bytes. O(n log n).
  @specialized(where Key == String)
  public static func selectCategoriesValues<Key: Comparable & SendableMetatype>(
    sort key: @escaping @Sendable (Category) -> Key, order: SortOrder = .forward
  ) -> @Sendable (Self) -> [Category] {
    { state in state.categories.data.values.sorted(by: [SortKey(order, key)]) }
  }

  /// The status of fetching categories.
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
  /// The status of the connection to the server.
  public static func selectConnection() -> @Sendable (Self) -> Connection? {
    { state in state.connection }
  }

  /// When the connection was lost, in milliseconds since 1970. The state may be out of date since
  /// then.
  public static func selectConnectionLostSince() -> @Sendable (Self) -> Int64? {
    { state in state.connection?.lostSince }
  }
}

// MARK: Animals

extension AnimalsState {
  /// The animals of a category, by id; none if it is `nil`. O(n).
  public static func selectAnimals(categoryId: Category.ID?)
    -> @Sendable (Self) -> TreeDictionary<Animal.ID, Animal>
  {
    { state in state.animals.data.filter { $0.value.categoryId == categoryId } }
  }

  /// The animals of a category, sorted by `key`, text by its UTF-8 bytes; none if it is `nil`.
  /// O(n log n).
  @specialized(where Key == String)
  public static func selectAnimalsValues<Key: Comparable & SendableMetatype>(
    categoryId: Category.ID?, sort key: @escaping @Sendable (Animal) -> Key,
    order: SortOrder = .forward
  ) -> @Sendable (Self) -> [Animal] {
    { state in
      state.animals.data.values.lazy.filter { $0.categoryId == categoryId }
        .sorted(by: [SortKey(order, key)])
    }
  }

  /// The status of fetching animals.
  public static func selectAnimalsStatus() -> @Sendable (Self) -> Status? {
    { state in state.animals.status }
  }

  public static func selectAnimal(animalId: Animal.ID?) -> @Sendable (Self) -> Animal? {
    { state in animalId.flatMap { state.animals.data[$0] } }
  }

  /// The status of the last change of an animal.
  public static func selectAnimalStatus(animalId: Animal.ID?) -> @Sendable (Self) -> Status? {
    { state in animalId.flatMap { state.animals.queue[$0] } }
  }
}
