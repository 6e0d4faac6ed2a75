import HashTreeCollections

/// Categories and their animals, with how far the fetching of each and the changing of each animal
/// is, and with the connection to the server.
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

    /// The status of what is done to an animal, by its id; of one that is being added, by the id
    /// that its editor made up.
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

  /// `nil` if there is no server, or if no function makes requests to it.
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
