import ImmutableData
import ImmutableJSON
import Threading

/// The error of an outcome that the reducer rejected, passed from the reduction to its dispatch.
///
/// A rejected outcome ends its change: the effect has happened, and nothing else would end the
/// change. So the reduction commits the end of the change without the outcome, and the dispatch
/// throws. A batch is atomic: a rejected outcome fails the whole batch, so the actions of a batch
/// have no `RejectionRecorder`.
final class RejectionRecorder: Sendable {
  private let rejected = Mutex<(error: any Error, outcome: OptimisticUpdate)?>(nil)

  init() {}

  func record(_ error: any Error, of outcome: OptimisticUpdate) {
    self.rejected.withLock { $0 = (error, outcome) }
  }

  /// Throws the recorded error, if any.
  func rethrow() throws(EngineError) {
    guard let rejected = self.rejected.withLock({ $0 }) else { return }
    var error = EngineError(rejected.error)
    switch rejected.outcome {
    case .fails(let key):
      error.message =
        "the change \(quoted(key)) was rolled back, but the reducer rejected its outcome: "
        + error.message
    case .succeeds(let key), .begins(let key):
      error.message =
        "the change \(quoted(key)) stays, but the reducer rejected its outcome: \(error.message)"
    }
    throw error
  }
}

extension StoreAction {
  /// Dispatches the action, not as part of a batch.
  func dispatch<State>(
    to store: Store<Timeline<State, Self>, Self>, isOptimistic: Bool
  ) throws {
    guard isOptimistic else { return try store.dispatch(action: self) }
    let rejection = RejectionRecorder()
    var action = self
    action.rejection = rejection
    try store.dispatch(action: action)
    try rejection.rethrow()
  }
}
