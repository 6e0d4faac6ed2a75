/// A reducer was interrupted, and has not rejected the action. The dispatch fails and nothing
/// changes, even if the action is an outcome, or an earlier action that is being reduced again.
public struct ReducerInterruption: Error {
  /// The error that the dispatch throws.
  public let error: EngineError

  public init(_ error: EngineError) {
    self.error = error
  }
}
