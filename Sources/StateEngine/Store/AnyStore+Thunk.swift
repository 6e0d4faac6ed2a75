extension AnyStore {
  /// Runs a function that may dispatch, select and have side effects. Its error is rethrown.
  public func dispatch<Failure>(thunk: (AnyStore) throws(Failure) -> Void) throws(Failure) {
    try thunk(self)
  }

  /// Runs an asynchronous function that may dispatch, select and have side effects. Its error is
  /// rethrown.
  public func dispatch<Failure>(
    thunk: (AnyStore) async throws(Failure) -> Void
  ) async throws(Failure) {
    try await thunk(self)
  }
}
