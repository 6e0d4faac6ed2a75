import ImmutableJSON

/// The reason for the failure of an effect of the program.
public enum HostEffectError: Error, Hashable {
  /// The program has not set a function for the effect with this name.
  ///
  /// - Parameter known: The names for which the program has set functions.
  case noFunction(String, known: [String])
  /// The program could not perform the effect, for this reason.
  case rejected(String)
  /// The result of the effect `name` does not have the expected type.
  case invalidResult(name: String, reason: String)
  /// More than `limit` effects of a store would be in flight.
  case tooMany(limit: Int)
  case closed
}

extension HostEffectError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noFunction(let name, let known):
      "the program has not set a function for the effect \(quoted(name))"
        + (similarNameSuggestion(name, known) ?? "")
    case .rejected(let reason): reason
    case .invalidResult(let name, let reason): "the effect \(quoted(name)): \(reason)"
    case .tooMany(let limit):
      "\(counted(limit, "effect")) are in flight, which is the limit; wait until some have ended"
    case .closed: "the store was closed"
    }
  }
}

/// An error that the completion of an effect of the program threw, with the name of the effect.
struct HostEffectCompletionError: Error {
  let name: String
  let underlying: any Error
}

extension HostEffectCompletionError {
  /// The error with the name of the effect in its message.
  func named(_ error: EngineError) -> EngineError {
    switch self.underlying {
    // Their messages have it already.
    case HostEffectError.noFunction, HostEffectError.invalidResult: return error
    default: break
    }
    var named = error
    let reason = error.message.isEmpty ? "it was rejected without a reason" : error.message
    named.message = "the effect \(quoted(self.name)): \(reason)"
    return named
  }
}
