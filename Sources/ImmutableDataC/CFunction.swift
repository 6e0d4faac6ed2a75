import CImmutableData
import StateEngine
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

/// A function that releases the context of functions of the program.
public typealias ReleaseFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void

/// Runs the body of an exported function that sets a function of the program, or removes it.
func setFunction<Function>(
  of store: OpaquePointer?, _ function: Function?, _ context: UnsafeMutableRawPointer?,
  _ release: ReleaseFunction?, _ error: Out<imd_error>, remove: (AnyStore) throws -> Void,
  _ set: (AnyStore, CFunction<Function>) throws -> Void
) -> imd_status {
  attempt(error) {
    let store = try stores.enter(store, .use).store
    guard let function else {
      try remove(store)
      return releaseContext(context, release)
    }
    try set(store, CFunction(function, context, release))
  }
}

/// Calls a release function as a callback, so that no call inside it waits for another thread's
/// callback.
func releaseContext(_ context: UnsafeMutableRawPointer?, _ release: ReleaseFunction?) {
  CallScope.callback { release?(context) }
}
