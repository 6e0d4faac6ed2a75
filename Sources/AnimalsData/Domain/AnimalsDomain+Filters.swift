import StateEngine

extension AnimalsDomain {
  private struct OneCategory: Decodable, Sendable {
    var categoryId: Category.ID?
  }

  public static var filters: [FilterDescription<AnimalsState, AnimalsAction>] {
    [
      .init(
        "filterCategories", "The actions that may change the categories.",
        AnimalsFilter.filterCategories()),
      .init(
        "filterAnimals", "The actions that may change the animals of a category.",
        arguments: [.init("categoryId", .nullable(.string), "The id of the category.")]
      ) { (arguments: OneCategory) in
        AnimalsFilter.filterAnimals(categoryId: arguments.categoryId)
      },
    ]
  }
}

/// Filters for observers: `true` for actions that may change a selector's output.
public enum AnimalsFilter {
  public static func filterCategories() -> @Sendable (AnimalsState, AnimalsAction) -> Bool {
    { _, action in
      switch action {
      case .data(.persistentSession(.didFetchCategories(.success))),
        .data(.persistentSession(.didReloadSampleData(.success))):
        true
      default:
        false
      }
    }
  }

  /// The filter for the animals of one category.
  public static func filterAnimals(
    categoryId: Category.ID?
  ) -> @Sendable (AnimalsState, AnimalsAction) -> Bool {
    { oldState, action in
      guard case .data(.persistentSession(let action)) = action else { return false }
      switch action {
      case .didFetchAnimals(.success), .didReloadSampleData(.success):
        return true
      case .didAddAnimal(_, .success(let animal)), .didDeleteAnimal(_, .success(let animal)),
        .didReceiveChange(.saved(let animal)), .didReceiveChange(.deleted(let animal)):
        return animal.categoryId == categoryId
          || oldState.animals.data[animal.id].map { $0.categoryId == categoryId } ?? false
      case .didUpdateAnimal(let animalId, .success(let animal)):
        return animal.categoryId == categoryId
          || oldState.animals.data[animalId]?.categoryId == categoryId
      default:
        return false
      }
    }
  }
}
