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
  package func call(_ argument: Argument, in scope: CallScope = .current) -> Bool {
    self.gate.call(in: scope, { self.body?(argument) }, release: self.releaseContext)
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

/// A ``Callback`` that the program can replace and remove.
package final class CallbackSlot<Argument>: Sendable {
  private struct State {
    var current: Callback<Argument>?
    /// Replaced functions that may still be running or have not been released.
    var replaced: [Callback<Argument>] = []
    var isClosed = false
  }

  private let state = Mutex(State())

  package init() {}
}

extension CallbackSlot {
  package var current: Callback<Argument>? {
    self.state.withLock { $0.current }
  }

  /// Replaces the function; `nil` removes it. When this returns, the previous one was released.
  /// Inside a callback this does not wait. After ``close()``, `callback` is released immediately.
  package func use(_ callback: Callback<Argument>?) {
    let (old, isClosed) = self.state.withLock { state in
      defer {
        state.replaced =
          state.replaced.filter { !$0.isReleased } + [state.current].compactMap(\.self)
        state.current = state.isClosed ? nil : callback
      }
      return (state.current, state.isClosed)
    }
    old?.cancel()
    if isClosed { callback?.cancel() }
  }

  /// Removes the function for good, and waits for all that it replaced, except inside a callback.
  package func close() {
    let callbacks = self.state.withLock { state in
      defer { (state.current, state.replaced) = (nil, []) }
      state.isClosed = true
      return state.replaced + [state.current].compactMap(\.self)
    }
    for callback in callbacks {
      callback.cancel()
    }
  }

  /// Calls the current function. Calls must be neither concurrent nor recursive.
  ///
  /// - Returns: Whether there was a function.
  package func call(_ argument: Argument) -> Bool {
    // The function may be replaced before it is called.
    while let callback = self.current {
      if callback.call(argument) { return true }
    }
    return false
  }
}
