import Threading

extension Store {
  /// Throws if the calling thread is inside this store's reducer. A dispatch throws inside the
  /// reducer of any store.
  ///
  /// `select` and `makeStream` cannot throw. A higher layer, whose functions can, calls this first,
  /// so that the forbidden call itself fails.
  package func refuseReentrancy(_ operation: ReentrancyError.Operation) throws(ReentrancyError) {
    if let violation = self.recordViolation(operation) {
      throw violation
    }
  }

  /// Records an operation that the reducer on this thread must not perform; its dispatch then
  /// fails.
  ///
  /// - Returns: The violation; `nil` if the operation is allowed.
  @discardableResult
  func recordViolation(_ operation: ReentrancyError.Operation) -> ReentrancyError? {
    // Two stores whose reducers dispatch to each other would deadlock.
    let isViolation = operation == .dispatch ? CallScope.isReducing : CallScope.isReducing(self)
    guard isViolation else { return nil }
    let violation = ReentrancyError(operation: operation)
    CallScope.recordViolation(violation)
    return violation
  }
}
