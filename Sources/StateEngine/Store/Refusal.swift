import ImmutableData
import ImmutableJSON
import Threading

/// The error of an outcome that the reducer refused, passed from the reduction to its dispatch.
///
/// A refused outcome still ends its change: the effect has happened, and nothing else would end the
/// change. So the reduction succeeds without reducing the outcome, and the dispatch throws. In a
/// batch, which is atomic, a refused outcome fails the batch instead; its actions have no
/// `Refusal`.
final class Refusal: Sendable {
  private let refused = Mutex<(error: any Error, outcome: Optimism)?>(nil)

  init() {}

  func record(_ error: any Error, of outcome: Optimism) {
    self.refused.withLock { $0 = (error, outcome) }
  }

  /// Throws the recorded error, if there is one.
  func rethrow() throws(EngineError) {
    guard let refused = self.refused.withLock({ $0 }) else { return }
    var error = EngineError(refused.error)
    switch refused.outcome {
    case .fails(let key):
      error.message =
        "the change \(quoted(key)) was rolled back, but the reducer refused its outcome: "
        + error.message
    case .succeeds(let key), .begins(let key):
      error.message =
        "the change \(quoted(key)) stays, but the reducer refused its outcome: \(error.message)"
    }
    throw error
  }
}

/// A reducer was interrupted, which is not a refusal of the action. The dispatch fails and nothing
/// changes, even if the action is an outcome or was only reduced again.
public struct ReducerInterruption: Error {
  /// The error that the dispatch throws.
  public let error: EngineError

  public init(_ error: EngineError) {
    self.error = error
  }
}

extension StoreAction {
  /// Dispatches the action, not as part of a batch.
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
