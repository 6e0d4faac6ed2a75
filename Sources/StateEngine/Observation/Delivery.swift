import ImmutableJSON

/// What an observer is told.
public struct Delivery: Sendable {
  public enum Content: Hashable, Sendable {
    /// The output of the selector.
    case value(Value)

    /// What changed from the output that was delivered last, as a JSON Patch (RFC 6902).
    case patch(Value)

    /// The selector has no output for the state, and why.
    case failure(EngineError)
  }

  public let content: Content

  /// How many outputs there were between the last delivery and this one that were not delivered,
  /// as only the latest was wanted, or there was no room for them.
  public let skipped: Int

  public init(content: Content, skipped: Int = 0) {
    self.content = content
    self.skipped = skipped
  }
}
