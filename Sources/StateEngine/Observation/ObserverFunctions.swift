import ImmutableJSON
import Threading

/// The functions of an observer.
struct ObserverFunctions: Sendable {
  typealias Comparison = @Sendable (_ delivered: Value, _ output: Value) -> Bool
  typealias Filter = @Sendable (_ oldState: Value, _ action: Value) -> Bool

  let observer: @Sendable (Delivery) -> Void
  let didChange: Comparison?
  let filter: Filter?
}

extension Callback<ObserverCall> {
  /// Asks the comparison or the filter; the answer is `true` after a cancel.
  func decide(_ question: ObserverCall.Decision.Question) -> Bool {
    let decision = ObserverCall.Decision(question)
    self.call(.decide(decision))
    return decision.answer
  }
}

extension ObserverFunctions {
  /// Performs a call. Comparison and filter are called by the notifying thread, one at a time; the
  /// observer may run on another thread meanwhile, if it is queued.
  func perform(_ call: ObserverCall) {
    switch call {
    case .deliver(let delivery): self.observer(delivery)
    case .decide(let decision): self.answer(decision)
    }
  }

  private func answer(_ decision: ObserverCall.Decision) {
    switch decision.question {
    case .hasChanged(let delivered, let output):
      guard let didChange else { return }
      let answer = try? CallScope.pureFunction(.comparison) { didChange(delivered, output) }
      decision.answer = answer ?? true
    case .passes(let oldState, let action):
      guard let filter else { return }
      let answer = try? CallScope.pureFunction(.filter) { filter(oldState, action) }
      decision.answer = answer ?? true
    }
  }
}
