import Threading

/// The context of a function of the program, with the function that releases it.
struct HostContext: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer?
  let release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?

  /// Calls the release function as a callback, so that no call inside it waits for another thread's
  /// callback.
  func callRelease() {
    CallScope.callback { self.release?(self.pointer) }
  }
}
