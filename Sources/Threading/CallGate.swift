import Synchronization

/// Counts the calls of a function that can be cancelled, so that its context is released once, when
/// the function neither runs nor will run.
///
/// A call takes two atomic instructions and no lock, besides what the function itself does.
package struct CallGate: ~Copyable, Sendable {
  /// The number of calls in progress, times ``oneCall``, plus the bits below.
  private let state = Atomic<UInt>(0)

  /// Whether the context was released.
  private let released = Mutex(false)
  private let hasReleased = Condition()

  private static var cancelled: UInt { 1 }
  /// A thread is releasing the context, or has done so.
  private static var taken: UInt { 2 }
  private static var oneCall: UInt { 4 }

  package init() {}
}

extension CallGate {
  package var isCancelled: Bool {
    self.state.load(ordering: .acquiring) & Self.cancelled != 0
  }

  /// Whether a call is in progress.
  package var isRunning: Bool {
    self.state.load(ordering: .relaxed) >= Self.oneCall
  }

  /// Whether the function was cancelled, no longer runs, and its context was released.
  package var isReleased: Bool {
    self.released.withLock { $0 }
  }

  /// Whether the owner must release the context before it is destroyed.
  package var ownsContext: Bool {
    self.state.load(ordering: .acquiring) & Self.taken == 0
  }

  /// Calls `body`, unless the function was cancelled. Calls may be concurrent or recursive.
  ///
  /// - Parameter release: Releases the context. Called if the function was cancelled meanwhile, and
  ///   no other call is in progress.
  /// - Returns: Whether `body` was called.
  package func call(
    in scope: CallScope, _ body: () -> Void, release: () -> Void
  ) -> Bool {
    guard self.begin() else { return false }
    scope.callback(body)
    self.state.subtract(Self.oneCall, ordering: .acquiringAndReleasing)
    if self.takeContext() { self.release(release) }
    return true
  }

  /// Prevents further calls, and waits for those in progress except inside a callback.
  ///
  /// - Parameter release: Releases the context. If a call is in progress, the last one to finish
  ///   calls it.
  package func cancel(release: () -> Void) {
    self.state.bitwiseOr(Self.cancelled, ordering: .acquiringAndReleasing)
    if self.takeContext() { self.release(release) }
    guard !CallScope.isInsideCallback else { return }
    self.released.wait(for: self.hasReleased) { $0 }
  }

  /// Begins a call, unless the function was cancelled.
  private func begin() -> Bool {
    var state = self.state.load(ordering: .relaxed)
    while state & Self.cancelled == 0 {
      let (isExchanged, current) = self.state.weakCompareExchange(
        expected: state, desired: state + Self.oneCall, ordering: .acquiringAndReleasing)
      if isExchanged { return true }
      state = current
    }
    return false
  }

  /// Whether this thread must release the context, because the function was cancelled and does not
  /// run. `true` for one thread.
  private func takeContext() -> Bool {
    guard self.state.load(ordering: .relaxed) == Self.cancelled else { return false }
    return self.state.compareExchange(
      expected: Self.cancelled, desired: Self.cancelled | Self.taken,
      ordering: .acquiringAndReleasing
    ).exchanged
  }

  private func release(_ release: () -> Void) {
    CallScope.callback(release)
    self.released.withLock { $0 = true }
    self.hasReleased.broadcast()
  }
}
