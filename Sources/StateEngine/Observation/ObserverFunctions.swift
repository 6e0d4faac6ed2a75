import ImmutableJSON
import Threading

/// The functions of an observer.
struct ObserverFunctions: Sendable {
  typealias Comparison = @Sendable (_ delivered: Value, _ output: Value) -> Bool
  typealias Filter = @Sendable (_ oldState: Value, _ action: Value) -> Bool

  let observer: @Sendable (Delivery) -> Void
  let didChange: Comparison?
  let filter: Filter?
}
