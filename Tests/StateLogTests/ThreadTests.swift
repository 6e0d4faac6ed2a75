import StateLog
import TestSupport
import Testing
import Threading

/// What threads do to a log at the same time, and the one in the background.
@Suite struct ThreadTests {
  private let files = MemoryFiles()

  private func open(_ durability: LogDurability) throws -> TestLog {
    try TestLog(self.files, "x.imd", durability) { $0.hasThread = true }
  }

  /// Holds calls until they are released.
  private final class Gate: Sendable {
    private let isOpen = Mutex(false)
    private let hasOpened = Condition()
    let arrivals = Recorder<Int>()

    func pass() {
      self.arrivals.append(1)
      self.isOpen.wait(for: self.hasOpened) { $0 }
    }

    func open() {
      self.isOpen.withLock { $0 = true }
      self.hasOpened.broadcast()
    }
  }

  @Test func threadsShareSyncs() throws {
    var log = try self.open(.full)
    let gate = Gate()
    self.files.setFault { call in
      if case .sync = call { gate.pass() }
      return nil
    }
    // The first thread waits for the disk while seven others append.
    try log.append("[1]")
    let (file, appended) = (log.log, Recorder<Int>())
    let threads = (1...8).map { number in
      if number > 1 { try? log.append("[\(number)]") }
      let thread = Thread.start {
        appended.append(number)
        try? file.wait(upTo: number)
      }
      if number == 1 { gate.arrivals.wait(for: 1) }
      return thread
    }
    appended.wait(for: 8)
    self.files.record()
    gate.open()
    for thread in threads { thread?.join() }
    try file.wait(upTo: 8)
    #expect(self.files.calls.filter { $0 == .sync("x.imd") }.count == 1)
    self.files.cutPower()
    #expect(try TestLog(self.files).state == texts(1...8))
  }

  @Test func manyThreadsAppend() throws {
    for durability in LogDurability.allCases {
      let folder = try TemporaryFolder()
      let path = folder.file("x.imd")
      let log = try TestLog(SystemFiles(), path, durability) { $0.hasThread = true }.log
      let last = Mutex(0)
      onThreads(4) { _ in
        for _ in 0..<50 {
          let number = last.withLock { number in
            number += 1
            try? log.append(.actions, number, "[\(number)]")
            return number
          }
          try? log.wait(upTo: number)
        }
      }
      #expect(log.close() == nil)
      #expect(try TestLog(SystemFiles(), path).state == texts(1...200))
    }
  }

  /// In a callback nothing waits: the thread in the background writes.
  @Test(arguments: [LogDurability.full, .normal])
  func whatNobodyWaitsForIsWrittenSoon(_ durability: LogDurability) throws {
    var log = try self.open(durability)
    let written = Recorder<MemoryFiles.Call>()
    self.files.setFault { call in
      switch call {
      case .write, .sync: written.append(call)
      default: break
      }
      return nil
    }
    try log.append("[1]")
    log.log.writeSoon()
    written.wait(for: durability == .full ? 2 : 1)
    log.log.close()
    #expect(try TestLog(self.files).state == texts(1...1))
  }

  @Test func withoutDurabilityTheQueueIsWrittenAfterAWhile() throws {
    var log = try self.open(.none)
    let written = Recorder<MemoryFiles.Call>()
    self.files.setFault { call in
      if case .write = call { written.append(call) }
      return nil
    }
    for number in 1...3 {
      try log.add(number...number)
      written.wait(for: number)
    }
    log.log.close()
    #expect(try TestLog(self.files).state == texts(1...3))
  }

  /// The queue has a limit, which holds even if the thread cannot write.
  @Test func withoutDurabilityTheQueueIsBounded() throws {
    var log = try self.open(.none)
    let data = "\"" + String(repeating: "x", count: 100_000) + "\""
    for _ in 0..<30 {
      try log.log.waitForRoom()
      try log.append(data)
      // A queue may be full while another one is being written.
      #expect(log.log.statistics.unwrittenBytes < 2_400_000)
    }
    log.log.close()
    #expect(try TestLog(self.files).state.count == 30)
  }

  @Test func aLongTailIsSyncedInTheBackground() throws {
    var log = try self.open(.normal)
    let synced = Recorder<MemoryFiles.Call>()
    self.files.setFault { call in
      if case .sync = call { synced.append(call) }
      return nil
    }
    let data = "\"" + String(repeating: "x", count: 500_000) + "\""
    for _ in 0..<10 {
      try log.append(data)
      try log.log.wait(upTo: log.number)
    }
    synced.wait(for: 1)
    log.log.close()
    self.files.cutPower()
    #expect(try TestLog(self.files).state.count == 10)
  }

  @Test func aSyncHasADeadline() throws {
    var log = try self.open(.normal)
    let gate = Gate()
    self.files.setFault { call in
      if case .sync = call { gate.pass() }
      return nil
    }
    try log.append("[1]")
    #expect(
      error { try log.log.sync(until: Deadline(milliseconds: 0)) }
        == LogError(.timeout, "\"x.imd\" was not on the disk in time"))
    #expect(error { try log.log.sync(until: Deadline(milliseconds: 1)) }?.code == .timeout)
    gate.open()
    try log.log.sync(until: Deadline(milliseconds: 60_000))
    self.files.cutPower()
    #expect(try TestLog(self.files).state == texts(1...1))
  }

  @Test func aSyncWithADeadlineReportsAFailure() throws {
    var log = try self.open(.normal)
    try log.add(1...1)
    self.files.setFault { call in
      if case .sync = call { MemoryFiles.Fault() } else { nil }
    }
    for _ in 0..<2 {
      #expect(error { try log.log.sync(until: Deadline(milliseconds: 60_000)) }?.code == .io)
    }
    self.files.setFault(nil)
    try log.log.sync(until: Deadline(milliseconds: 60_000))
    self.files.cutPower()
    #expect(try TestLog(self.files).state == texts(1...1))
  }

  /// Effects begin when their action is kept, however long that takes.
  @Test func effectsWaitThroughFailures() throws {
    var log = try self.open(.full)
    let failed = Recorder<Int>()
    self.files.setFault { call in
      guard case .write = call else { return nil }
      failed.append(1)
      return MemoryFiles.Fault()
    }
    try log.append("[1]")
    let (file, results) = (log.log, Recorder<Bool>())
    let first = Thread.start { results.append(file.waitWhileOpen(upTo: 1)) }
    failed.wait(for: 1)
    #expect(results.all == [])
    let fault = self.files.fault
    self.files.setFault(nil)
    try file.sync()
    first?.join()
    #expect(results.all == [true])

    self.files.setFault(fault)
    try log.append("[2]")
    let second = Thread.start { results.append(file.waitWhileOpen(upTo: 2)) }
    failed.wait(for: 2)
    file.close()
    second?.join()
    #expect(results.all == [true, false])
  }

  @Test func closingEndsWaits() throws {
    var log = try self.open(.full)
    let gate = Gate()
    self.files.setFault { call in
      if case .sync = call { gate.pass() }
      return nil
    }
    try log.append("[1]")
    let file = log.log
    let threads = (0..<3).map { number in
      Thread.start { number == 0 ? try? file.wait(upTo: 1) : { _ = file.close() }() }
    }
    gate.arrivals.wait(for: 1)
    gate.open()
    for thread in threads { thread?.join() }
    #expect(try TestLog(self.files).state == texts(1...1))
  }
}
