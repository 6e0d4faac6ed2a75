/// A reducer throws this to fail the dispatch without rejecting the action, because it was
/// interrupted. Nothing changes: an outcome ends no optimistic update, and undoing an update, which
/// reduces later actions again, drops none of them.
public struct ReducerInterruption: Error {
  /// The error that the dispatch throws.
  public let error: EngineError

  public init(_ error: EngineError) {
    self.error = error
  }
}
