extension AnyStore {
  /// Runs a unit of work that may dispatch, select and have side effects. Its error comes out as it
  /// is.
  public func dispatch<Failure>(thunk: (AnyStore) throws(Failure) -> Void) throws(Failure) {
    try thunk(self)
  }

  /// Runs an asynchronous unit of work that may dispatch, select and have side effects. Its error
  /// comes out as it is.
  public func dispatch<Failure>(
    thunk: (AnyStore) async throws(Failure) -> Void
  ) async throws(Failure) {
    try await thunk(self)
  }
}
