import ImmutableJSON
import StateLog
import Synchronization
import TestSupport
import Testing

/// A log that is compacted while it is open.
@Suite struct CompactionTests {
  private let files: MemoryFiles
  /// What a base is made of.
  private let content = Content()

  private final class Content: Sendable {
    let value = Mutex<(LogPosition, Value)?>(nil)
  }

  init() {
    self.init(MemoryFiles())
  }

  private init(_ files: MemoryFiles) {
    self.files = files
  }

  /// The text of an entry, whose line has about 2 KB.
  private static func text(_ number: Int) -> String {
    "\"\(number)" + String(repeating: "x", count: 2000) + "\""
  }

  private static func texts(_ range: ClosedRange<Int>) -> [String] {
    range.map { Self.text($0) }
  }

  /// A log that is due, with the entries 1 to 40.
  ///
  /// - Parameter check: Called during the compaction.
  private func makeLog(
    _ durability: LogDurability = .normal, keeping keep: LogKeep = .entries(5),
    _ check: @escaping @Sendable (LogFile) throws -> Void = { _ in }
  ) throws -> TestLog {
    var log = try TestLog(self.files, "x.imd", durability)
    let file = log.log
    file.setSnapshotSource { [content] in content.value.withLock { $0 } }
    let compaction = LogCompaction(keep) { [weak file] path, number in
      #expect(path == "x.imd-new")
      #expect(number >= 40)
      if let file { try check(file) }
    }
    file.compactRegularly(compaction, from: try file.beginning())
    for _ in 1...40 { try self.append(to: &log) }
    try file.wait(upTo: 40)
    return log
  }

  private func append(to log: inout TestLog) throws {
    try log.append(Self.text(log.number + 1))
    let (position, data) = log.snapshot
    self.content.value.withLock { $0 = (position, data) }
  }

  private func work(_ log: TestLog) {
    while log.log.work() {}
  }

  /// The numbers of the entries in the file, and the state that opening it leads to.
  private func read() throws -> (numbers: [Int], state: [String]) {
    let scan = try LogScan("x.imd", files: self.files)
    var numbers: [Int] = []
    while let line = try scan.next() {
      if line.kind == .actions { numbers.append(line.number) }
    }
    return (numbers, try TestLog(self.files) { $0.isReadOnly = true }.state)
  }

  @Test func entriesThatStayFollowTheNewBase() throws {
    var log = try self.makeLog()
    self.work(log)
    #expect(log.log.statistics.compactions == 1)
    #expect(log.log.statistics.firstEntry == 36)
    #expect(try self.read().numbers == Array(36...40))
    try log.append(Self.text(41))
    log.log.close()
    let (numbers, state) = try self.read()
    #expect(numbers == Array(36...41))
    #expect(state == Self.texts(1...41))
    #expect(self.files.paths == ["x.imd"])
  }

  @Test(arguments: LogDurability.allCases, [LogKeep.entries(5), .entries(0), .bytes(0)])
  func whatIsAppendedMeanwhileStays(_ durability: LogDurability, _ keep: LogKeep) throws {
    let log = try self.makeLog(durability, keeping: keep) { log in
      for number in 41...60 { try log.append(.actions, number, Self.text(number)) }
      try log.wait(upTo: 60)
      // This one waits in memory.
      try log.append(.actions, 61, Self.text(61))
    }
    self.work(log)
    #expect(log.log.statistics.compactions == 1)
    try log.log.sync()
    try log.log.append(.actions, 62, Self.text(62))
    log.log.close()
    let (numbers, state) = try self.read()
    #expect(numbers.suffix(22) == Array(41...62))
    #expect(state == Self.texts(1...62))
  }

  /// Entries that arrive faster than the log is compacted wait a little, each, and the next
  /// compaction follows at once.
  @Test func entriesThatArriveFasterWait() throws {
    let waited = Mutex(Duration.zero)
    var log = try self.makeLog { [content] log in
      guard log.position.number == 40 else { return }
      content.value.withLock { $0 = nil }
      for number in 41...700 { try log.append(.actions, number, Self.text(number)) }
      let time = try ContinuousClock().measure { try log.waitForRoom() }
      waited.withLock { $0 = time }
    }
    self.work(log)
    #expect(waited.withLock { $0 } >= .milliseconds(10))

    (log.number, log.state) = (700, Self.texts(1...700))
    try self.append(to: &log)
    self.work(log)
    #expect(log.log.statistics.compactions == 2)
    #expect(log.log.statistics.firstEntry == 697)
    #expect(try self.read().state == Self.texts(1...701))
  }

  @Test func bytesThatStay() throws {
    self.work(try self.makeLog(keeping: .bytes(7000)))
    #expect(try self.read().numbers == [38, 39, 40])
  }

  @Test func aLogWhoseEntriesStayIsNotWrittenAnew() throws {
    let log = try self.makeLog(keeping: .entries(30))
    self.files.record()
    self.work(log)
    #expect(log.log.statistics.compactions == 0)
    #expect(try self.read().numbers == Array(1...40))
  }

  @Test func aSmallLogIsNotWrittenAnew() throws {
    var log = try TestLog(self.files)
    log.log.setSnapshotSource { nil }
    log.log.compactRegularly(
      LogCompaction(.entries(0)) { _, _ in }, from: try log.log.beginning())
    try log.add(1...100)
    #expect(!log.log.work())
  }

  /// Appends entries during a compaction, and notes the last one that is on the disk.
  private static func append(to acknowledged: Counter) -> @Sendable (LogFile) throws -> Void {
    { log in
      for number in 41...45 { try log.append(.actions, number, Self.text(number)) }
      try log.wait(upTo: 45)
      acknowledged.value.withLock { $0 = 45 }
    }
  }

  private final class Counter: Sendable {
    let value: Mutex<Int>

    init(_ value: Int) {
      self.value = Mutex(value)
    }
  }

  /// Any call of a compaction fails, or the power is cut there.
  @Test(arguments: [true, false])
  func aCallFails(isPowerCut: Bool) throws {
    var (failing, failures, isComplete) = (0, 0, false)
    while !isComplete {
      failing += 1
      let files = MemoryFiles()
      let test = CompactionTests(files)
      let (acknowledged, calls) = (Counter(40), Counter(0))
      let log = try test.makeLog(.full, Self.append(to: acknowledged))
      files.setFault { [failing] _ in
        let number = calls.value.withLock { calls in
          calls += 1
          return calls
        }
        // After a power cut, nothing succeeds.
        return number == failing || isPowerCut && number > failing ? .init() : nil
      }
      test.work(log)
      files.setFault(nil)
      isComplete = calls.value.withLock { $0 < failing }
      var last = acknowledged.value.withLock { $0 }
      if isPowerCut {
        files.cutPower()
      } else {
        if log.log.statistics.compactions == 0 {
          failures += 1
          #expect(log.log.statistics.compactionProblem != nil || log.log.problem != nil)
        }
        // A failed sync may have to be repaired.
        try log.log.sync()
        last = log.log.position.number + 1
        try log.log.append(.actions, last, Self.text(last))
        #expect(log.log.close() == nil)
      }
      let state = try TestLog(files).state
      #expect(state.count >= last && state == Self.texts(1...state.count))
    }
    #expect(failing > 30)
    #expect(isPowerCut || failures > 10)
  }

  @Test func afterAFailureTheNextAttemptWaitsUntilTheLogIsTwiceAsLong() throws {
    let isFailing = Mutex(true)
    var log = try self.makeLog { _ in
      if isFailing.withLock({ $0 }) { throw LogError(.io, "no") }
    }
    self.work(log)
    #expect(log.log.statistics.compactionProblem == "no")
    isFailing.withLock { $0 = false }
    let size = log.log.statistics.bytes
    while log.log.statistics.bytes < 2 * size {
      #expect(log.log.statistics.compactions == 0)
      try self.append(to: &log)
      self.work(log)
    }
    #expect(log.log.statistics.compactions == 1)
    #expect(log.log.statistics.compactionProblem == nil)
    log.log.close()
  }
}
