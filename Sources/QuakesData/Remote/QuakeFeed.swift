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
