import Glibc

/// The library's fork handlers, registered in one place so that their order is fixed.
///
/// Before a fork the forking thread takes the ``ForkLock``; the parent releases it. In the child
/// the ``ProcessGeneration`` advances first, so that inherited databases refuse to work. Then the
/// lock is reinitialized, and the added functions run in the order in which they were added.
package enum ForkHandlers {
  /// Runs `body` in the child of each later fork, where no other thread exists.
  package static func addForChild(_ body: @escaping @Sendable () -> Void) {
    // First, because a fork waits for the fork lock only if the handlers are registered.
    _ = isRegistered
    // Excludes forks, so that a child never inherits the list's lock while it is held.
    ForkLock.shared.excludingForks {
      childHandlers.withLock { $0.append(body) }
    }
  }

  /// Registers the handlers with the system, once.
  ///
  /// - Returns: `false` if the process had no memory for them.
  package static var areRegistered: Bool {
    isRegistered
  }
}

private let childHandlers = Mutex<[@Sendable () -> Void]>([])

private let isRegistered: Bool = {
  // Initializes the globals that the handlers use: if another thread initialized one during a fork,
  // the child would wait forever.
  _ = ForkLock.shared
  childHandlers.withLock { _ in }
  let result = pthread_atfork(
    { pthread_rwlock_wrlock(ForkLock.shared.handle) },
    { pthread_rwlock_unlock(ForkLock.shared.handle) },
    {
      countedForks += 1
      // An unlock would fail: the forking thread locked it, and has another thread id here.
      ForkLock.shared.prepareHandle()
      for body in childHandlers.withLock({ $0 }) { body() }
    })
  return result == 0
}()

/// Delays forks while threads run code whose internal locks the child will need.
///
/// The child of a fork has one thread: a lock that another thread held stays locked forever. Code
/// with internal locks, such as a C library, therefore runs in ``excludingForks(_:)``. A fork waits
/// for it, so the child inherits these locks unlocked.
///
/// A read-write lock: threads run such code concurrently, and a fork excludes them. It prefers the
/// fork, so that busy threads cannot starve it.
package final class ForkLock: @unchecked Sendable {
  package static let shared = ForkLock()

  fileprivate let handle: UnsafeMutablePointer<pthread_rwlock_t>

  private init() {
    self.handle = .allocate(capacity: 1)
    self.prepareHandle()
  }
}

extension ForkLock {
  /// Runs `body` while no thread forks this process.
  ///
  /// `body` must not call this again, fork, wait for a thread, or call code of the program: a
  /// waiting fork blocks every other caller until `body` returns.
  package func excludingForks<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_rwlock_rdlock(self.handle)
    defer { pthread_rwlock_unlock(self.handle) }
    return try body()
  }

  fileprivate func prepareHandle() {
    self.handle.initialize(to: pthread_rwlock_t())
    var attributes = pthread_rwlockattr_t()
    pthread_rwlockattr_init(&attributes)
    pthread_rwlockattr_setkind_np(
      &attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
    pthread_rwlock_init(self.handle, &attributes)
    pthread_rwlockattr_destroy(&attributes)
  }
}

/// Distinguishes a process from the one that it was forked from.
///
/// An object that must not be used in the child of a fork stores the generation in which it was
/// created. ``isCurrent`` takes no lock, because the child may have inherited any lock locked.
package struct ProcessGeneration: Equatable, Sendable {
  /// The number of forks between this process and the first one that used this library.
  private let forks: UInt

  /// The generation of this process. Forks are counted from the first call on.
  package static var current: Self {
    _ = isRegistered
    return Self(forks: countedForks)
  }

  /// Whether this process is the one that read the generation, not a fork of it. Takes one load.
  package var isCurrent: Bool {
    self.forks == countedForks
  }
}

/// Incremented in the child of a fork, while it has a single thread.
private nonisolated(unsafe) var countedForks: UInt = 0
