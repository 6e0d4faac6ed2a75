import StateEngine

// With the option `optimistic`, the state shows the expected result while an animal is being
// updated or deleted. The key of the change is the animal's id. While one change of an animal is in
// flight, no other change of it begins.

extension AnimalsDomain {
  public static var optimisticUpdates: OptimisticUpdates<AnimalsState, AnimalsAction> {
    OptimisticUpdates(update: self.optimisticUpdate, anticipate: self.anticipate)
  }

  private static func optimisticUpdate(
    of action: AnimalsAction, in state: AnimalsState
  ) -> OptimisticUpdate? {
    switch action {
    case .ui(.animalEditor(.onTapUpdateAnimalButton(let animalId, _, _, _))),
      .ui(.animalList(.onTapDeleteSelectedAnimalButton(let animalId))),
      .ui(.animalDetail(.onTapDeleteSelectedAnimalButton(let animalId))):
      state.animals.queue[animalId] == .waiting ? nil : .begins(animalId)
    case .data(.persistentSession(.didUpdateAnimal(let animalId, .success))),
      .data(.persistentSession(.didDeleteAnimal(let animalId, .success))):
      .succeeds(animalId)
    case .data(.persistentSession(.didUpdateAnimal(let animalId, .failure))),
      .data(.persistentSession(.didDeleteAnimal(let animalId, .failure))):
      .fails(animalId)
    default:
      nil
    }
  }

  private static func anticipate(
    _ state: AnimalsState, _ action: AnimalsAction
  ) throws -> AnimalsState {
    var state = try self.reduce(state, action)
    switch action {
    case .ui(
      .animalEditor(.onTapUpdateAnimalButton(let animalId, let name, let diet, let category))):
      state.animals.data[animalId] = Animal(
        animalId: animalId, name: name, diet: diet, categoryId: category)
    case .ui(.animalList(.onTapDeleteSelectedAnimalButton(let animalId))),
      .ui(.animalDetail(.onTapDeleteSelectedAnimalButton(let animalId))):
      state.animals.data[animalId] = nil
    default:
      break
    }
    return state
  }
}
