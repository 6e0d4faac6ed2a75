internal import CThreadRecord
import Glibc

// What each dispatch uses is inlinable: unspecialized code for a generic type costs as much as the
// lock itself. Swift inlines functions into other modules only if their type is public or
// `@usableFromInline`. No product contains this module.

/// A lock on `pthread_mutex_t`. Not recursive.
///
/// `Synchronization.Mutex` would do the same, but uses a futex on Linux, which ThreadSanitizer does
/// not understand: it would report races in correct programs.
public struct Lock: ~Copyable, @unchecked Sendable {
  @usableFromInline let handle: UnsafeMutablePointer<pthread_mutex_t>

  public init() {
    // A cache line of its own: threads that use different locks do not slow each other.
    self.handle = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
      .bindMemory(to: pthread_mutex_t.self, capacity: 1)
    self.initialize()
  }

  borrowing func initialize() {
    self.handle.initialize(to: pthread_mutex_t())
    pthread_mutex_init(self.handle, nil)
  }

  deinit {
    pthread_mutex_destroy(self.handle)
    UnsafeMutableRawPointer(self.handle).deallocate()
  }

  @inlinable
  public borrowing func lock() {
    #if DEBUG
      countLock()
    #endif
    if pthread_mutex_trylock(self.handle) != 0 { self.lockAfterSpinning() }
  }

  /// Looks again for about the time of some dispatches before it sleeps: to sleep and to wake takes
  /// longer. An adaptive mutex of glibc looks little more than twice as often as was enough before,
  /// which is soon less than a dispatch takes.
  @usableFromInline borrowing func lockAfterSpinning() {
    for _ in 0..<100 {
      thread_pause()
      if pthread_mutex_trylock(self.handle) == 0 { return }
    }
    pthread_mutex_lock(self.handle)
  }

  @inlinable
  public borrowing func unlock() {
    pthread_mutex_unlock(self.handle)
  }
}

/// A value protected by a lock.
public struct Mutex<Value>: ~Copyable, @unchecked Sendable {
  @usableFromInline let lock = Lock()
  @usableFromInline let value: UnsafeMutablePointer<Value>

  public init(_ value: sending Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    self.value.deinitialize(count: 1)
    self.value.deallocate()
  }

  /// Reinitializes the lock and the value in the child of a fork. A thread that exists only in the
  /// parent may have held the lock.
  ///
  /// - Parameter makeValue: Returns the new value. Receives the old one, which may be in an
  ///   inconsistent state and is leaked, not destroyed.
  package borrowing func reinitializeAfterFork(_ makeValue: (borrowing Value) -> Value) {
    self.lock.initialize()
    let value = makeValue(self.value.pointee)
    self.value.initialize(to: value)
  }

  /// Runs `body` with exclusive access to the value.
  @inlinable
  public borrowing func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    self.lock.lock()
    defer { self.lock.unlock() }
    return try body(&self.value.pointee)
  }
}

/// Lets threads wait until what a lock guards satisfies a predicate.
public struct Condition: ~Copyable, @unchecked Sendable {
  @usableFromInline let handle: UnsafeMutablePointer<pthread_cond_t>

  package init() {
    self.handle = .allocate(capacity: 1)
    self.handle.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, Deadline.clock)
    pthread_cond_init(self.handle, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(self.handle)
    self.handle.deallocate()
  }

  /// Waits until a broadcast or the deadline. The lock is not held during the wait.
  @inlinable
  package borrowing func wait(_ lock: borrowing Lock, until deadline: Deadline? = nil) {
    if var time = deadline?.time {
      pthread_cond_timedwait(self.handle, lock.handle, &time)
    } else {
      pthread_cond_wait(self.handle, lock.handle)
    }
  }

  /// Wakes every waiting thread, to check the value again.
  @inlinable
  public borrowing func broadcast() {
    pthread_cond_broadcast(self.handle)
  }
}

extension Mutex {
  /// Waits until `predicate` holds or the deadline has passed, then runs `body`. The lock is not
  /// held during the wait.
  @inlinable
  public borrowing func withLock<Result>(
    after condition: borrowing Condition, orAt deadline: Deadline? = nil,
    until predicate: (Value) -> Bool, do body: (inout Value) -> Result
  ) -> Result {
    self.lock.lock()
    defer { self.lock.unlock() }
    while !predicate(self.value.pointee), deadline?.hasPassed != true {
      if var time = deadline?.time {
        pthread_cond_timedwait(condition.handle, self.lock.handle, &time)
      } else {
        pthread_cond_wait(condition.handle, self.lock.handle)
      }
    }
    return body(&self.value.pointee)
  }

  /// Waits until `predicate` holds.
  package borrowing func wait(
    for condition: borrowing Condition, until predicate: (Value) -> Bool
  ) {
    self.withLock(after: condition, until: predicate) { _ in }
  }
}

/// A time at which a wait ends, on the clock that a ``Condition`` uses.
public struct Deadline: Comparable, Sendable {
  private let nanoseconds: Int

  /// A number of milliseconds from now; a negative number counts as 0.
  package init(milliseconds: Int32) {
    self.init(nanoseconds: Int(milliseconds) * 1_000_000)
  }

  /// A number of nanoseconds from now; a negative number counts as 0.
  package init(nanoseconds: Int) {
    self.nanoseconds = Self.now + max(nanoseconds, 0)
  }

  @usableFromInline package var hasPassed: Bool {
    self.nanoseconds <= Self.now
  }

  @usableFromInline var time: timespec {
    timespec(
      tv_sec: self.nanoseconds / 1_000_000_000, tv_nsec: self.nanoseconds % 1_000_000_000)
  }

  // The clock of conditions, too.
  static var clock: clockid_t { CLOCK_MONOTONIC }

  private static var now: Int {
    var time = timespec()
    clock_gettime(self.clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  public static func < (left: Self, right: Self) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
