import ImmutableJSON
import Threading

extension AnyStore {
  /// Has a function make the requests that effects want, in place of another.
  ///
  /// - Parameters:
  ///   - release: Called once, when the function will not be called any more.
  ///   - fetch: Called on a thread of the engine, with one request at a time. It hands the request to
  ///     whatever makes it and returns; the answer may come from any thread.
  public func setFetch(
    release: @escaping @Sendable () -> Void = {}, _ fetch: @escaping @Sendable (FetchCall) -> Void
  ) throws(EngineError) {
    try self.refuseReentrancy(.use)
    self.fetcher.use(Callback(fetch, release: release))
  }

  /// Has no function make requests any more.
  public func removeFetch() throws(EngineError) {
    try self.refuseReentrancy(.use)
    self.fetcher.use(nil)
  }

  /// Waits until no effect is in flight: those of all actions that were dispatched have run, and
  /// what they dispatched has been reduced.
  ///
  /// - Parameter milliseconds: How long at most; below 0, as long as it takes.
  /// - Throws: ``EngineError``: `timeout`; `reentrant` inside a callback or an effect, which may be
  ///   what would be waited for.
  public func settle(milliseconds: Int32 = -1) throws(EngineError) {
    try self.refuseReentrancy(.use)
    guard !CallScope.isInsideCallback else {
      throw EngineError(
        .reentrant, "a callback cannot wait until no effect is in flight; wait outside of callbacks"
      )
    }
    guard let queue = self.implementation.effects?.queue else { return }
    guard !queue.isCurrent else {
      throw EngineError(
        .reentrant, "an effect cannot wait until no effect is in flight; wait on another thread")
    }
    let deadline = milliseconds < 0 ? nil : Deadline(milliseconds: milliseconds)
    guard queue.settle(until: deadline) else {
      throw EngineError(.timeout, "an effect is still in flight after \(milliseconds) ms")
    }
  }
}
