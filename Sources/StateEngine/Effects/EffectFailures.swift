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

/// An error that an effect threw, with what the effect belongs to.
struct EffectError: Error {
  enum Source {
    /// The effect of an action of this type; `nil` for an effect without an action.
    case action(String?)
    /// What follows the end of an effect of the program with this name.
    case completion(of: String)
  }

  let source: Source
  let underlying: any Error
}

extension EffectError {
  /// The error with its source in its message.
  fileprivate func located(_ error: EngineError) -> EngineError {
    let (effect, missingReason): (String, String)
    switch (self.source, self.underlying) {
    // Their messages name the effect already.
    case (.completion, ProgramTaskError.noFunction), (.completion, ProgramTaskError.invalidResult):
      return error
    case (.completion(let name), _):
      (effect, missingReason) = ("the effect \(quoted(name))", "it was rejected without a reason")
    case (.action(let type?), _):
      (effect, missingReason) = ("an effect after \(quoted(type))", "it gave no reason")
    case (.action(nil), _):
      (effect, missingReason) = ("an effect that no action caused", "it gave no reason")
    }
    var located = error
    located.message = "\(effect): \(error.message.isEmpty ? missingReason : error.message)"
    return located
  }
}

extension EngineError {
  /// Converts the error of an effect.
  fileprivate init(ofEffect error: any Error) {
    switch error {
    case let error as EffectError:
      self = error.located(Self(ofEffect: error.underlying))
    case let error as ProgramTaskError: self.init(error.code, error.description)
    // The error of a dispatch. Any other error counts as one of a reducer.
    default: self.init(error)
    }
  }
}
