/// A function from the host or a domain, which can be called until it is cancelled.
///
/// When ``cancel()`` returns, the function neither runs nor will run, and its context was released.
/// Inside any callback, `cancel()` does not wait: a call in progress, on another thread or further
/// up the stack, continues, and the release follows it.
package final class Callback<Argument>: Sendable {
  /// `nil` after the callback was cancelled. Guarded by the lock of the state.
  private nonisolated(unsafe) var body: (@Sendable (Argument) -> Void)?

  private let state: Mutex<CallbackState>
  private let wasReleased = Condition()

  /// In the child of a fork, the lock may be held by a thread that does not exist there. So nothing
  /// is called or released.
  private let process = ProcessGeneration.current

  /// - Parameter release: Called once, when the body will not run again.
  package init(
    _ body: @escaping @Sendable (Argument) -> Void,
    release: @escaping @Sendable () -> Void = {}
  ) {
    self.body = body
    self.state = Mutex(CallbackState(release: release))
  }

  deinit {
    guard self.process.isCurrent, let release = self.state.withLock({ $0.release.take() })
    else { return }
    CallScope.callback(release)
  }
}

/// The state of a callback of any type. Not nested in the generic class: its type would be looked
/// up at run time on each call.
private struct CallbackState {
  var isCancelled = false
  /// `nil` once a thread has taken it, to call it.
  var release: (@Sendable () -> Void)?
  var calls = 0
  var isReleased = false

  /// Takes the release function if the body neither runs nor will run.
  mutating func takeRelease() -> (@Sendable () -> Void)? {
    guard self.isCancelled, self.calls == 0 else { return nil }
    return self.release.take()
  }
}

extension Callback {
  package var isCancelled: Bool {
    self.state.withLock { $0.isCancelled }
  }

  /// Whether it was cancelled, no longer runs, and its context was released.
  package var isReleased: Bool {
    self.state.withLock { $0.isReleased }
  }

  /// Calls the function, unless it was cancelled. Calls may be concurrent or recursive if the
  /// function allows it.
  ///
  /// - Returns: Whether it ran.
  @discardableResult
  package func call(_ argument: Argument) -> Bool {
    guard self.process.isCurrent else { return false }
    var body: (@Sendable (Argument) -> Void)?
    self.state.withLock { state in
      body = self.body
      state.calls += body == nil ? 0 : 1
    }
    guard let body else { return false }
    CallScope.callback { body(argument) }
    guard self.process.isCurrent else { return true }
    self.callRelease(
      self.state.withLock { state in
        state.calls -= 1
        return state.takeRelease()
      })
    return true
  }

  /// Prevents further calls, and waits for the one in progress except inside a callback.
  package func cancel() {
    guard self.process.isCurrent else { return }
    var body: (@Sendable (Argument) -> Void)?
    let release = self.state.withLock { state in
      body = self.body.take()
      state.isCancelled = true
      return state.takeRelease()
    }
    withExtendedLifetime(body) {}
    self.callRelease(release)
    guard self.process.isCurrent, !CallScope.isInsideCallback else { return }
    self.state.wait(for: self.wasReleased) { $0.isReleased }
  }

  /// Cancels the callback before its first call, without calling the release function.
  package func cancelWithoutRelease() {
    self.state.withLock { $0.release = {} }
    self.cancel()
  }

  private func callRelease(_ release: (@Sendable () -> Void)?) {
    guard let release else { return }
    CallScope.callback(release)
    guard self.process.isCurrent else { return }
    self.state.withLock { $0.isReleased = true }
    self.wasReleased.broadcast()
  }
}
