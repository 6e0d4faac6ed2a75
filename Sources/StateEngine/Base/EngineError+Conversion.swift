import ImmutableData
import ImmutableJSON
import StateLog

extension EngineError {
  /// Converts an error of a dispatch or select. An error of unknown type came from the reducer.
  init(_ error: any Error) {
    switch error {
    case let error as EngineError: self = error
    case let interruption as ReducerInterruption: self.init(interruption.underlying)
    case let rejection as RejectedOutcome: self.init(rejection)
    case let failure as FailedRollBack: self.init(failure)
    case let error as ReentrancyError: self.init(.reentrant, error.description)
    case let error as ValueLimitError: self.init(error)
    case let error as NoSpace: self.init(.timeout, error.description)
    case let error as CausalDepthError: self.init(.limit, error.description)
    case let refusal as JumpRefusal: self.init(refusal)
    case let limit as GroupLimit: self.init(.limit, limit.description)
    case is NoHistory: self = .noHistory
    case let refusal as LogRefusal:
      self.init(refusal.underlying)
      if refusal.isBehind, self.code == .io {
        self.message += "; until then nothing changes: sync the store first"
      }
    case let failure as LogFailure:
      self.init(failure.underlying)
      if self.code == .io {
        self.message += "; the store has the new state, but the file has not: sync the store, and "
        self.message += "do not dispatch it again"
      }
    case let error as LogError: self.init(error)
    default: self.init(.reducerFailed, "\(error)")
    }
  }

  private init(_ failure: FailedRollBack) {
    self.init(failure.underlying)
    self.message =
      "the change \(quoted(failure.key)) was not rolled back, because a later action cannot be "
      + "reduced again: \(self.message)"
  }

  private init(_ rejection: RejectedOutcome) {
    self.init(rejection.underlying)
    let end =
      switch rejection.outcome {
      case .fails(let key): "the change \(quoted(key)) was rolled back"
      case .succeeds(let key), .begins(let key): "the change \(quoted(key)) stays"
      }
    self.message = "\(end), but the reducer rejected its outcome: \(self.message)"
  }
}

extension EngineError {
  static var noHistory: EngineError {
    EngineError(
      .invalidArgument, "the store has no history; open it with the option {\"history\":true}")
  }

  init(_ refusal: JumpRefusal) {
    switch refusal {
    case .refused, .inFlight, .otherWriter: self.init(.invalidArgument, refusal.description)
    case .unknownStep: self.init(.notFound, refusal.description)
    }
  }
}
