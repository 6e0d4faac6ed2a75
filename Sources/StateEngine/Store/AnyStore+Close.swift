import Synchronization
import Threading

extension AnyStore {
  /// Ends all observations, streams and effects.
  ///
  /// When this returns, no observer, rule or function of an effect runs or will run. Effects of the
  /// program that are in flight have ended. Inside a callback, this does not wait for calls in
  /// progress. Threads that wait in a stream continue. Effects that have not begun are dropped; to
  /// wait for them, call ``settle(milliseconds:)`` first. The state can still be read.
  ///
  /// In a reducer of this store this is an error: the dispatch fails, and the store stays open.
  public func close() {
    guard self.implementation.forbid(.use, in: .current) == nil else { return }
    self.isClosed.store(true, ordering: .releasing)
    self.observations.close()
    self.implementation.finishStreams()
    self.implementation.effects?.end()
    self.fetcher.close()
    self.effectFunctions.close()
    self.effectFailures.handler.close()
    // A running effect does not block this for long: its requests were cancelled.
    self.implementation.effects?.join()
  }
}
