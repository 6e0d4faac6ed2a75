/// A function from the program or a domain, which can be called until it is cancelled.
///
/// When ``cancel()`` returns, the function neither runs nor will run, and its context was released.
/// Inside any callback, `cancel()` does not wait: a call in progress, on another thread or further
/// up the stack, continues, and the release follows it.
package final class Callback<Argument>: Sendable {
  private let gate = CallGate()

  // `nil` once the context is released, which the gate lets one thread do after the last call.
  private nonisolated(unsafe) var body: (@Sendable (Argument) -> Void)?
  private nonisolated(unsafe) var release: (@Sendable () -> Void)?

  /// - Parameter release: Called once, when the body will not run again.
  package init(
    _ body: @escaping @Sendable (Argument) -> Void,
    release: @escaping @Sendable () -> Void = {}
  ) {
    self.body = body
    self.release = release
  }

  deinit {
    guard self.gate.ownsContext else { return }
    CallScope.callback(self.releaseContext)
  }
}

extension Callback {
  package var isCancelled: Bool {
    self.gate.isCancelled
  }

  /// Whether it was cancelled, no longer runs, and its context was released.
  package var isReleased: Bool {
    self.gate.isReleased
  }

  /// Calls the function, unless it was cancelled. Calls may be concurrent or recursive if the
  /// function allows it.
  ///
  /// - Returns: Whether it ran.
  @discardableResult
  package func call(_ argument: Argument) -> Bool {
    self.gate.call({ self.body?(argument) }, release: self.releaseContext)
  }

  /// Prevents further calls, and waits for the one in progress except inside a callback.
  package func cancel() {
    self.gate.cancel(release: self.releaseContext)
  }

  private func releaseContext() {
    self.body = nil
    self.release.take()?()
  }
}
