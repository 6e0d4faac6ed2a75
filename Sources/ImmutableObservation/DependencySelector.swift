/// Selects a part of the state. The output is selected again only when one of these parts changes.
public struct DependencySelector<State, Dependency>: Sendable {
  let select: @Sendable (State) -> Dependency
  let didChange: @Sendable (_ old: Dependency, _ new: Dependency) -> Bool

  /// - Parameters:
  ///   - select: Reads the dependency.
  ///   - didChange: Whether the previous and the new dependency differ.
  public init(
    select: @escaping @Sendable (State) -> Dependency,
    didChange: @escaping @Sendable (Dependency, Dependency) -> Bool
  ) {
    self.select = select
    self.didChange = didChange
  }
}

extension DependencySelector where Dependency: Equatable & SendableMetatype {
  /// A dependency that has changed if it is not equal to the previous one.
  public init(select: @escaping @Sendable (State) -> Dependency) {
    self.init(select: select) { $0 != $1 }
  }
}
