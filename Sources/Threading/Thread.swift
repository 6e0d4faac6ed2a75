#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The identity of a thread, valid while the thread exists.
package struct ThreadIdentity: @unchecked Sendable {
  private let thread: pthread_t

  package static var current: Self {
    Self(thread: pthread_self())
  }

  package var isCurrent: Bool {
    pthread_equal(self.thread, pthread_self()) != 0
  }
}

/// A thread that runs one function.
///
/// Only ``join()`` proves that a thread has left the code of this library: a signal sent by the
/// thread itself would precede its last instructions. A thread that was not joined is detached when
/// this object is released.
package final class Thread: Sendable {
  /// `nil` after the thread was joined or detached.
  private let handle: Mutex<SendableHandle?>

  private init(_ handle: pthread_t) {
    self.handle = Mutex(SendableHandle(thread: handle))
  }

  deinit {
    self.detach()
  }

  private struct SendableHandle: @unchecked Sendable {
    let thread: pthread_t
  }
}

extension Thread {
  /// Starts a thread.
  ///
  /// - Returns: `nil` if the system cannot create another thread.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Thread? {
    let body = Unmanaged.passRetained(ThreadBody(body))
    #if canImport(Darwin)
      var handle: pthread_t?
      let result = pthread_create(&handle, nil, { ThreadBody.run($0) }, body.toOpaque())
      if result == 0, let handle { return Thread(handle) }
    #else
      var handle = pthread_t()
      let result = pthread_create(&handle, nil, { ThreadBody.run($0) }, body.toOpaque())
      if result == 0 { return Thread(handle) }
    #endif
    body.release()
    return nil
  }

  /// Waits until the thread has exited. On the thread itself, detaches it instead.
  package func join() {
    guard let handle = self.handle.withLock({ $0.take() }) else { return }
    if pthread_equal(handle.thread, pthread_self()) != 0 {
      pthread_detach(handle.thread)
    } else {
      pthread_join(handle.thread, nil)
    }
  }

  /// Lets the system reclaim the thread when it exits, without a join.
  package func detach() {
    guard let handle = self.handle.withLock({ $0.take() }) else { return }
    pthread_detach(handle.thread)
  }
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
