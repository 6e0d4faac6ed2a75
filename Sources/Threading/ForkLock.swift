#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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

  private let handle: UnsafeMutablePointer<pthread_rwlock_t>

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

  func lockForFork() {
    pthread_rwlock_wrlock(self.handle)
  }

  func unlockInParent() {
    pthread_rwlock_unlock(self.handle)
  }

  /// Reinitializes the lock. An unlock would fail: the forking thread locked it, and has another
  /// thread id in the child.
  func resetInChild() {
    self.prepareHandle()
  }

  private func prepareHandle() {
    self.handle.initialize(to: pthread_rwlock_t())
    var attributes = pthread_rwlockattr_t()
    pthread_rwlockattr_init(&attributes)
    #if canImport(Glibc)
      pthread_rwlockattr_setkind_np(
        &attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
    #endif
    pthread_rwlock_init(self.handle, &attributes)
    pthread_rwlockattr_destroy(&attributes)
  }
}
