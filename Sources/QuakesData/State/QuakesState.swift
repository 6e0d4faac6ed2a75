import HashTreeCollections
import ProductSupport

/// The progress of a fetch, or the failure of a later change.
public typealias Status = ProductSupport.Status

/// Earthquakes, with the status of fetching them.
public struct QuakesState: Codable, Hashable, Sendable {
  public struct Quakes: Codable, Hashable, Sendable {
    public var data: TreeDictionary<Quake.ID, Quake>

    /// The progress of fetching; also the failure of a deletion, or of saving what was fetched.
    public var status: Status?

    /// Not a part of the JSON: a store that is opened with this state has no deletions in flight.
    var deletions = DeletionsInFlight()

    private enum CodingKeys: CodingKey {
      case data, status
    }

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

extension QuakesState.Quakes {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    // Actions name a quake by its key, and the cache by its `quakeId`.
    self.data = try container.decodeRecords(.data, idName: "quakeId")
    self.status = try container.decodeIfPresent(Status.self, forKey: .status)
  }
}
