/// A source of values that are computed from a state.
///
/// The requirement is isolated to the main actor, for the same reason as those of ``Dispatcher``.
public protocol Selector<State>: Sendable {
  /// The state that selectors read.
  associatedtype State: Sendable

  /// Applies `selector` to the current state.
  ///
  /// The selector reads a snapshot: it never waits for a reducer, and does not see actions that are
  /// dispatched while it runs.
  @MainActor func select<T>(_ selector: @Sendable (Self.State) -> T) -> T where T: Sendable
}

extension Selector {
  /// A snapshot of the current state.
  @MainActor public var state: Self.State {
    self.select { $0 }
  }
}
