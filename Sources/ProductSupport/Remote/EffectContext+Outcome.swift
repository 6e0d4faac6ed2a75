import StateEngine

extension EffectContext {
  /// Dispatches the result of `body`; if it throws, dispatches the failure and rethrows the error.
  ///
  /// If dispatching the result fails, dispatches that failure, so that every operation ends.
  package func dispatch(
    _ body: () throws -> Action, failure: (String) -> Action
  ) throws {
    do {
      try self.dispatch(body())
    } catch {
      try self.dispatch(failure("\(error)"))
      throw error
    }
  }
}
