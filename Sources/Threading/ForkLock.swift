#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Delays forks while code runs that holds locks which the child needs.
///
/// The child of a fork has one thread: a lock that another thread held stays locked forever. Code
/// with internal locks, such as a C library, therefore runs in ``excludingForks(_:)``. fork() waits
/// for it, and the child inherits every such lock unlocked.
///
/// It is a read-write lock: threads run such code concurrently, and a fork excludes them. It
/// prefers the fork, so that busy threads cannot starve it.
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
  /// `body` must not call this again, fork, wait for a thread, or call host code: a fork waits until
  /// it returns, and blocks every other caller meanwhile.
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

  /// Reinitializes the lock: it is held by the forking thread, whose id differs in the child.
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
