import Glibc

/// The identity of a thread, valid while the thread exists.
package struct ThreadIdentity: @unchecked Sendable {
  fileprivate let thread: pthread_t

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
  private let identity: Mutex<ThreadIdentity?>

  private init(_ thread: pthread_t) {
    self.identity = Mutex(ThreadIdentity(thread: thread))
  }

  deinit {
    self.detach()
  }
}

extension Thread {
  /// Starts a thread.
  ///
  /// - Returns: `nil` if the system cannot create another thread.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Thread? {
    let body = Unmanaged.passRetained(ThreadBody(body))
    var handle = pthread_t()
    let result = pthread_create(&handle, nil, { ThreadBody.run($0) }, body.toOpaque())
    if result == 0 { return Thread(handle) }
    body.release()
    return nil
  }

  /// Waits until the thread has exited. On the thread itself, detaches it instead.
  package func join() {
    guard let identity = self.identity.withLock({ $0.take() }) else { return }
    if identity.isCurrent {
      pthread_detach(identity.thread)
    } else {
      pthread_join(identity.thread, nil)
    }
  }

  /// Lets the system reclaim the thread when it exits, without a join.
  package func detach() {
    guard let identity = self.identity.withLock({ $0.take() }) else { return }
    pthread_detach(identity.thread)
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
