/// Something that slices of a state are read from.
public protocol Selector<State>: Sendable {
  /// What is read from.
  associatedtype State: Sendable

  /// Applies `selector` to the current state.
  ///
  /// The selector works on a snapshot: it never waits for a reducer, and an action that is
  /// dispatched meanwhile does not show in it.
  func select<T>(_ selector: @Sendable (Self.State) -> T) -> T where T: Sendable
}

extension Selector {
  /// The current state, as a snapshot.
  public var state: Self.State {
    self.select { $0 }
  }
}
