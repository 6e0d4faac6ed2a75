import ProductSupport
import StateEngine

/// Performs the queries and mutations that actions require in a persistent store, and dispatches
/// the results. Follows the changes of others if the persistent store is a ``RemoteStore``.
struct AnimalsEffects: Effects {
  typealias Context = EffectContext<AnimalsState, AnimalsAction>

  private let store: any PersistentStore
  private let closesStore: Bool
  private let describe: @Sendable (any Error) -> String
  private let follower: ChangeFollower?

  /// - Parameters:
  ///   - closesStore: Whether the persistent store is closed at the end.
  ///   - describe: Makes the text of a failure in the state.
  init(
    store: any PersistentStore, closesStore: Bool,
    describe: @escaping @Sendable (any Error) -> String = { "\($0)" }
  ) {
    self.store = store
    self.closesStore = closesStore
    self.describe = describe
    self.follower = (store as? RemoteStore).map(ChangeFollower.init)
  }

  func begin(in context: Context) {
    self.follower?.begin(in: context)
  }

  func end() {
    self.follower?.end()
    if self.closesStore { self.store.close() }
  }

  var statistics: [String: Int] {
    self.follower.map { ["droppedEvents": $0.state.withLock(\.droppedEvents)] } ?? [:]
  }

  func backup(to path: String) throws(EngineError) {
    guard let store = self.store as? LocalStore else { throw .noDatabase }
    do {
      try store.backup(to: path)
    } catch {
      throw EngineError(error)
    }
  }

  func effect(
    of action: AnimalsAction, from oldState: AnimalsState, to newState: AnimalsState
  ) -> Effect<AnimalsState, AnimalsAction>? {
    guard case .ui(let action) = action else { return nil }
    let change = StatusChange(old: oldState, new: newState)
    switch action {
    case .categoryList(.onAppear):
      guard change.beginsCategories else { return nil }
      return { try self.fetchCategories(in: $0) }
    case .categoryList(.onTapReloadSampleDataButton):
      guard change.beginsReload else { return nil }
      return { try self.reloadSampleData(in: $0) }
    case .animalList(.onAppear):
      guard change.beginsAnimals else { return nil }
      return { try self.fetchAnimals(in: $0) }
    case .animalList(.onTapDeleteSelectedAnimalButton(let animalId)),
      .animalDetail(.onTapDeleteSelectedAnimalButton(let animalId)):
      guard change.begins(animalId) else { return nil }
      return { try self.deleteAnimal(animalId, in: $0) }
    case .animalEditor(.onTapAddAnimalButton(let id, let name, let diet, let categoryId)):
      guard change.begins(id) else { return nil }
      return { try self.addAnimal(id, name, diet, categoryId, in: $0) }
    case .animalEditor(.onTapUpdateAnimalButton(let animalId, let name, let diet, let categoryId)):
      guard change.begins(animalId) else { return nil }
      return { try self.updateAnimal(animalId, name, diet, categoryId, in: $0) }
    }
  }
}

/// The statuses before and after an action.
private struct StatusChange {
  let old: AnimalsState
  let new: AnimalsState

  var beginsCategories: Bool {
    self.old.categories.status == nil && self.new.categories.status == .waiting
  }

  var beginsAnimals: Bool {
    self.old.animals.status == nil && self.new.animals.status == .waiting
  }

  var beginsReload: Bool {
    self.old.categories.status != .waiting && self.new.categories.status == .waiting
      && self.old.animals.status != .waiting && self.new.animals.status == .waiting
  }

  func begins(_ id: Animal.ID) -> Bool {
    self.old.animals.queue[id] != .waiting && self.new.animals.queue[id] == .waiting
  }
}

// MARK: Effects

extension AnimalsEffects {
  private func fetchCategories(in context: Context) throws {
    try context.dispatch(describe: self.describe) {
      .didFetchCategories(result: .success(categories: try self.store.fetchCategoriesQuery()))
    } failure: {
      .didFetchCategories(result: .failure(error: $0))
    }
  }

  private func fetchAnimals(in context: Context) throws {
    try context.dispatch(describe: self.describe) {
      .didFetchAnimals(result: .success(animals: try self.store.fetchAnimalsQuery()))
    } failure: {
      .didFetchAnimals(result: .failure(error: $0))
    }
  }

  private func reloadSampleData(in context: Context) throws {
    try context.dispatch(describe: self.describe) {
      let (animals, categories) = try self.store.reloadSampleDataMutation()
      return .didReloadSampleData(result: .success(animals: animals, categories: categories))
    } failure: {
      .didReloadSampleData(result: .failure(error: $0))
    }
  }

  private func addAnimal(
    _ id: Animal.ID, _ name: String, _ diet: Diet, _ categoryId: Category.ID, in context: Context
  ) throws {
    try context.dispatch(describe: self.describe) {
      let animal = try self.store.addAnimalMutation(
        name: name, diet: diet, categoryId: categoryId)
      return .didAddAnimal(id: id, result: .success(animal: animal))
    } failure: {
      .didAddAnimal(id: id, result: .failure(error: $0))
    }
  }

  private func updateAnimal(
    _ animalId: Animal.ID, _ name: String, _ diet: Diet, _ categoryId: Category.ID,
    in context: Context
  ) throws {
    try context.dispatch(describe: self.describe) {
      let animal = try self.store.updateAnimalMutation(
        animalId: animalId, name: name, diet: diet, categoryId: categoryId)
      return .didUpdateAnimal(animalId: animalId, result: .success(animal: animal))
    } failure: {
      .didUpdateAnimal(animalId: animalId, result: .failure(error: $0))
    }
  }

  private func deleteAnimal(_ animalId: Animal.ID, in context: Context) throws {
    try context.dispatch(describe: self.describe) {
      let animal = try self.store.deleteAnimalMutation(animalId: animalId)
      return .didDeleteAnimal(animalId: animalId, result: .success(animal: animal))
    } failure: {
      .didDeleteAnimal(animalId: animalId, result: .failure(error: $0))
    }
  }
}

extension EffectContext<AnimalsState, AnimalsAction> {
  /// Dispatches the result of `body` or, if it throws, the failure.
  fileprivate func dispatch(
    describe: (any Error) -> String,
    _ body: () throws -> AnimalsAction.Data.PersistentSession,
    failure: (String) -> AnimalsAction.Data.PersistentSession
  ) throws {
    try self.dispatch(describe: describe) {
      .data(.persistentSession(try body()))
    } failure: {
      .data(.persistentSession(failure($0)))
    }
  }
}
