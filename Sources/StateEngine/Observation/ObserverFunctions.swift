import ImmutableJSON
import Threading

/// The functions of an observer.
struct ObserverFunctions: Sendable {
  typealias Comparison = @Sendable (_ delivered: Value, _ output: Value) -> Bool
  typealias Filter = @Sendable (_ action: Value, _ oldState: Value, _ newState: Value) -> Bool

  let observer: @Sendable (Delivery) -> Void
  let didChange: Comparison?
  let filter: Filter?
}
