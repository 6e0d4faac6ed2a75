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
