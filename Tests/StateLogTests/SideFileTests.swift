import ImmutableJSON
import StateLog
import TestSupport
import Testing

/// The files beside a log, and other logs that have their names.
@Suite struct SideFileTests {
  private let files = MemoryFiles()

  /// Does all that makes, replaces or removes a file beside the log.
  private func useAll() throws {
    var log = try TestLog(self.files)
    let position = log.log.position
    log.log.setSnapshotSource { [weak file = log.log] in
      file.map { ($0.position, ["state": []]) } ?? (position, 1)
    }
    for _ in 0..<7 {
      try log.append("\"" + String(repeating: "x", count: 11_000) + "\"")
      try log.log.wait(upTo: log.number)
    }
    while log.log.work() {}
    let number = log.number
    _ = try log.log.rewrite(LogRewriting { _ in (["state": []], number) })
    log.log.close()
    let content = try #require(self.files.content(of: TestLog.path))
    self.files.setContent(of: TestLog.path, to: content + Array("torn".utf8))
    log = try TestLog(self.files)
    #expect(log.log.statistics.cutBytes == 4)
    log.log.close()
  }

  @Test(arguments: ["-new", "-snapshot", "-snapshot-new", "-cut"], [true, false])
  func anotherLogIsLeftAlone(_ suffix: String, _ isOpen: Bool) throws {
    let path = TestLog.path + suffix
    var other = try TestLog(self.files, path)
    if isOpen {
      try self.useAll()
      try other.add(1...2)
    } else {
      try other.add(1...2)
      other.log.close()
      try self.useAll()
    }
    other.log.close()
    other = try TestLog(self.files, path)
    #expect(other.state == texts(1...2))
    #expect(other.log.statistics.cutBytes == 0)
  }

  /// What a process that ended was making, of a new log and of one that it wrote anew.
  @Test func whatIsMadeAgainIsRemoved() throws {
    let new = TestLog.path + "-new"
    try TestLog(self.files, new).log.close()
    let content = try #require(self.files.content(of: new))
    for left in [content, Array(content.dropLast(9)), Array(content.prefix(50)), []] {
      self.files.setContent(of: new, to: left)
      self.files.setContent(of: TestLog.path, to: nil)
      let log = try TestLog(self.files)
      #expect(self.files.paths == [TestLog.path])
      log.log.close()
    }
    self.files.setContent(of: new, to: self.files.content(of: TestLog.path))
    try TestLog(self.files).log.close()
    #expect(self.files.paths == [TestLog.path])
  }

  // MARK: Limits

  @Test(arguments: [(1_000_000_000_000_000_000, 1), (1, -1_000_000_000_000_000_000), (1, .min)])
  func anEntryThatCouldNotBeReadIsNotWritten(_ number: Int, _ time: Int64) throws {
    let log = try TestLog(self.files).log
    #expect(
      error { try log.append(.actions, number: number, time: time, data: [0x31]) }
        == LogError(
          .limit,
          "the number \(number) or the time \(time) of an entry of \"x.imd\" has more than 18 "
            + "digits"))
    try log.append(
      .actions, number: 999_999_999_999_999_999, time: -999_999_999_999_999_999, data: [0x31])
    log.close()
    #expect(try TestLog(self.files).number == 999_999_999_999_999_999)
  }
}
