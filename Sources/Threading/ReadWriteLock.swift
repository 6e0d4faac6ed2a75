import Glibc
import Synchronization

/// A lock for what is read much more often than written. Not recursive.
///
/// A reader counts itself in a cache line that it shares with few threads, so that readers do not
/// slow each other. A writer waits until nobody is counted. It has a mutex, too: other writers wait
/// for it, and so do readers that find a writer.
package struct ReadWriteLock: ~Copyable, @unchecked Sendable {
  /// What ``lock()`` locks.
  @usableFromInline package let mutex = Lock()

  private let readers = UseCount(isShared: true)
  private let isWriting = Atomic(false)
  private let hasObjects = Atomic(false)

  package init() {}
}

// MARK: Reading

extension ReadWriteLock {
  /// Begins to read, until the use ends. It must not wait for another thread meanwhile.
  package borrowing func beginReading() -> UseCount.Use {
    let use = self.readers.begin()
    guard self.isWriting.load(ordering: .sequentiallyConsistent) else { return use }
    use.end()
    self.mutex.lock()
    defer { self.mutex.unlock() }
    return self.readers.begin()
  }

  /// Returns an object of few threads that `make` has made since the last write, or makes now.
  package borrowing func object(
    of use: UseCount.Use, orMake make: () -> AnyObject?
  ) -> AnyObject? {
    if !self.hasObjects.load(ordering: .relaxed) { self.hasObjects.store(true, ordering: .relaxed) }
    return use.object(orMake: make)
  }

  /// The number of reads that have ended and are counted.
  package var counted: Int {
    self.readers.counted
  }
}

// MARK: Writing

extension ReadWriteLock {
  /// Excludes other threads that lock it. Readers may still read.
  @inlinable
  package borrowing func lock() {
    self.mutex.lock()
  }

  @inlinable
  package borrowing func unlock() {
    self.mutex.unlock()
  }

  /// Waits until nobody reads, and releases the objects that readers have made. Called with the
  /// lock held, by a thread that does not read.
  package borrowing func excludeReaders() {
    self.isWriting.store(true, ordering: .sequentiallyConsistent)
    var attempts = 0
    while !self.readers.isZero {
      attempts += 1
      // A reader takes less than a microsecond, unless the system has interrupted it.
      if attempts > 200 { usleep(100) } else if attempts > 100 { sched_yield() }
    }
    if self.hasObjects.load(ordering: .relaxed) {
      self.hasObjects.store(false, ordering: .relaxed)
      self.readers.removeObjects()
    }
  }

  /// Ends ``excludeReaders()``.
  package borrowing func admitReaders() {
    self.isWriting.store(false, ordering: .releasing)
  }
}
