import HashTreeCollections
import ProductSupport

/// The progress of a fetch or a change.
public typealias Status = ProductSupport.Status

/// Categories and animals, with the status of fetches and changes and of the connection to the
/// server.
public struct AnimalsState: Codable, Hashable, Sendable {
  public struct Categories: Codable, Hashable, Sendable {
    public var data: TreeDictionary<Category.ID, Category>
    public var status: Status?

    public init(data: TreeDictionary<Category.ID, Category> = [:], status: Status? = nil) {
      self.data = data
      self.status = status
    }
  }

  public struct Animals: Codable, Hashable, Sendable {
    public var data: TreeDictionary<Animal.ID, Animal>
    public var status: Status?

    /// The status of the last change of each animal, by its id; for an animal being added, by the
    /// temporary id that its editor made.
    public var queue: TreeDictionary<Animal.ID, Status>

    public init(
      data: TreeDictionary<Animal.ID, Animal> = [:], status: Status? = nil,
      queue: TreeDictionary<Animal.ID, Status> = [:]
    ) {
      self.data = data
      self.status = status
      self.queue = queue
    }
  }

  public var categories: Categories
  public var animals: Animals

  /// `nil` without a server, or without a function that performs requests.
  public var connection: Connection?

  public init(
    categories: Categories = Categories(), animals: Animals = Animals(),
    connection: Connection? = nil
  ) {
    self.categories = categories
    self.animals = animals
    self.connection = connection
  }
}

// Two ids that Swift considers equal, such as canonically equivalent ones, are an error.

extension AnimalsState.Categories {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.data = try container.decodeDictionary(forKey: .data)
    self.status = try container.decodeIfPresent(Status.self, forKey: .status)
  }
}

extension AnimalsState.Animals {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.data = try container.decodeDictionary(forKey: .data)
    self.status = try container.decodeIfPresent(Status.self, forKey: .status)
    self.queue = try container.decodeDictionary(forKey: .queue)
  }
}
