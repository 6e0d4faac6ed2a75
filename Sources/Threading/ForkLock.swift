#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Keeps the process from being forked while code runs whose locks a child could not release.
///
/// The child of a fork has one thread. A lock that another thread held is locked there forever. Code
/// with locks of its own that a child needs again, such as a C library, runs in
/// ``excludingForks(_:)``: fork() then waits for it, and the child inherits every such lock as free.
///
/// It is a read-write lock: threads run such code at the same time, and only a fork excludes them.
/// It prefers the fork, so that threads that use it without pause cannot starve one.
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
  /// `body` may not call this again, fork, wait for a thread, or call code of the host: a fork waits
  /// until it returns, and blocks every other thread that comes here meanwhile.
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

  /// Makes the lock anew: the child's only thread has another id than the one that locked it.
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
