import Glibc
import TestSupport
import Testing

@testable import Threading

@Suite struct LockTests {
  private final class Counter: @unchecked Sendable {
    let lock = Lock()
    @exclusivity(unchecked) var number = 0
  }

  @Test(arguments: [2, 8])
  func oneThreadAtATimeHasIt(_ threads: Int) {
    let rounds = 5000
    let counter = Counter()
    onThreads(threads) { _ in
      for _ in 0..<rounds {
        counter.lock.lock()
        counter.number += 1
        counter.lock.unlock()
      }
    }
    #expect(counter.number == threads * rounds)
  }

  /// Threads that wait for long sleep, and each of them is woken.
  @Test func threadsSleepUntilItIsReleased() throws {
    let counter = Counter()
    counter.lock.lock()
    let threads = try (0..<3).map { _ in
      try #require(
        Thread.start {
          counter.lock.lock()
          counter.number += 1
          counter.lock.unlock()
        })
    }
    // glibc notes that a thread sleeps.
    while counter.lock.handle.pointee.__data.__lock != 2 { sched_yield() }
    counter.lock.unlock()
    for thread in threads { thread.join() }
    #expect(counter.number == 3)
  }
}
