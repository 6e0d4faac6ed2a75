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
