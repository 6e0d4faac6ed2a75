import ImmutableData
import ImmutableJSON
import Threading

/// Carries the error of an outcome that the reducer refused from the reduction to its dispatch.
///
/// An outcome ends its change even so: what happened outside the store has happened, and nothing would
/// end that change otherwise. So the reduction succeeds without the outcome's own part, and the
/// dispatch throws. In a batch, which is all or nothing, a refused outcome fails the batch instead;
/// its actions have no `Refusal`.
final class Refusal: Sendable {
  private let refused = Mutex<(error: any Error, outcome: Optimism)?>(nil)

  init() {}

  func record(_ error: any Error, of outcome: Optimism) {
    self.refused.withLock { $0 = (error, outcome) }
  }

  /// Throws what was recorded.
  func rethrow() throws(EngineError) {
    guard let refused = self.refused.withLock({ $0 }) else { return }
    var error = EngineError(refused.error)
    switch refused.outcome {
    case .fails(let key):
      error.message =
        "the change \(quoted(key)) was taken out, but the reducer refused its outcome: "
        + error.message
    case .succeeds(let key), .begins(let key):
      error.message =
        "the change \(quoted(key)) stays, but the reducer refused its outcome: \(error.message)"
    }
    throw error
  }
}

/// A reducer was interrupted before it had decided: this is no refusal. Its dispatch fails and nothing
/// changes, also if the action is an outcome or is only reduced again.
public struct ReducerInterruption: Error {
  /// What the dispatch throws.
  public let error: EngineError

  public init(_ error: EngineError) {
    self.error = error
  }
}

extension StoreAction {
  /// Dispatches the action alone.
  func dispatch<State>(
    to store: Store<Timeline<State, Self>, Self>, isOptimistic: Bool
  ) throws {
    guard isOptimistic else { return try store.dispatch(action: self) }
    let refusal = Refusal()
    var action = self
    action.refusal = refusal
    try store.dispatch(action: action)
    try refusal.rethrow()
  }
}
