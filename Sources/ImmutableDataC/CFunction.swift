import Threading

/// A function of the program with its context, and the function that releases the context.
struct CFunction<Function>: @unchecked Sendable {
  let function: Function
  let context: UnsafeMutableRawPointer?
  let release: ReleaseFunction?

  init(_ function: Function, _ context: UnsafeMutableRawPointer?, _ release: ReleaseFunction?) {
    self.function = function
    self.context = context
    self.release = release
  }

  @Sendable func callRelease() {
    releaseContext(self.context, self.release)
  }
}

typealias ReleaseFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void

/// Calls a release function as a callback, so that no call inside it waits for another thread's
/// callback.
func releaseContext(_ context: UnsafeMutableRawPointer?, _ release: ReleaseFunction?) {
  CallScope.callback { release?(context) }
}
