import ImmutableJSON
import StateEngine

// What a server tells of becomes actions, if it is new here.

extension RemoteStore {
  /// Dispatches all that the server has, in place of what there is.
  func fetchAll(in context: ChangeFollower.Context) throws {
    let (animals, categories) = try self.fetchAll()
    try context.dispatch(
      .data(
        .persistentSession(
          .didReloadSampleData(result: .success(animals: animals, categories: categories)))))
  }
}

extension ChangeFollower {
  func apply(_ event: EventStream.Event, in context: Context) throws {
    let mutation: RemoteResponse.Mutation = try Value(json: event.data).decode()
    let state = try context.state
    switch mutation {
    case .addAnimal(let animal), .updateAnimal(let animal):
      guard state.animals.status != nil, state.animals.data[animal.id] != animal else { return }
      try context.dispatch(
        .data(.persistentSession(.didReceiveChange(change: .saved(animal: animal)))))
    case .deleteAnimal(let animal):
      guard state.animals.data[animal.id] != nil else { return }
      try context.dispatch(
        .data(.persistentSession(.didReceiveChange(change: .deleted(animal: animal)))))
    case .reloadSampleData(let animals, let categories):
      guard state.categories.status != nil || state.animals.status != nil else { return }
      try context.dispatch(
        .data(
          .persistentSession(
            .didReloadSampleData(result: .success(animals: animals, categories: categories)))))
    }
  }
}
