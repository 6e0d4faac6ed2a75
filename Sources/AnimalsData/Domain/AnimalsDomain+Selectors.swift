import ProductSupport
import StateEngine

extension AnimalsDomain {
  public static var selectors: [SelectorDescription<AnimalsState>] {
    self.categorySelectors + self.animalSelectors + self.connectionSelectors
  }

  private static var connectionSelectors: [SelectorDescription<AnimalsState>] {
    [
      .init(
        "selectConnection", "The status of the connection to the server; null without one.",
        output: .nullable(.any), reads: [StatePart(\.connection)],
        AnimalsState.selectConnection()),
      .init(
        "selectConnectionLostSince",
        "When the connection was lost, in milliseconds since 1970; null unless it is lost.",
        output: .nullable(.integer), reads: [StatePart(\.connection)],
        AnimalsState.selectConnectionLostSince()),
    ]
  }

  private static var categorySelectors: [SelectorDescription<AnimalsState>] {
    [
      .init(
        "selectCategories", "All categories, by id.", output: .dictionary(.any),
        reads: [self.categories], AnimalsState.selectCategories()),
      .init(
        "selectCategoriesValues", "All categories, sorted.",
        arguments: [self.sort(CategorySort.self), self.order], output: .array(.any),
        reads: [self.categories]
      ) { (state, arguments: SortedCategories, memo: inout SortedRecords<Category.ID, Category>?) in
        try SortedRecords.select(state.categories.data, updating: &memo) {
          SortedRecords(by: [SortKey(arguments.order ?? .forward, (arguments.sort ?? .name).key)])
        }
      },
      .init(
        "selectCategoriesStatus", "The status of fetching categories.",
        output: .nullable(.any), reads: [StatePart(\.categories.status)],
        AnimalsState.selectCategoriesStatus()),
      .init(
        "selectCategory", "A category by its id, or the category of an animal.",
        arguments: [
          self.id("categoryId", isRequired: false), self.id("animalId", isRequired: false),
        ], output: .nullable(.any),
        reads: [self.categories, self.animal]
      ) { (state, arguments: OneCategory) in
        let category = AnimalsState.selectCategory(categoryId: arguments.categoryId)
        return arguments.animalId == nil
          ? category(state) : AnimalsState.selectCategory(animalId: arguments.animalId)(state)
      },
    ]
  }

  private static var animalSelectors: [SelectorDescription<AnimalsState>] {
    [
      .init(
        "selectAnimals", "The animals of a category, by id.", arguments: [self.id("categoryId")],
        output: .dictionary(.any), reads: [self.animals]
      ) { (state, arguments: OneCategory) in
        AnimalsState.selectAnimals(categoryId: arguments.categoryId)(state)
      },
      .init(
        "selectAnimalsValues", "The animals of a category, sorted.",
        arguments: [self.id("categoryId"), self.sort(AnimalSort.self), self.order],
        output: .array(.any), reads: [self.animals]
      ) { (state, arguments: SortedAnimals, memo: inout SortedRecords<Animal.ID, Animal>?) in
        try SortedRecords.select(state.animals.data, updating: &memo) {
          let categoryId = arguments.categoryId
          let key = SortKey(arguments.order ?? .forward, (arguments.sort ?? .name).key)
          return SortedRecords(by: [key]) { $0.categoryId == categoryId }
        }
      },
      .init(
        "selectAnimalsStatus", "The status of fetching animals.", output: .nullable(.any),
        reads: [StatePart(\.animals.status)], AnimalsState.selectAnimalsStatus()),
      .init(
        "selectAnimal", "An animal.", arguments: [self.id("animalId")], output: .nullable(.any),
        reads: [self.animal]
      ) { (state, arguments: OneAnimal) in
        AnimalsState.selectAnimal(animalId: arguments.animalId)(state)
      },
      .init(
        "selectAnimalStatus", "The status of the last change of an animal.",
        arguments: [self.id("animalId")], output: .nullable(.any),
        reads: [StatePart(\.animals.queue, at: "animalId") { $0[$1] }]
      ) { (state, arguments: OneAnimal) in
        AnimalsState.selectAnimalStatus(animalId: arguments.animalId)(state)
      },
    ]
  }
}

// MARK: Arguments

extension AnimalsDomain {
  private struct OneCategory: Decodable, Sendable {
    var categoryId: Category.ID?
    var animalId: Animal.ID?
  }

  private struct OneAnimal: Decodable, Sendable {
    var animalId: Animal.ID?
  }

  private struct SortedCategories: Decodable, Sendable {
    var sort: CategorySort?
    var order: SortOrder?
  }

  private struct SortedAnimals: Decodable, Sendable {
    var categoryId: Category.ID?
    var sort: AnimalSort?
    var order: SortOrder?
  }

  private enum CategorySort: String, Decodable, CaseIterable, Sendable {
    case categoryId, name

    var key: @Sendable (Category) -> String {
      switch self {
      case .categoryId: { $0.categoryId }
      case .name: { $0.name }
      }
    }
  }

  private enum AnimalSort: String, Decodable, CaseIterable, Sendable {
    case animalId, name, diet, categoryId

    var key: @Sendable (Animal) -> String {
      switch self {
      case .animalId: { $0.animalId }
      case .name: { $0.name }
      case .diet: { $0.diet.rawValue }
      case .categoryId: { $0.categoryId }
      }
    }
  }

  private static func id(_ name: String, isRequired: Bool = true) -> Schema.Property {
    .init(name, .nullable(.string), isRequired: isRequired, "The id; null selects nothing.")
  }

  private static func sort<Sort: RawRepresentable<String> & CaseIterable>(
    _ sort: Sort.Type
  ) -> Schema.Property {
    .init(
      "sort", .oneOf(Sort.allCases.map(\.rawValue)), isRequired: false,
      "The sort key; name by default.")
  }

  private static var order: Schema.Property {
    .init(
      "order", .oneOf(SortOrder.allCases.map(\.rawValue)), isRequired: false,
      "The direction; forward by default. Equal elements are in order of ids.")
  }
}

// MARK: Parts

extension AnimalsDomain {
  private static var categories: StatePart<AnimalsState> {
    StatePart(\.categories.data)
  }

  private static var animals: StatePart<AnimalsState> {
    StatePart(\.animals.data)
  }

  /// The animal that the argument `animalId` names.
  private static var animal: StatePart<AnimalsState> {
    StatePart(\.animals.data, at: "animalId") { $0[$1] }
  }
}
