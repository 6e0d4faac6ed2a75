import HashTreeCollections
import ImmutableJSON
import ProductSupport

/// Computes the next state from a state and an action.
public enum AnimalsReducer {
  public struct Error: Swift.Error, Hashable {
    public enum Code: Hashable, Sendable {
      case animalNotFound
      /// An id contains U+0000, which a key of JSON must not.
      case invalidId
    }

    public let code: Code
    let animalId: Animal.ID
  }

  /// Returns the next state. Rejects some actions of the user interface, but never the result of an
  /// operation that began, so that each also ends.
  ///
  /// - Throws: ``Error`` for a change of an animal that does not exist, and for an id with U+0000.
  public static func reduce(
    state: AnimalsState, action: AnimalsAction
  ) throws -> AnimalsState {
    var state = state
    switch action {
    case .ui(.categoryList(let action)): state.reduce(action)
    case .ui(.animalList(let action)): try state.reduce(action)
    case .ui(.animalDetail(.onTapDeleteSelectedAnimalButton(let animalId))):
      try state.beginChange(of: animalId)
    case .ui(.animalEditor(let action)): try state.reduce(action)
    case .data(.persistentSession(let action)): try state.reduce(action)
    case .data(.connection(let action)): state.reduce(action)
    }
    return state
  }
}

extension AnimalsReducer.Error: CustomStringConvertible {
  public var description: String {
    switch self.code {
    case .animalNotFound: "there is no animal \(quoted(self.animalId))"
    case .invalidId: "the id \(quoted(self.animalId)) contains U+0000, which a key must not contain"
    }
  }
}

extension AnimalsState {
  fileprivate mutating func reduce(_ action: AnimalsAction.UI.CategoryList) {
    switch action {
    case .onAppear:
      self.categories.status = self.categories.status ?? .waiting
    case .onTapReloadSampleDataButton:
      guard self.categories.status != .waiting, self.animals.status != .waiting else { return }
      self.categories.status = .waiting
      self.animals.status = .waiting
    }
  }

  fileprivate mutating func reduce(_ action: AnimalsAction.UI.AnimalList) throws {
    switch action {
    case .onAppear:
      self.animals.status = self.animals.status ?? .waiting
    case .onTapDeleteSelectedAnimalButton(let animalId):
      try self.beginChange(of: animalId)
    }
  }

  fileprivate mutating func reduce(_ action: AnimalsAction.UI.AnimalEditor) throws {
    switch action {
    case .onTapAddAnimalButton(let id, _, _, _): try self.animals.setStatus(.waiting, of: id)
    case .onTapUpdateAnimalButton(let animalId, _, _, _): try self.beginChange(of: animalId)
    }
  }

  fileprivate mutating func reduce(_ action: AnimalsAction.Data.PersistentSession) throws {
    switch action {
    case .didFetchCategories(.success(let categories)):
      self.categories.data.merge(categories)
      self.categories.status = .success
    case .didFetchCategories(.failure(let error)):
      self.categories.status = Status(failure: error)
    case .didFetchAnimals(.success(let animals)):
      self.animals.data.merge(animals)
      self.animals.status = .success
    case .didFetchAnimals(.failure(let error)):
      self.animals.status = Status(failure: error)
    case .didReloadSampleData(.success(let animals, let categories)):
      self.animals.data = [:]
      self.animals.data.merge(animals)
      self.animals.status = .success
      self.categories.data = [:]
      self.categories.data.merge(categories)
      self.categories.status = .success
    case .didReloadSampleData(.failure(let error)):
      self.categories.status = Status(failure: error)
      self.animals.status = Status(failure: error)
    case .didAddAnimal(let id, .success(let animal)):
      self.animals.data[animal.id] = animal
      try self.animals.setStatus(.success, of: id)
    case .didAddAnimal(let id, .failure(let error)):
      try self.animals.setStatus(Status(failure: error), of: id)
    case .didReceiveChange(.saved(let animal)):
      self.animals.data[animal.id] = animal
    case .didReceiveChange(.deleted(let animal)):
      self.animals.data[animal.id] = nil
    case .didUpdateAnimal(let animalId, .success(let animal)):
      // Even if another client deleted it meanwhile: this response is newer than the state.
      self.animals.data[animalId] = animal
      try self.animals.setStatus(.success, of: animalId)
    case .didDeleteAnimal(let animalId, .success(let animal)):
      self.animals.data[animal.id] = nil
      try self.animals.setStatus(.success, of: animal.id)
      // If the response names another animal, this one must not wait forever.
      if self.animals.queue[animalId] == .waiting {
        try self.animals.setStatus(.success, of: animalId)
      }
    case .didUpdateAnimal(let animalId, .failure(let error)),
      .didDeleteAnimal(let animalId, .failure(let error)):
      try self.animals.setStatus(Status(failure: error), of: animalId)
    }
  }

  fileprivate mutating func beginChange(of animalId: Animal.ID) throws {
    guard self.animals.data[animalId] != nil else {
      throw AnimalsReducer.Error(code: .animalNotFound, animalId: animalId)
    }
    try self.animals.setStatus(.waiting, of: animalId)
  }
}

extension AnimalsState.Animals {
  fileprivate mutating func setStatus(_ status: Status, of id: Animal.ID) throws {
    guard !id.containsNUL else {
      throw AnimalsReducer.Error(code: .invalidId, animalId: id)
    }
    self.queue[id] = status
  }
}
