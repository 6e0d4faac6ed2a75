import ImmutableJSON

/// A call of one of the functions of an observer.
enum ObserverCall: Sendable {
  case deliver(Delivery)
  case decide(Decision)
}

extension ObserverCall {
  /// A question to the comparison or the filter of an observer. Written and read on one thread.
  final class Decision: @unchecked Sendable {
    enum Question: Sendable {
      case hasChanged(delivered: Value, output: Value)
      case passes(oldState: Value, action: Value)
    }

    let question: Question

    /// `true` unless the function says otherwise, so that a function that fails drops no output.
    var answer = true

    init(_ question: Question) {
      self.question = question
    }
  }
}
