import ImmutableJSON
import Threading

/// One call of an observer.
public struct Delivery: Sendable {
  public enum Content: Hashable, Sendable {
    /// The output of the selector.
    case value(Value)

    /// The difference from the output that was delivered last, as a JSON Patch (RFC 6902).
    case patch(Value)

    /// The error that the selector threw for the state.
    case failure(EngineError)
  }

  public let content: Content

  /// The number of queued outputs between the last delivery and this one that were dropped, because
  /// of `coalesce` or a full queue. 0 if outputs are delivered inline.
  public let skipped: Int

  public init(content: Content, skipped: Int = 0) {
    self.content = content
    self.skipped = skipped
  }
}

/// The functions of an observer.
struct ObserverFunctions: Sendable {
  typealias Comparison = @Sendable (_ delivered: Value, _ output: Value) -> Bool
  typealias DependencyComparison = @Sendable (_ index: Int, _ last: Value, _ output: Value) -> Bool
  typealias Filter = @Sendable (_ action: Value, _ oldState: Value, _ newState: Value) -> Bool

  let observer: @Sendable (Delivery) -> Void
  let didChange: Comparison?
  let filter: Filter?
  let dependencyDidChange: DependencyComparison?
}
