import ImmutableJSON

/// The reason for the failure of a request, or of an effect that the program performs.
public enum ProgramTaskError: Error, Hashable {
  /// The program has not set a function that performs requests.
  case noFetch
  /// The program has not set a function for the effect with this name.
  ///
  /// - Parameter known: The names for which the program has set functions.
  case noFunction(String, known: [String])
  /// The program could not perform the task, for this reason.
  case rejected(String)
  /// The result of the effect `name` does not have the expected type.
  case invalidResult(name: String, reason: String)
  case timedOut(milliseconds: Int32)
  /// A limit was exceeded, as this message says.
  case limit(String)
  case closed
}

extension ProgramTaskError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noFetch: "the program has not set a function that performs HTTP requests"
    case .noFunction(let name, let known):
      "the program has not set a function for the effect \(quoted(name))"
        + (similarNameSuggestion(name, known) ?? "")
    case .rejected(let reason): reason
    case .invalidResult(let name, let reason): "the effect \(quoted(name)): \(reason)"
    case .timedOut(let milliseconds): "there was no response within \(milliseconds) ms"
    case .limit(let message): message
    case .closed: "the store was closed"
    }
  }

  /// The code of a failed effect.
  package var code: EngineError.Code {
    switch self {
    case .noFetch, .noFunction: .notFound
    case .rejected, .invalidResult: .io
    case .timedOut: .timeout
    case .limit: .limit
    case .closed: .closed
    }
  }
}
