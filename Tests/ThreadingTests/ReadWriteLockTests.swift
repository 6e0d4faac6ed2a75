import Synchronization
import TestSupport
import Testing

@testable import Threading

@Suite struct ReadWriteLockTests {
  /// Two numbers that are equal while nobody writes.
  private final class Pair: @unchecked Sendable {
    let access = ReadWriteLock()
    @exclusivity(unchecked) var first = 0
    @exclusivity(unchecked) var second = 0

    func increment() {
      self.access.lock()
      defer { self.access.unlock() }
      self.access.excludeReaders()
      defer { self.access.admitReaders() }
      self.first += 1
      self.second += 1
    }

    /// - Returns: An object with the first number.
    func object() -> Box? {
      let use = self.access.beginReading()
      defer { use.end() }
      return self.access.object(of: use) { Box(number: self.first) } as? Box
    }

    func read() -> (Int, Int) {
      let use = self.access.beginReading()
      defer { use.end(isCounted: true) }
      return (self.first, self.second)
    }
  }

  private final class Box: Sendable {
    let number: Int

    init(number: Int) {
      self.number = number
    }
  }

  /// A reader sees whole writes, and at least those that ended before.
  @Test func readersSeeWholeWrites() {
    let (threads, rounds) = (4, 2000)
    let pair = Pair()
    let written = Atomic(0)
    onThreads(threads) { thread in
      for _ in 0..<rounds {
        if thread < 2 {
          pair.increment()
          written.add(1, ordering: .relaxed)
        } else {
          let least = written.load(ordering: .relaxed)
          let (first, second) = pair.read()
          if first != second || first < least { Issue.record("\(first), \(second) < \(least)") }
        }
      }
    }
    #expect(pair.read() == (2 * rounds, 2 * rounds))
    #expect(pair.access.counted == 2 * rounds + 1)
  }

  @Test func readersDoNotWaitForEachOther() {
    let pair = Pair()
    let use = pair.access.beginReading()
    onThreads(2) { _ in _ = pair.read() }
    pair.access.lock()
    onThreads(2) { _ in _ = pair.read() }
    pair.access.unlock()
    use.end()
    pair.increment()
    #expect(pair.read() == (1, 1))
  }

  @Test func anObjectLastsUntilTheNextWrite() {
    let pair = Pair()
    weak var first: Box?
    do {
      let object = pair.object()
      #expect(pair.object() === object)
      first = object
    }
    #expect(first?.number == 0)
    pair.increment()
    #expect(first == nil)
    #expect(pair.object()?.number == 1)
  }

  @Test func threadsGetTheObjectOfTheLastWrite() {
    // More than there are lines.
    let (threads, rounds) = (12, 500)
    let pair = Pair()
    let written = Atomic(0)
    onThreads(threads) { thread in
      for round in 0..<rounds {
        if thread == 0 {
          pair.increment()
          written.store(round + 1, ordering: .relaxed)
        } else {
          let least = written.load(ordering: .relaxed)
          guard let number = pair.object()?.number, number >= least else {
            Issue.record("older than \(least)")
            return
          }
        }
      }
    }
    #expect(pair.object()?.number == rounds)
  }
}
