/// What an observer shows of a state.
public struct OutputSelector<State, Output>: Sendable {
  let select: @Sendable (State) -> Output
  let didChange: @Sendable (_ old: Output, _ new: Output) -> Bool

  /// - Parameters:
  ///   - select: Reads the output.
  ///   - didChange: Whether a new output differs from the one that was published last, so that it is
  ///     to be published.
  public init(
    select: @escaping @Sendable (State) -> Output,
    didChange: @escaping @Sendable (Output, Output) -> Bool
  ) {
    self.select = select
    self.didChange = didChange
  }
}

extension OutputSelector where Output: Equatable & SendableMetatype {
  /// An output that changed when it is not equal to the one that was published last.
  public init(select: @escaping @Sendable (State) -> Output) {
    self.init(select: select) { $0 != $1 }
  }
}
