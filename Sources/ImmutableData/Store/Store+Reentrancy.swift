import Threading

extension Store {
  /// Whether the calling thread is inside this store's reducer.
  package var isReducing: Bool {
    CallScope.isReducing(self)
  }

  /// Throws if the calling thread is inside this store's reducer; for a dispatch, inside that of
  /// any store.
  ///
  /// `select` and `makeStream` cannot throw. A layer whose functions can throw calls this first, so
  /// that the error appears where the reducer made its mistake.
  package func refuseReentrancy(_ operation: ReentrancyError.Operation) throws(ReentrancyError) {
    if let violation = self.recordViolation(operation) {
      throw violation
    }
  }

  /// Records an operation that the reducer on this thread must not perform; its dispatch then
  /// fails.
  ///
  /// - Returns: The violation, if it is one.
  @discardableResult
  func recordViolation(_ operation: ReentrancyError.Operation) -> ReentrancyError? {
    // Two stores whose reducers dispatched to each other would deadlock.
    let isViolation = operation == .dispatch ? CallScope.isReducing : CallScope.isReducing(self)
    guard isViolation else { return nil }
    let violation = ReentrancyError(operation: operation)
    CallScope.recordViolation(violation)
    return violation
  }
}
