import StateLog
import TestSupport
import Testing

/// What becomes of a log that was damaged: its exact state, a cut that is counted, or an error.
@Suite struct DamageTests {
  private static let entries = texts(1...8)

  /// A log with eight entries; four of them were on the disk before the others were written.
  private static func makeLog() throws -> [UInt8] {
    let files = MemoryFiles()
    var log = try TestLog(files)
    try log.add(1...4)
    try log.log.sync()
    try log.add(5...8)
    // The process ends without closing the log, which would say that all of it was on the disk.
    try log.log.wait(upTo: 8)
    return try #require(files.content(of: TestLog.path))
  }

  private enum Outcome: Equatable {
    case state(count: Int, cutBytes: Int)
    case corrupt(line: Int?)
  }

  /// Opens a damaged log. An error must leave it as it is, and a cut must leave a whole log.
  private static func outcome(_ content: [UInt8]) throws -> Outcome {
    let files = MemoryFiles()
    files.setContent(of: TestLog.path, to: content)
    do {
      let log = try TestLog(files)
      let cut = log.log.statistics.cutBytes
      // The state is that after some of the entries, without exception.
      #expect(log.state == Array(self.entries.prefix(log.state.count)))
      log.log.close()
      let kept = files.content(of: TestLog.path)
      #expect(kept.map { $0 + (files.content(of: TestLog.path + "-cut") ?? []) } == content)
      #expect(files.content(of: TestLog.path + "-cut")?.count ?? 0 == cut)
      // Cut, it is a log like others.
      var again = try TestLog(files)
      #expect(again.state == log.state)
      #expect(again.log.statistics.cutBytes == 0)
      try again.append("[\(again.state.count + 1)]")
      again.log.close()
      #expect(try TestLog(files).state == again.state)
      return .state(count: log.state.count, cutBytes: cut)
    } catch let error as LogError {
      #expect(error.code == .corrupt)
      #expect(files.content(of: TestLog.path) == content)
      #expect(files.paths == [TestLog.path])
      let words = error.message.split(separator: " ")
      let line = words.firstIndex(of: "line").map { words[$0 + 1].dropLast() }
      return .corrupt(line: line.flatMap { Int($0) })
    }
  }

  /// The lines, with their line feeds.
  private static func lines(_ content: [UInt8]) -> [[UInt8]] {
    content.split(separator: UInt8(ascii: "\n")).map { $0 + [UInt8(ascii: "\n")] }
  }

  /// What must be the outcome if the log is not whole from a line on. The lines from 7 on, the
  /// entries from the fifth on, were written after the others were on the disk.
  private static func expected(_ line: Int, _ lines: [[UInt8]], _ rest: Int) -> Outcome {
    line <= 6 ? .corrupt(line: line) : .state(count: line - 3, cutBytes: rest)
  }

  @Test func aWholeLogIsRead() throws {
    #expect(try Self.outcome(Self.makeLog()) == .state(count: 8, cutBytes: 0))
  }

  @Test func eachChangedBitIsFound() throws {
    let content = try Self.makeLog()
    var line = 1
    for (offset, byte) in content.enumerated() {
      var changed = content
      changed[offset] = byte ^ 1 << UInt8(offset % 8)
      let outcome = try Self.outcome(changed)
      if line == 1, offset < 8 {
        // It does not begin as a log.
        #expect(outcome == .corrupt(line: nil))
      } else {
        let rest = Self.lines(content).dropFirst(line - 1).joined().count
        #expect(outcome == Self.expected(line, [], rest), "at byte \(offset)")
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
    }
  }

  /// The line after the last entry says that it was on the disk, whatever is damaged: its sum, its
  /// other bytes or its line feed.
  @Test func eachChangedBitBeforeTheLastLineOfAClosedLogIsFound() throws {
    let files = MemoryFiles()
    var log = try TestLog(files)
    try log.add(1...2)
    log.log.close()
    let content = try #require(files.content(of: TestLog.path))
    let lines = Self.lines(content)
    let start = lines[..<3].joined().count
    for offset in start..<start + lines[3].count {
      for bit in 0..<8 as Range<UInt8> {
        var changed = content
        changed[offset] ^= 1 << bit
        #expect(try Self.outcome(changed) == .corrupt(line: 4), "at byte \(offset), bit \(bit)")
      }
    }
  }

  @Test func aCutIsNeverTakenForALine() throws {
    let content = try Self.makeLog()
    let lines = Self.lines(content)
    var ends = [0]
    for line in lines { ends.append(ends[ends.count - 1] + line.count) }
    for size in 0..<content.count {
      let whole = ends.lastIndex { $0 <= size } ?? 0
      let outcome = try Self.outcome(Array(content[..<size]))
      switch whole {
      case 0: #expect(outcome == .corrupt(line: nil), "at \(size)")
      case 1: #expect(outcome == .corrupt(line: 2), "at \(size)")
      // No line says that it was on the disk. A cut between lines cannot be seen.
      default:
        #expect(outcome == .state(count: whole - 2, cutBytes: size - ends[whole]), "at \(size)")
      }
    }
  }

  @Test func lostDoubledAndSwappedLinesAreFound() throws {
    let lines = Self.lines(try Self.makeLog())
    for index in lines.indices.dropFirst(2) {
      var lost = lines
      lost.remove(at: index)
      let line = index + 1
      let isLast = index == lines.count - 1
      if !isLast {
        #expect(
          try Self.outcome(Array(lost.joined()))
            == Self.expected(line, lost, lost[index...].joined().count), "\(line) is lost")
      }
      var doubled = lines
      doubled.insert(lines[index], at: index)
      #expect(
        try Self.outcome(Array(doubled.joined()))
          == Self.expected(line + 1, doubled, doubled[(index + 1)...].joined().count),
        "\(line) is doubled")
      guard !isLast else { continue }
      var swapped = lines
      swapped.swapAt(index, index + 1)
      #expect(
        try Self.outcome(Array(swapped.joined()))
          == Self.expected(line, swapped, swapped[index...].joined().count), "\(line) is swapped")
    }
  }

  /// What a file system may leave of lines that were not on the disk.
  @Test(arguments: [[0, 0, 0], Array("{\"sum\":\"".utf8), Array("\n\n".utf8), [0xFF, 0x0A]])
  func whatFollowsTheLastLineIsCut(_ rest: [UInt8]) throws {
    #expect(
      try Self.outcome(Self.makeLog() + rest) == .state(count: 8, cutBytes: rest.count))
  }

  @Test func aLongTailIsCut() throws {
    let rest = [UInt8](repeating: 0, count: 700_000) + Array("\nx\n".utf8)
    #expect(
      try Self.outcome(Self.makeLog() + rest) == .state(count: 8, cutBytes: rest.count))
  }

  /// The lines of another log have the right shape, and another chain.
  @Test func linesOfAnotherLogAreFound() throws {
    let files = MemoryFiles(seed: 2)
    var log = try TestLog(files)
    try log.add(1...9)
    log.log.close()
    let other = Self.lines(try #require(files.content(of: TestLog.path)))
    let content = try Self.makeLog() + other[10]
    #expect(try Self.outcome(content) == .state(count: 8, cutBytes: other[10].count))
  }

  @Test func whatIsCutIsKeptBesideWhatWasCutBefore() throws {
    let files = MemoryFiles()
    var log = try TestLog(files)
    try log.add(1...2)
    log.log.close()
    let content = try #require(files.content(of: TestLog.path))
    for rest in ["{\"sum", "more\nand more"] {
      files.setContent(of: TestLog.path, to: content + Array(rest.utf8))
      let log = try TestLog(files)
      #expect(log.log.statistics.cutBytes == rest.utf8.count)
      #expect(log.log.statistics.cutLines == rest.split(separator: "\n").count)
    }
    #expect(files.content(of: TestLog.path + "-cut") == Array("{\"summore\nand more".utf8))
  }

  @Test func aLogThatIsReadIsNotCut() throws {
    let files = MemoryFiles()
    let content = try Self.makeLog() + [1, 2, 3]
    files.setContent(of: TestLog.path, to: content)
    files.record()
    let log = try TestLog(files) { $0.isReadOnly = true }
    #expect(log.state == Self.entries)
    #expect(files.content(of: TestLog.path) == content)
    #expect(files.calls == [.open(TestLog.path, .read), .open(TestLog.path + "-snapshot", .read)])
  }

  @Test func aLogThatIsReadMustNotBecomeShorter() throws {
    let files = MemoryFiles()
    let content = try Self.makeLog()
    files.setContent(of: TestLog.path, to: content)
    let log = try TestLog(files) { $0.isReadOnly = true }
    try log.log.entries { _ in }
    files.setContent(of: TestLog.path, to: Array(content.dropLast()))
    #expect(error { try log.log.entries { _ in } }?.code == .corrupt)
  }

  @Test func aLogHasABase() throws {
    let files = MemoryFiles()
    files.setContent(of: TestLog.path, to: Self.lines(try Self.makeLog())[0])
    let scan = try LogScan(TestLog.path, files: files)
    #expect(try scan.next()?.kind == .log)
    #expect(error { _ = try scan.next() }?.message.contains("line 2") == true)
  }
}
