import StateLog
import TestSupport
import Testing
import Threading

@Suite struct WriterTests {
  private let files = MemoryFiles()

  private func state() throws -> [String] {
    self.files.killProcess()
    let log = try TestLog(self.files)
    #expect(log.log.statistics.cutBytes == 0)
    log.log.close()
    return log.state
  }

  /// The calls since the log was opened that write or sync.
  private var writes: [MemoryFiles.Call] {
    self.files.calls.filter { call in
      switch call {
      case .write, .sync, .syncFolder: true
      default: false
      }
    }
  }

  // MARK: Durability

  @Test func fullIsOnTheDiskWhenTheWaitEnds() throws {
    var log = try TestLog(self.files, "x.imd", .full)
    try log.add(1...2)
    self.files.cutPower()
    #expect(try self.state() == texts(1...2))
  }

  @Test func normalSurvivesTheEndOfTheProcess() throws {
    var log = try TestLog(self.files)
    try log.add(1...2)
    let content = self.files.content(of: "x.imd")
    self.files.killProcess()
    #expect(self.files.content(of: "x.imd") == content)
    #expect(try self.state() == texts(1...2))
    // A power cut may lose it.
    log = try TestLog(self.files)
    try log.add(3...3)
    self.files.cutPower()
    #expect(try self.state() == [])
  }

  @Test func noneWaitsForNothing() throws {
    var log = try TestLog(self.files, "x.imd", .none)
    self.files.record()
    try log.add(1...2)
    #expect(self.writes == [])
    #expect(log.log.statistics.unwrittenBytes > 0)
    #expect(log.log.work())
    #expect(self.writes.count == 1)
    #expect(!log.log.work())
    #expect(try self.state() == texts(1...2))
  }

  @Test func aSyncIsAsDurableAsFull() throws {
    for durability in LogDurability.allCases {
      let files = MemoryFiles()
      var log = try TestLog(files, "x.imd", durability)
      try log.append("[1]")
      try log.log.sync()
      files.cutPower()
      #expect(try TestLog(files).state == texts(1...1))
    }
  }

  @Test func closingSyncs() throws {
    for durability in LogDurability.allCases {
      let files = MemoryFiles()
      var log = try TestLog(files, "x.imd", durability)
      try log.append("[1]")
      #expect(log.log.close() == nil)
      files.cutPower()
      #expect(try TestLog(files).state == texts(1...1))
    }
  }

  @Test func aLogWithoutChangesIsNotWritten() throws {
    var log = try TestLog(self.files)
    try log.add(1...2)
    log.log.close()
    self.files.record()
    try TestLog(self.files).log.close()
    #expect(self.writes == [])
  }

  @Test func eachLineSaysWhatWasOnTheDisk() throws {
    var log = try TestLog(self.files, "x.imd", .full)
    let start = try #require(self.files.content(of: "x.imd")).count
    try log.add(1...1)
    let first = try #require(self.files.content(of: "x.imd")).count
    try log.append("[2]")
    try log.add(3...3)
    log.log.close()
    var synced: [Int] = []
    let reader = try LogFile.open("x.imd", LogSettings(), files: self.files) {
      () throws(LogError) in .null
    }
    _ = try reader.start()
    try reader.entries { synced.append($0.synced) }
    #expect(synced == [start, first, first])
  }

  // MARK: Failures

  /// A write fails, with nothing or a part of it written.
  @Test(arguments: [LogDurability.full, .normal], [0, 30])
  func aFailedWriteIsRepairedBySync(_ durability: LogDurability, _ count: Int) throws {
    var log = try TestLog(self.files, "x.imd", durability)
    try log.add(1...2)
    self.files.setFault { call in
      if case .write = call { MemoryFiles.Fault(28, after: count) } else { nil }
    }
    let full = LogError(
      .io, "cannot write \"x.imd\": the disk is full; free some space and try again")
    #expect(error { try log.add(3...3) } == full)
    // What was appended stays, and nothing is added to it.
    #expect(error { try log.log.waitForRoom() } == full)
    #expect(error { try log.log.append(.actions, 4, "[4]") } == full)
    #expect(error { try log.log.sync() } == full)
    #expect(error { try log.log.wait(upTo: 3) } == full)
    self.files.setFault(nil)
    #expect(error { try log.log.waitForRoom() } == full)
    try log.log.sync()
    try log.log.waitForRoom()
    try log.add(4...5)
    self.files.cutPower()
    #expect(try self.state().prefix(4) == texts(1...4)[...] || durability == .normal)
    #expect(try self.state().starts(with: texts(1...3)))
  }

  @Test func aProcessThatEndsAfterAFailedWriteLosesOnlyThat() throws {
    var log = try TestLog(self.files)
    try log.add(1...2)
    self.files.setFault { call in
      if case .write = call { MemoryFiles.Fault(after: 30) } else { nil }
    }
    #expect(error { try log.add(3...3) }?.code == .io)
    #expect(log.log.close()?.code == .io)
    #expect(log.log.close()?.code == .io)
    self.files.setFault(nil)
    log = try TestLog(self.files)
    #expect(log.state == texts(1...2))
    #expect(log.log.statistics.cutBytes == 30)
  }

  /// The system forgets what a sync could not write: it has to be written again.
  @Test func aFailedSyncIsNotTakenBack() throws {
    var log = try TestLog(self.files, "x.imd", .full)
    try log.add(1...2)
    let isFailing = Recorder<Bool>()
    self.files.setFault { call in
      guard case .sync = call, isFailing.all.isEmpty else { return nil }
      isFailing.append(true)
      return MemoryFiles.Fault()
    }
    #expect(
      error { try log.add(3...3) } == LogError(.io, "cannot sync \"x.imd\": Input/output error"))
    #expect(error { try log.log.wait(upTo: 3) }?.code == .io)
    try log.log.sync()
    try log.log.wait(upTo: 3)
    self.files.cutPower()
    #expect(try self.state() == texts(1...3))
  }

  /// Not by the next process either, which does not know that it failed.
  @Test func aFailedSyncIsNotTakenBackByTheNextProcess() throws {
    var log = try TestLog(self.files)
    try log.add(1...2)
    self.files.setFault { call in
      if case .sync = call { MemoryFiles.Fault() } else { nil }
    }
    #expect(error { try log.log.sync() }?.code == .io)
    self.files.killProcess()
    self.files.setFault(nil)
    log = try TestLog(self.files, "x.imd", .full)
    try log.add(3...3)
    self.files.cutPower()
    #expect(try self.state() == texts(1...3))
  }

  @Test func theNameIsSyncedByTheNextProcess() throws {
    self.files.setFault { call in
      if case .syncFolder = call { MemoryFiles.Fault() } else { nil }
    }
    #expect(error { _ = try TestLog(self.files) }?.code == .io)
    self.files.setFault(nil)
    self.files.killProcess()
    var log = try TestLog(self.files, "x.imd", .full)
    try log.add(1...1)
    self.files.cutPower()
    #expect(try self.state() == texts(1...1))
  }

  @Test func aFileThatLostItsNameIsReported() throws {
    var log = try TestLog(self.files, "x.imd", .full)
    try log.add(1...1)
    let content = self.files.content(of: "x.imd")
    self.files.setContent(of: "x.imd", to: nil)
    let moved = LogError(
      .io,
      "\"x.imd\" was deleted, moved or replaced while it was open; put it back, or open it again")
    #expect(error { try log.add(2...2) } == moved)
    self.files.setContent(of: "x.imd", to: content)
    #expect(error { try log.log.sync() } == moved)
    #expect(log.log.close() == moved)
  }

  // MARK: Use

  @Test func numbersMustAscend() throws {
    var log = try TestLog(self.files)
    try log.add(1...2)
    for (kind, number) in [
      (LineKind.actions, 2), (.jump, 1), (.options, 3), (.history, 1), (.base, 3), (.snapshot, 3),
    ] {
      #expect(
        error { try log.log.append(kind, number, "[]") }
          == LogError(.invalid, "entry \(number) must not follow entry 2 in \"x.imd\""))
    }
    try log.log.append(.history, 2, "\"beginGroup\"")
    try log.log.append(.options, 2, "{}")
    // A batch has the number of its last action.
    try log.log.append(.actions, 5, "[5]")
    try log.log.sync()
    #expect(try self.state() == ["[1]", "[2]", "\"beginGroup\"", "{}", "[5]"])
  }

  @Test func aClosedLogRefuses() throws {
    var log = try TestLog(self.files)
    try log.add(1...1)
    log.log.close()
    let closed = LogError(.closed, "the log \"x.imd\" was closed; open it again")
    #expect(error { try log.log.append(.actions, 2, "[2]") } == closed)
    #expect(error { try log.log.waitForRoom() } == closed)
    #expect(!log.log.waitWhileOpen(upTo: 1))
    #expect(!log.log.work())
    log.log.writeSoon()
    // All that was appended is on the disk.
    try log.log.wait(upTo: 1)
    try log.log.wait(upTo: 100)
    try log.log.sync()
  }

  @Test func aLogThatIsReadRefuses() throws {
    try TestLog(self.files).log.close()
    let log = try TestLog(self.files) { $0.isReadOnly = true }
    #expect(
      error { try log.log.append(.actions, 1, "[1]") }
        == LogError(.invalid, "the log \"x.imd\" was opened to be read only"))
    #expect(log.log.close() == nil)
  }
}
