#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Which thread this is, to be compared while it lives.
package struct ThreadIdentity: @unchecked Sendable {
  private let thread: pthread_t

  package static var current: Self {
    Self(thread: pthread_self())
  }

  package var isCurrent: Bool {
    pthread_equal(self.thread, pthread_self()) != 0
  }
}

/// Runs a function on a new thread, which ends with it.
///
/// - Returns: Whether the system had a thread.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  let body = Unmanaged.passRetained(ThreadBody(body))
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  #if canImport(Darwin)
    var thread: pthread_t?
    let failure = pthread_create(&thread, &attributes, { ThreadBody.run($0) }, body.toOpaque())
  #else
    var thread = pthread_t()
    let failure = pthread_create(&thread, &attributes, { ThreadBody.run($0) }, body.toOpaque())
  #endif
  guard failure != 0 else { return true }
  body.release()
  return false
}

private final class ThreadBody: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  static func run(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let body {
      Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().body()
    }
    return nil
  }
}
