import ProductSupport

/// A client's request to an animals server: queries, then mutations, each in order.
///
/// ```json
/// {"query":[{"categories":{}}],"mutation":[{"deleteAnimal":{"animalId":"Dog"}}]}
/// ```
public struct RemoteRequest: Codable, Hashable, Sendable {
  public enum Query: Codable, Hashable, Sendable {
    case animals
    case categories
  }

  public enum Mutation: Codable, Hashable, Sendable {
    case addAnimal(name: String, diet: Diet, categoryId: Category.ID)
    case updateAnimal(animalId: Animal.ID, name: String, diet: Diet, categoryId: Category.ID)
    case deleteAnimal(animalId: Animal.ID)
    case reloadSampleData
  }

  public var query: [Query]?
  public var mutation: [Mutation]?

  /// The maximum length of the token that authorizes a request, in bytes.
  public static var maximumTokenLength: Int { RemoteServer.maximumTokenLength }

  public init(query: [Query]? = nil, mutation: [Mutation]? = nil) {
    self.query = query
    self.mutation = mutation
  }
}

/// The response of an animals server: one array for each array of the request, in the same order.
///
/// ```json
/// {"query":[{"categories":{"categories":[{"categoryId":"Bird","name":"Bird"}]}}]}
/// ```
public struct RemoteResponse: Codable, Hashable, Sendable {
  public enum Query: Codable, Hashable, Sendable {
    case animals(animals: [Animal])
    case categories(categories: [Category])
  }

  public enum Mutation: Codable, Hashable, Sendable {
    case addAnimal(animal: Animal)
    case updateAnimal(animal: Animal)
    case deleteAnimal(animal: Animal)
    case reloadSampleData(animals: [Animal], categories: [Category])
  }

  public var query: [Query]?
  public var mutation: [Mutation]?

  public init(query: [Query]? = nil, mutation: [Mutation]? = nil) {
    self.query = query
    self.mutation = mutation
  }
}
