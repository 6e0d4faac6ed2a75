import StateEngine

extension EffectContext {
  /// Dispatches the result of `body`; if it throws, dispatches the failure and throws the error.
  ///
  /// If dispatching the result fails, dispatches that failure, so that every operation ends.
  ///
  /// - Parameter describe: Makes the text of the failure.
  package func dispatch(
    describe: (any Error) -> String, _ body: () throws -> Action, failure: (String) -> Action
  ) throws {
    do {
      try self.dispatch(body())
    } catch {
      try self.dispatch(failure(describe(error)))
      throw error.asEffectError
    }
  }
}

extension Error {
  /// Errors of storage and of servers as an ``EngineError``; others unchanged.
  package var asEffectError: any Error {
    switch self {
    case let error as StorageError: EngineError(error)
    case let error as RemoteError: EngineError(error.code, "\(error)")
    default: self
    }
  }
}

extension RemoteError {
  fileprivate var code: EngineError.Code {
    if case .noResponse(let error) = self.kind { error.code } else { .io }
  }
}
