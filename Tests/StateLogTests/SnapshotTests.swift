import ImmutableJSON
import StateLog
import TestSupport
import Testing
import Threading

@Suite struct SnapshotTests {
  private let files = MemoryFiles()

  /// What the snapshots of a log are taken of.
  private final class Source: Sendable {
    let data: Mutex<Value?>

    init(_ log: TestLog, _ data: Value?) {
      self.data = Mutex(data)
      log.log.setSnapshotSource { [self, weak file = log.log] in
        guard let file, let data = self.data.withLock({ $0 }) else { return nil }
        return (file.position, data)
      }
    }
  }

  private static func text(_ size: Int) -> String {
    "\"" + String(repeating: "x", count: size) + "\""
  }

  /// Appends an entry that makes the log longer by about a number of bytes.
  private func add(_ size: Int, to log: inout TestLog) throws {
    try log.append(Self.text(size))
    try log.log.wait(upTo: log.number)
  }

  private func work(_ log: LogFile) {
    while log.work() {}
  }

  /// A log with some entries, and a snapshot after them.
  private func makeSnapshot() throws -> TestLog {
    var log = try TestLog(self.files)
    try log.add(1...3)
    let state: Value = ["state": ["[1]", "[2]", "[3]"]]
    let source = Source(log, state)
    for _ in 0..<7 { try self.add(10_000, to: &log) }
    source.data.withLock { data in
      data = ["state": .array(JSONArray(log.state.map { .string("\($0.count)") }))]
    }
    self.work(log.log)
    #expect(log.log.statistics.snapshots == 1)
    log.log.setSnapshotSource(nil)
    return log
  }

  private var snapshot: [UInt8]? {
    self.files.content(of: "x.imd-snapshot")
  }

  @Test func openingReadsNoMoreThanWhatFollowsTheSnapshot() throws {
    var log = try self.makeSnapshot()
    try log.add(11...12)
    log.log.close()
    self.files.record()
    log = try TestLog(self.files)
    #expect(log.state == ["3", "3", "3"] + Array(repeating: "10002", count: 7) + texts(11...12))
    #expect(log.number == 12)
    // What it is worth: what precedes it is not read at all.
    let content = try #require(self.files.content(of: "x.imd"))
    var damaged = content
    damaged[content.count / 2] ^= 1
    self.files.killProcess()
    self.files.setContent(of: "x.imd", to: damaged)
    #expect(try TestLog(self.files).state == log.state)
  }

  /// Whatever bit of it changes.
  @Test func aSnapshotThatIsDamagedIsIgnored() throws {
    let log = try self.makeSnapshot()
    log.log.close()
    let snapshot = try #require(self.snapshot)
    let contents =
      snapshot.indices.map { index in
        var changed = snapshot
        changed[index] ^= 1 << UInt8(index % 8)
        return changed
      } + [[], Array(snapshot.dropLast()), Array(snapshot.dropFirst())]
    for content in contents {
      self.files.setContent(of: "x.imd-snapshot", to: content)
      let reader = try TestLog(self.files) { $0.isReadOnly = true }
      #expect(reader.state == log.state)
    }
  }

  @Test func aSnapshotOfAnotherLogIsIgnored() throws {
    try self.makeSnapshot().log.close()
    let other = MemoryFiles(seed: 2)
    other.setContent(of: "x.imd-snapshot", to: self.snapshot)
    var log = try TestLog(other)
    try log.add(1...3)
    #expect(log.state == texts(1...3))
    log.log.close()
    #expect(try TestLog(other).state == texts(1...3))
  }

  /// A log that lost what its snapshot says was on the disk.
  @Test func aShortenedLogIsRefused() throws {
    var log = try self.makeSnapshot()
    let size = log.log.statistics.bytes
    try log.add(11...11)
    log.log.close()
    let content = try #require(self.files.content(of: "x.imd"))
    self.files.setContent(of: "x.imd", to: Array(content.prefix(5000)))
    #expect(
      error { _ = try TestLog(self.files) }
        == LogError(
          .corrupt,
          "\"x.imd\" has 5000 bytes, but had \(size) when its snapshot was written; "
            + "restore it, or remove the snapshot to go on without what is missing"))
    self.files.setContent(of: "x.imd-snapshot", to: nil)
    log = try TestLog(self.files)
    #expect(log.state == texts(1...3))
    #expect(log.log.statistics.cutBytes > 0)
  }

  /// The snapshot says that the line was on the disk.
  @Test func aLineThatTheSnapshotKnowsIsNotCut() throws {
    let log = try self.makeSnapshot()
    log.log.close()
    var content = try #require(self.files.content(of: "x.imd"))
    // Without the line that says that the log was closed.
    let last = try #require(content.dropLast().lastIndex(of: UInt8(ascii: "\n")))
    content.removeSubrange((last + 1)...)
    var damaged = content
    damaged[content.count - 20_000] ^= 1
    damaged[content.count - 10] ^= 1
    self.files.setContent(of: "x.imd", to: damaged)
    let error = error { _ = try TestLog(self.files) }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("line 11") == true, "\(error?.message ?? "")")
  }

  // MARK: When

  @Test func entriesMustBeTwiceAsLongAsTheSnapshot() throws {
    var log = try TestLog(self.files)
    let size = 50_000
    _ = Source(log, ["state": .string(String(repeating: "s", count: size))])
    for _ in 0..<9 { try self.add(11_000, to: &log) }
    self.work(log.log)
    // Longer than half of the entries: the next attempt is after twice as many.
    #expect(log.log.statistics.snapshots == 0)
    try self.add(11_000, to: &log)
    self.work(log.log)
    #expect(log.log.statistics.snapshots == 0)
    for _ in 0..<8 { try self.add(11_000, to: &log) }
    self.work(log.log)
    #expect(log.log.statistics.snapshots == 1)
    // And then after twice its length.
    for count in 1...9 {
      try self.add(11_000, to: &log)
      self.work(log.log)
      #expect(log.log.statistics.snapshots == 1, "after \(count)")
    }
    try self.add(11_000, to: &log)
    self.work(log.log)
    #expect(log.log.statistics.snapshots == 2)
  }

  @Test(arguments: [0, 1, 2, 3])
  func snapshotsTakeLessThanHalfOfTheEntries(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    var log = try TestLog(self.files)
    let source = Source(log, nil)
    let start = log.log.statistics.bytes
    for _ in 0..<400 {
      let size = 1 << Int.random(in: 0..<18, using: &generator)
      source.data.withLock { $0 = .string(String(repeating: "s", count: size)) }
      try self.add(Int.random(in: 0..<3000, using: &generator), to: &log)
      if generator.isOne(in: 3) { self.work(log.log) }
      let statistics = log.log.statistics
      #expect(2 * statistics.snapshotBytes <= statistics.bytes - start + 1000)
    }
    #expect(log.log.statistics.snapshots > 1)
  }

  @Test func aSourceWithoutAStateIsAskedAfterTheNextEntry() throws {
    var log = try TestLog(self.files)
    let source = Source(log, nil)
    for _ in 0..<7 { try self.add(11_000, to: &log) }
    #expect(log.log.work())
    #expect(!log.log.work())
    source.data.withLock { $0 = 1 }
    #expect(!log.log.work())
    try self.add(10, to: &log)
    self.work(log.log)
    #expect(log.log.statistics.snapshots == 1)
  }

  @Test func theLastSnapshotIsTakenIfItPays() throws {
    for (size, entry, isTaken) in [(3000, 5000, true), (6000, 5000, false), (100, 3000, false)] {
      let files = MemoryFiles()
      var log = try TestLog(files)
      _ = Source(log, .string(String(repeating: "s", count: size)))
      try log.append(Self.text(entry))
      log.log.close()
      #expect(log.log.statistics.snapshots == (isTaken ? 1 : 0), "\(size)")
      #expect((files.content(of: "x.imd-snapshot") != nil) == isTaken)
    }
  }

  // MARK: How

  @Test func aSnapshotFollowsTheLogToTheDisk() throws {
    var log = try TestLog(self.files)
    _ = Source(log, 1)
    for _ in 0..<7 { try self.add(11_000, to: &log) }
    self.files.record()
    self.work(log.log)
    let calls = self.files.calls.filter { if case .write = $0 { false } else { true } }
    #expect(
      calls == [
        .sync("x.imd"), .open("x.imd-snapshot", .write), .open("x.imd-snapshot-new", .write),
        .open("x.imd-snapshot-new", .createPrivate), .sync("x.imd-snapshot-new"),
        .rename("x.imd-snapshot-new"), .syncFolder,
      ])
  }

  /// At each call. The log goes on, and the last snapshot stays.
  @Test func aSnapshotThatFailsIsTakenLater() throws {
    for number in 0..<7 {
      let files = MemoryFiles()
      var log = try TestLog(files)
      _ = Source(log, 1)
      for _ in 0..<7 {
        try log.append(Self.text(11_000))
        try log.log.wait(upTo: log.number)
      }
      try log.log.sync()
      let count = Recorder<Int>()
      files.setFault { call in
        count.append(0)
        return count.all.count == number + 1 ? MemoryFiles.Fault(28, after: 10) : nil
      }
      while log.log.work() {}
      files.setFault(nil)
      #expect(log.log.statistics.failedSnapshots == 1, "\(number)")
      #expect(!files.paths.contains("x.imd-snapshot-new"))
      for _ in 0..<7 {
        try log.append(Self.text(11_000))
        try log.log.wait(upTo: log.number)
      }
      while log.log.work() {}
      #expect(log.log.statistics.snapshots > 0, "\(number)")
      files.cutPower()
      #expect(files.content(of: "x.imd-snapshot") != nil)
    }
  }

  @Test func snapshotsAreTakenInTheBackground() throws {
    var log = try TestLog(self.files) { $0.hasThread = true }
    _ = Source(log, 1)
    let renamed = Recorder<Int>()
    self.files.setFault { call in
      if case .rename = call { renamed.append(1) }
      return nil
    }
    for _ in 0..<7 { try self.add(11_000, to: &log) }
    renamed.wait(for: 1)
    log.log.close()
    #expect(self.snapshot != nil)
  }

  // MARK: Writing anew

  @Test func noSnapshotIsTakenWhileTheLogIsWrittenAnew() throws {
    var log = try TestLog(self.files)
    _ = Source(log, 1)
    for _ in 0..<7 { try self.add(11_000, to: &log) }
    let (file, number) = (log.log, log.number)
    var worked: [Bool] = []
    let rewriting = LogRewriting { _ in
      worked.append(file.work())
      return (["state": []], number)
    }
    #expect(try file.rewrite(rewriting) == 0)
    #expect(worked == [false, false])
    // It closes the old file.
    #expect(file.work())
    #expect(!file.work())
    #expect(file.statistics.snapshots == 0)
  }

  @Test func aLogIsWrittenAnewWhenItsSnapshotHasEnded() throws {
    var log = try TestLog(self.files)
    for _ in 0..<7 { try self.add(11_000, to: &log) }
    let (file, number) = (log.log, log.number)
    let thread = Mutex<Thread?>(nil)
    file.setSnapshotSource { [weak file] in
      guard let file else { return nil }
      let position = file.position
      thread.withLock { thread in
        thread = Thread.start {
          _ = try? file.rewrite(LogRewriting { _ in (["state": []], number) })
        }
      }
      return (position, 1)
    }
    self.files.record()
    #expect(file.work())
    thread.withLock { $0.take() }?.join()
    let made = self.files.calls.filter {
      if case .open(_, .createPrivate) = $0 { true } else { false }
    }
    #expect(
      made == [.open("x.imd-snapshot-new", .createPrivate), .open("x.imd-new", .createPrivate)])
    #expect(self.snapshot == nil)
  }

  @Test func closingReleasesTheSource() throws {
    let log = try TestLog(self.files)
    var source: Source? = Source(log, 1)
    weak let released = source
    source = nil
    #expect(released != nil)
    log.log.close()
    #expect(released == nil)
  }
}
