/// A function that is called until it is cancelled.
///
/// After ``cancel()`` has returned it neither runs nor will run, and what it needed was released;
/// save when it cancels itself: then that is so when it has returned.
package final class Callback<Argument>: Sendable {
  private struct State {
    var body: (@Sendable (Argument) -> Void)?
    var release: (@Sendable () -> Void)?
    var runner: ThreadIdentity?

    /// Then it is released when it has returned; otherwise by who cancels it.
    var hasCancelledItself = false
  }

  private let state: Mutex<State>
  private let hasReturned = Condition()

  /// - Parameter release: Called once, when the body will not run any more.
  package init(
    _ body: @escaping @Sendable (Argument) -> Void,
    release: @escaping @Sendable () -> Void = {}
  ) {
    self.state = Mutex(State(body: body, release: release))
  }

  deinit {
    self.cancel()
  }
}

extension Callback {
  package var isCancelled: Bool {
    self.state.withLock { $0.body == nil }
  }

  /// Runs the function, unless it was cancelled. Not on two threads at once, and not inside itself.
  ///
  /// - Returns: Whether it ran.
  @discardableResult
  package func call(_ argument: Argument) -> Bool {
    let body = self.state.withLock { state in
      state.runner = state.body == nil ? nil : .current
      return state.body
    }
    guard let body else { return false }
    body(argument)
    if self.state.withLock({ $0.hasCancelledItself }) {
      self.runRelease()
    }
    self.state.withLock { $0.runner = nil }
    self.hasReturned.broadcast()
    return true
  }

  /// Sees to it that the function does not run any more, and waits while another thread runs it.
  package func cancel() {
    let (body, isInside) = self.state.withLock { state in
      defer { state.body = nil }
      let isInside = state.runner?.isCurrent == true
      state.hasCancelledItself = state.hasCancelledItself || isInside
      return (state.body, isInside)
    }
    withExtendedLifetime(body) {}
    guard !isInside else { return }
    self.state.wait(for: self.hasReturned) { $0.runner == nil }
    self.runRelease()
  }

  /// Cancels it before it was ever called, without releasing what it needs.
  package func forget() {
    self.state.withLock { $0.release = nil }
    self.cancel()
  }

  private func runRelease() {
    let release = self.state.withLock { state in
      defer { state.release = nil }
      return state.release
    }
    release?()
  }
}
