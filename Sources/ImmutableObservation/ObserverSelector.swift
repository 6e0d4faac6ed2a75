/// Selects a part of the state: a dependency of an observer, or its output.
public struct ObserverSelector<State, Value>: Sendable {
  let select: @Sendable (State) -> Value
  let didChange: @Sendable (_ old: Value, _ new: Value) -> Bool

  /// - Parameters:
  ///   - select: Reads the part.
  ///   - didChange: Whether a new value differs from the old one: of a dependency, from the
  ///     previous one; of an output, from the last published one. The observer does nothing
  ///     for a value that does not differ.
  public init(
    select: @escaping @Sendable (State) -> Value,
    didChange: @escaping @Sendable (Value, Value) -> Bool
  ) {
    self.select = select
    self.didChange = didChange
  }
}

extension ObserverSelector where Value: Equatable & SendableMetatype {
  /// A part that has changed if it is not equal to the old one.
  public init(select: @escaping @Sendable (State) -> Value) {
    self.init(select: select) { $0 != $1 }
  }
}
