/// Selects the output of an observer.
public struct OutputSelector<State, Output>: Sendable {
  let select: @Sendable (State) -> Output
  let didChange: @Sendable (_ old: Output, _ new: Output) -> Bool

  /// - Parameters:
  ///   - select: Reads the output.
  ///   - didChange: Whether a new output differs from the last published one and must be published.
  public init(
    select: @escaping @Sendable (State) -> Output,
    didChange: @escaping @Sendable (Output, Output) -> Bool
  ) {
    self.select = select
    self.didChange = didChange
  }
}

extension OutputSelector where Output: Equatable & SendableMetatype {
  /// An output that has changed if it is not equal to the last published one.
  public init(select: @escaping @Sendable (State) -> Output) {
    self.init(select: select) { $0 != $1 }
  }
}
