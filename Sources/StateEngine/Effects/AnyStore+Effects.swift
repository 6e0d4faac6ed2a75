import Threading

extension AnyStore {
  /// Sets the function that performs the HTTP requests of effects. It replaces the previous one.
  ///
  /// - Parameters:
  ///   - release: Called once, when the function will not be called again. Not called if this
  ///     throws.
  ///   - fetch: Called on a thread of the engine, with one request at a time. It starts the request
  ///     and returns; any thread may answer.
  public func setFetch(
    release: @escaping @Sendable () -> Void = {}, _ fetch: @escaping @Sendable (FetchTask) -> Void
  ) throws(EngineError) {
    try self.enter(.use)
    self.fetcher.use(Callback(fetch, release: release))
  }

  /// Removes the function that performs requests.
  public func removeFetch() throws(EngineError) {
    try self.enter(.use)
    self.fetcher.use(nil)
  }

  /// Waits until no effect is in flight: the effects of all dispatched actions have run, and the
  /// actions that they dispatched have been reduced. An effect that the program performs is in
  /// flight until the program ends it.
  ///
  /// - Parameter milliseconds: The timeout; a negative number for none.
  /// - Throws: ``EngineError``: `timeout`; `closed`; `reentrant` inside a callback or an effect,
  ///   which could wait for itself.
  public func settle(milliseconds: Int32 = -1) throws(EngineError) {
    try self.enter(.use)
    try EffectQueue.refuseWaitInsideCallback()
    try self.effects?.queue.settle(milliseconds: milliseconds)
  }

  /// Copies the store's database to a new file, which appears when it is complete. The copy is one
  /// file, and needs no journal or log.
  ///
  /// Dispatches continue meanwhile. The copy has the changes that had been committed when it began.
  /// Changes of effects in flight may be missing; ``settle(milliseconds:)`` waits for them.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` if the store has no database, or if there is a
  ///   file already; `io`, `corrupt`, `closed`; `reentrant` in a reducer of the store.
  public func backup(to path: String) throws(EngineError) {
    try self.enter(.use)
    guard let effects else { throw .noDatabase }
    try effects.backup(to: path)
  }
}
