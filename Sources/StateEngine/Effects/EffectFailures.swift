import ImmutableJSON
import Threading

/// The failures of the effects of one store, and the program's function that is called for each.
final class EffectFailures: Sendable {
  private let total = Mutex(0)

  /// Called with the error of each failed effect, on the thread of the effects.
  let handler = CallbackSlot<EngineError>()

  var count: Int {
    self.total.withLock { $0 }
  }

  /// Counts an error of an effect, and calls the handler on a queue, for one error at a time.
  func add(_ error: any Error, notifyingOn queue: EffectQueue) {
    self.total.withLock { $0 += 1 }
    guard self.handler.current != nil else { return }
    let error = EngineError(ofEffect: error)
    queue.expect()
    queue.appendExpected { [handler] in _ = handler.call(error) }
  }
}

/// An error that an effect threw, with the action that caused the effect.
struct EffectError: Error {
  /// The type of the action; `nil` for an effect without an action.
  let cause: String?
  let underlying: any Error
}

extension EffectError {
  /// The error with its cause in its message.
  fileprivate func located(_ error: EngineError) -> EngineError {
    // Its message names the effect of the program.
    guard !(self.underlying is CompletionError) else { return error }
    var located = error
    let effect = self.cause.map { "after \(quoted($0))" } ?? "that no action caused"
    let reason = error.message.isEmpty ? "it gave no reason" : error.message
    located.message = "an effect \(effect): \(reason)"
    return located
  }
}

extension EngineError {
  /// Converts the error of an effect.
  fileprivate init(ofEffect error: any Error) {
    switch error {
    case let error as EffectError:
      self = error.located(Self(ofEffect: error.underlying))
    case let error as CompletionError:
      self = error.named(Self(ofEffect: error.underlying))
    case let error as ProgramTaskError: self.init(error.code, error.description)
    // The error of a dispatch. Any other error counts as one of a reducer.
    default: self.init(error)
    }
  }
}
