/// Part of a state which an output depends on: only when it changed is the output selected again.
public struct DependencySelector<State, Dependency>: Sendable {
  let select: @Sendable (State) -> Dependency
  let didChange: @Sendable (_ old: Dependency, _ new: Dependency) -> Bool

  /// - Parameters:
  ///   - select: Reads the dependency.
  ///   - didChange: Whether two of them, the one read last and the new one, differ.
  public init(
    select: @escaping @Sendable (State) -> Dependency,
    didChange: @escaping @Sendable (Dependency, Dependency) -> Bool
  ) {
    self.select = select
    self.didChange = didChange
  }
}

extension DependencySelector where Dependency: Equatable & SendableMetatype {
  /// A dependency that changed when it is not equal to the one before.
  public init(select: @escaping @Sendable (State) -> Dependency) {
    self.init(select: select) { $0 != $1 }
  }
}
