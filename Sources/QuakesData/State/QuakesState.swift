import HashTreeCollections

/// Earthquakes, with the status of fetching them.
public struct QuakesState: Codable, Hashable, Sendable {
  public struct Quakes: Codable, Hashable, Sendable {
    public var data: TreeDictionary<Quake.ID, Quake>

    /// The progress of fetching; also the failure of a deletion, or of saving what was fetched.
    public var status: Status?

    public init(data: TreeDictionary<Quake.ID, Quake> = [:], status: Status? = nil) {
      self.data = data
      self.status = status
    }
  }

  public var quakes: Quakes

  public init(quakes: Quakes = Quakes()) {
    self.quakes = quakes
  }
}
