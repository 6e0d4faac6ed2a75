import Testing
import Threading

@testable import StateEngine
import Glibc

/// Counts threads that exited: the system calls the destructor of a key when a thread exits.
private final class ThreadExits: @unchecked Sendable {
  private let key: pthread_key_t
  private let count = Mutex(0)
  private let hasCounted = Condition()
  private let watchedCount = Mutex(0)

  init() {
    var key = pthread_key_t()
    pthread_key_create(&key) { if let exits = $0 { ThreadExits.add(exits) } }
    self.key = key
  }

  /// Counts the exit of the calling thread, once.
  func watch() {
    guard pthread_getspecific(self.key) == nil else { return }
    pthread_setspecific(self.key, Unmanaged.passRetained(self).toOpaque())
    self.watchedCount.withLock { $0 += 1 }
  }

  /// The number of threads whose exit is counted.
  var watched: Int {
    self.watchedCount.withLock { $0 }
  }

  /// The number of these threads that have exited.
  var counted: Int {
    self.count.withLock { $0 }
  }

  /// Waits until a number of these threads have exited.
  func wait(for count: Int) {
    self.count.wait(for: self.hasCounted) { $0 >= count }
  }

  private static func add(_ exits: UnsafeMutableRawPointer) {
    // Delayed, so that a join that does not wait returns first.
    for _ in 0..<1_000 { sched_yield() }
    let exits = Unmanaged<ThreadExits>.fromOpaque(exits).takeRetainedValue()
    exits.count.withLock { $0 += 1 }
    exits.hasCounted.broadcast()
  }
}

@Suite struct EffectQueueTests {
  private let queue = EffectQueue()
  private let exits = ThreadExits()

  @Test func joinWaitsForTheThread() throws {
    self.queue.append { self.exits.watch() }
    try self.queue.settle(milliseconds: -1)
    self.queue.close()
    self.queue.join()
    #expect(self.exits.counted == 1)
    self.queue.join()
  }

  @Test func joinWaitsForAThreadWithDelayedWork() throws {
    self.queue.append(after: .max) {}
    self.queue.append { self.exits.watch() }
    try self.queue.settle(milliseconds: -1)
    self.queue.close()
    self.queue.join()
    #expect(self.exits.counted == 1)
  }

  @Test func aThreadEndsWithoutWork() {
    let queue = EffectQueue(idleTimeout: 1)
    for count in 1...3 {
      queue.append { self.exits.watch() }
      self.exits.wait(for: count)
      #expect(self.exits.watched == count)
    }
    queue.close()
    queue.join()
  }

  @Test func aThreadWaitsForDelayedWork() {
    let queue = EffectQueue(idleTimeout: 0)
    let thread = Mutex<ThreadIdentity?>(nil)
    let isSameThread = Mutex<Bool?>(nil)
    let change = Condition()
    queue.append {
      queue.append(after: 1) {
        isSameThread.withLock { $0 = thread.withLock { $0 }?.isCurrent }
        change.broadcast()
      }
      thread.withLock { $0 = .current }
    }
    isSameThread.wait(for: change) { $0 != nil }
    #expect(isSameThread.withLock { $0 } == true)
    queue.close()
    queue.join()
  }

  @Test func oneThreadServesTheQueue() throws {
    let queue = EffectQueue(idleTimeout: .max)
    for count in 1...20 {
      queue.append { self.exits.watch() }
      try queue.settle(milliseconds: -1)
      #expect(queue.startedCount == count)
    }
    #expect(self.exits.watched == 1)
    queue.close()
    queue.join()
    #expect(self.exits.counted == 1)
  }

  @Test func aThreadIsJoinedBeforeTheNext() throws {
    let queue = EffectQueue(idleTimeout: 0)
    let order = Mutex<[Int]>([])
    for number in 1...20 {
      queue.append {
        order.withLock { $0.append(number) }
        self.exits.watch()
      }
      try queue.settle(milliseconds: -1)
    }
    queue.close()
    queue.join()
    #expect(order.withLock { $0 } == Array(1...20))
    // A thread that has not ended yet performs the next work, too.
    #expect(self.exits.watched > 0)
    #expect(self.exits.counted == self.exits.watched)
  }

  @Test func joinInsideACallbackDoesNotWait() {
    let isRunning = Mutex(true)
    let change = Condition()
    self.queue.append { isRunning.wait(for: change) { !$0 } }
    self.queue.close()
    CallScope.callback { self.queue.join() }
    isRunning.withLock { $0 = false }
    change.broadcast()
  }

  @Test func anEffectMayCloseItsQueue() {
    let isClosed = Mutex(false)
    let change = Condition()
    self.queue.append {
      self.queue.close()
      self.queue.join()
      isClosed.withLock { $0 = true }
      change.broadcast()
    }
    isClosed.wait(for: change) { $0 }
  }

  @Test func concurrentAppendAndClose() async {
    for _ in 0..<100 {
      let queue = EffectQueue(idleTimeout: 0)
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask { for _ in 0..<20 { queue.append {} } }
        }
        group.addTask {
          queue.close()
          queue.join()
        }
      }
      queue.join()
    }
  }
}
