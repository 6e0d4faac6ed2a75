import AnimalsData
import ImmutableJSON

extension RemoteRequest {
  /// Performs all queries, then all mutations, each in order.
  func perform(on store: LocalStore) throws -> RemoteResponse {
    RemoteResponse(
      query: try self.query?.map { try $0.perform(on: store) },
      mutation: try self.mutation?.enumerated().map { index, mutation in
        do {
          return try mutation.perform(on: store)
        } catch let error as LocalStore.Error {
          throw RequestError(error, by: mutation, at: index) ?? error
        }
      })
  }
}

extension RemoteRequest.Query {
  fileprivate func perform(on store: LocalStore) throws -> RemoteResponse.Query {
    switch self {
    case .animals: .animals(animals: try store.fetchAnimalsQuery())
    case .categories: .categories(categories: try store.fetchCategoriesQuery())
    }
  }
}

extension RemoteRequest.Mutation {
  fileprivate func perform(on store: LocalStore) throws -> RemoteResponse.Mutation {
    switch self {
    case .addAnimal(let name, let diet, let categoryId):
      return .addAnimal(
        animal: try store.addAnimalMutation(name: name, diet: diet, categoryId: categoryId))
    case .updateAnimal(let animalId, let name, let diet, let categoryId):
      return .updateAnimal(
        animal: try store.updateAnimalMutation(
          animalId: animalId, name: name, diet: diet, categoryId: categoryId))
    case .deleteAnimal(let animalId):
      return .deleteAnimal(animal: try store.deleteAnimalMutation(animalId: animalId))
    case .reloadSampleData:
      let (animals, categories) = try store.reloadSampleDataMutation()
      return .reloadSampleData(animals: animals, categories: categories)
    }
  }

  /// The name of the mutation in JSON, and the id of its animal, if it has one.
  fileprivate var description: (name: String, animalId: String) {
    switch self {
    case .addAnimal: ("addAnimal", "")
    case .updateAnimal(let animalId, _, _, _): ("updateAnimal", animalId)
    case .deleteAnimal(let animalId): ("deleteAnimal", animalId)
    case .reloadSampleData: ("reloadSampleData", "")
    }
  }
}

extension RequestError {
  /// Converts an error of a store; `nil` unless the request caused it.
  fileprivate init?(
    _ error: LocalStore.Error, by mutation: RemoteRequest.Mutation, at index: Int
  ) {
    let (name, animalId) = mutation.description
    let path = "/mutation/\(index)/\(name)"
    let message = "\(path): \(error.message); the request had no effect"
    switch error.code {
    case .notFound:
      self.init(
        code: .animalNotFound, message: message,
        details: [
          ("animalId", .string(animalId)), ("index", .integer(Int64(index))),
          ("mutation", .string(name)),
        ])
    case .invalid:
      self.init(code: .invalidRequest, message: message, details: [("path", .string(path))])
    case .io, .corrupt, .closed: return nil
    }
  }
}
