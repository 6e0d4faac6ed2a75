/// A function of the host or of a domain that is called until it is cancelled.
///
/// After ``cancel()`` has returned it neither runs nor will run, and what it needs was released.
/// Inside any callback that cannot be waited for: a run that is under way on another thread, or
/// further up on this one, then goes on, and the release follows it.
package final class Callback<Argument>: Sendable {
  private struct State {
    /// `nil` once it is cancelled.
    var body: (@Sendable (Argument) -> Void)?
    /// `nil` once it was taken, to be called.
    var release: (@Sendable () -> Void)?
    var isRunning = false
    var isReleased = false

    /// Takes the release function, if nothing runs and nothing will run.
    mutating func takeRelease() -> (@Sendable () -> Void)? {
      guard self.body == nil, !self.isRunning else { return nil }
      return self.release.take()
    }
  }

  private let state: Mutex<State>
  private let hasBeenReleased = Condition()

  /// In the child of a fork the lock may be held by a thread that is not there: nothing is called
  /// or released.
  private let process = ProcessGeneration.current

  /// - Parameter release: Called once, when the body will not run any more.
  package init(
    _ body: @escaping @Sendable (Argument) -> Void,
    release: @escaping @Sendable () -> Void = {}
  ) {
    self.state = Mutex(State(body: body, release: release))
  }

  deinit {
    guard self.process.isCurrent, let release = self.state.withLock({ $0.release.take() })
    else { return }
    CallScope.callback(release)
  }
}

extension Callback {
  package var isCancelled: Bool {
    self.state.withLock { $0.body == nil }
  }

  /// Whether it was cancelled, does not run any more, and what it needed was released.
  package var isReleased: Bool {
    self.state.withLock { $0.isReleased }
  }

  /// Runs the function, unless it was cancelled. Not on two threads at once, and not inside itself.
  ///
  /// - Returns: Whether it ran.
  @discardableResult
  package func call(_ argument: Argument) -> Bool {
    guard self.process.isCurrent else { return false }
    let body = self.state.withLock { state in
      state.isRunning = state.body != nil
      return state.body
    }
    guard let body else { return false }
    CallScope.callback { body(argument) }
    guard self.process.isCurrent else { return true }
    self.run(
      self.state.withLock { state in
        state.isRunning = false
        return state.takeRelease()
      })
    return true
  }

  /// Sees to it that the function does not run any more.
  package func cancel() {
    guard self.process.isCurrent else { return }
    let (body, release) = self.state.withLock { state in
      let body = state.body.take()
      return (body, state.takeRelease())
    }
    withExtendedLifetime(body) {}
    self.run(release)
    guard self.process.isCurrent, !CallScope.isInsideCallback else { return }
    self.state.wait(for: self.hasBeenReleased) { $0.isReleased }
  }

  /// Cancels it before it was ever called, without releasing what it needs.
  package func forget() {
    self.state.withLock { $0.release = {} }
    self.cancel()
  }

  private func run(_ release: (@Sendable () -> Void)?) {
    guard let release else { return }
    CallScope.callback(release)
    guard self.process.isCurrent else { return }
    self.state.withLock { $0.isReleased = true }
    self.hasBeenReleased.broadcast()
  }
}
