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
