import AnimalsData
import ImmutableData
import ImmutableObservation

/// The animals of a category: a store, the listener that connects it to a database or a server, and
/// an observer of what is shown.
@MainActor struct Zoo {
  let store = Store(initialState: AnimalsState(), reducer: AnimalsReducer.reduce)

  private let category: AnimalsData.Category.ID
  private let listener: AnimalsListener
  private let animals: Observer<AnimalsState, AnimalsAction, [Animal]>

  init(_ persistentStore: any PersistentStore, category: AnimalsData.Category.ID) {
    self.category = category
    self.listener = AnimalsListener(store: persistentStore)
    self.listener.listen(to: self.store)
    self.animals = Observer(
      filter: AnimalsFilter.filterAnimals(categoryId: category),
      dependencySelector: ObserverSelector(
        select: AnimalsState.selectAnimals(categoryId: category)),
      outputSelector: ObserverSelector(
        select: AnimalsState.selectAnimalsValues(categoryId: category, sort: \.name)))
    self.animals.listen(to: self.store)
  }
}

extension Zoo {
  /// Performs a command.
  ///
  /// - Parameter show: Called with the animals of the category, sorted by name.
  func perform(_ command: Command, show: ([Animal]) -> Void) async throws {
    try self.dispatch(.animalList(.onAppear), status: AnimalsState.selectAnimalsStatus())
    switch command.operation {
    case .list:
      break
    case .add(let name, let diet):
      let id = "new"
      try self.change(
        id,
        .animalEditor(
          .onTapAddAnimalButton(id: id, name: name, diet: diet, categoryId: self.category)))
    case .rename(let name, let newName):
      let animal = try self.animal(name)
      try self.change(
        animal.id,
        .animalEditor(
          .onTapUpdateAnimalButton(
            animalId: animal.id, name: newName, diet: animal.diet, categoryId: animal.categoryId)))
    case .delete(let name):
      let id = try self.animal(name).id
      try self.change(id, .animalDetail(.onTapDeleteSelectedAnimalButton(animalId: id)))
    case .watch(let count):
      return await self.watch(count, show)
    }
    show(self.animals.output ?? [])
  }

  /// Shows the animals now and after each change.
  private func watch(_ count: Int, _ show: ([Animal]) -> Void) async {
    for await animals in self.animals.makeStream().prefix(count) {
      show(animals)
    }
  }

  private func animal(_ name: String) throws(Failure) -> Animal {
    guard let animal = self.animals.output?.first(where: { $0.name == name }) else {
      throw Failure("no animal \"\(name)\" in the category \"\(self.category)\"")
    }
    return animal
  }

  private func change(_ id: Animal.ID, _ action: AnimalsAction.UI) throws {
    try self.dispatch(action, status: AnimalsState.selectAnimalStatus(animalId: id))
  }

  /// Dispatches an action and waits for its outcome, which is a status in the state.
  private func dispatch(
    _ action: AnimalsAction.UI, status: @Sendable (AnimalsState) -> Status?
  ) throws {
    try self.store.dispatch(action: .ui(action))
    try self.listener.settle()
    if case .failure(let error) = self.store.select(status) { throw Failure(error) }
  }
}

/// An error that the user reads.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
