import ImmutableJSON

/// What a feed sent.
public struct QuakeFeed: Hashable, Sendable {
  /// Features that are not valid quakes.
  public struct Skipped: Hashable, Sendable {
    public let count: Int

    /// What is wrong with the first one.
    public let error: String

    public init(count: Int, error: String) {
      self.count = count
      self.error = error
    }
  }

  public var quakes: [Quake]
  public var skipped: Skipped?

  public init(quakes: [Quake], skipped: Skipped? = nil) {
    self.quakes = quakes
    self.skipped = skipped
  }
}

extension QuakeFeed {
  /// Reads a feature collection (RFC 7946). Ignores members that quakes do not need. O(n).
  ///
  /// A feature that is not a quake is skipped, because the others are valid without it. If all are
  /// skipped, this is not a feed of quakes, and the error is that of the first.
  init(geoJSON value: Value) throws(GeoJSONError) {
    let features = try GeoJSONObject(value, at: "body").array("features")
    var quakes: [Quake] = []
    quakes.reserveCapacity(features.count)
    var first: GeoJSONError?
    for (index, feature) in features.enumerated() {
      do {
        quakes.append(try Quake(feature: GeoJSONObject(feature)))
      } catch {
        first = first ?? error.inside("body/features/\(index)")
      }
    }
    self.init(quakes: quakes)
    guard let first else { return }
    guard !quakes.isEmpty else { throw first }
    self.skipped = Skipped(count: features.count - quakes.count, error: first.description)
  }
}

extension Quake {
  fileprivate init(feature: GeoJSONObject) throws(GeoJSONError) {
    let properties = try feature.object("properties")
    let position = try feature.object("geometry").position("coordinates")
    self.init(
      quakeId: try feature.text("id"),
      // The feed has no magnitude for some quakes. The reducer removes a quake of magnitude 0.
      magnitude: properties.has("mag") ? try properties.number("mag") : 0,
      time: try properties.time("time"), updated: try properties.time("updated"),
      // A quake without a place is valid.
      name: properties.has("place") ? try properties.text("place") : "",
      longitude: position.longitude, latitude: position.latitude)
  }
}
