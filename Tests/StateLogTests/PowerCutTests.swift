import ImmutableJSON
import StateLog
import TestSupport
import Testing
import Threading

/// Random programs whose calls of the system fail, that are killed, and whose power is cut.
@Suite struct PowerCutTests {
  @Test(arguments: seeds(30))
  func whatWasAcknowledgedStays(_ seed: Int) throws {
    var run = Run(seed)
    for _ in 0..<12 {
      try run.session()
    }
  }

  fileprivate struct Run {
    let files: MemoryFiles
    var generator: SeededGenerator
    var entries: [String] = []
    /// How many of them must be there after the end of the process, and after a power cut.
    var kept = 0
    var synced = 0
    var count = 0

    init(_ seed: Int) {
      self.files = MemoryFiles(seed: seed)
      self.generator = SeededGenerator(seed)
    }
  }
}

extension PowerCutTests.Run {
  /// Opens the log, uses it for a while, and ends the process in some way.
  mutating func session() throws {
    self.setFaults(one: self.generator.isOne(in: 3) ? 8 : nil)
    let durability = LogDurability.allCases.randomElement(using: &self.generator) ?? .full
    var log: TestLog?
    do {
      log = try TestLog(self.files, "x.imd", durability)
    } catch let error as LogError {
      // Damage that a power cut leaves is none.
      guard error.code == .io else { throw error }
    }
    self.setFaults(one: self.generator.isOne(in: 2) ? 15 : nil)
    if let log { try self.use(log, durability) }
    self.setFaults(one: nil)
    if self.generator.isOne(in: 2) {
      self.files.killProcess()
    } else {
      var choices = self.generator
      self.files.cutPower { change in
        guard choices.isOne(in: 2) else { return 0 }
        guard case .write(_, _, let count) = change, choices.isOne(in: 2) else { return .max }
        return Int.random(in: 0...count, using: &choices)
      }
      self.generator = choices
      self.kept = self.synced
    }
  }

  private mutating func use(_ log: TestLog, _ durability: LogDurability) throws {
    var log = log
    #expect(self.kept <= log.state.count)
    #expect(log.state.count <= self.entries.count)
    #expect(log.state == Array(self.entries.prefix(log.state.count)))
    self.entries = log.state
    self.kept = log.state.count
    let file = log.log
    let recorder = Recorder<(LogPosition, Value)>()
    if self.generator.isOne(in: 2) {
      file.setSnapshotSource { recorder.all.last.map { ($0.0, $0.1) } }
      if self.generator.isOne(in: 2), let beginning = try? file.beginning() {
        let keeps: [LogKeep] = [.entries(0), .entries(3), .bytes(10_000)]
        let keep = keeps.randomElement(using: &self.generator) ?? .all
        file.compactRegularly(LogCompaction(keep) { _, _ in }, from: beginning)
      }
    }
    for _ in 0..<Int.random(in: 0..<12, using: &self.generator) {
      switch Int.random(in: 0..<6, using: &self.generator) {
      case 0: if error({ try file.sync() }) == nil { self.acknowledge(.full) }
      case 1: file.work()
      case 2: file.writeSoon()
      default:
        self.count += 1
        let size = 1 << Int.random(in: 0..<15, using: &self.generator)
        let text = "\"\(self.count)\(String(repeating: "x", count: size))\""
        guard error({ try file.waitForRoom() }) == nil else { continue }
        guard error({ try log.append(text) }) == nil else {
          log.number -= 1
          continue
        }
        self.entries.append(text)
        recorder.append((log.snapshot.position, log.snapshot.data))
        if error({ try file.wait(upTo: log.number) }) == nil { self.acknowledge(durability) }
      }
    }
    if self.generator.isOne(in: 3), file.close() == nil, file.statistics.entries > 0 {
      self.acknowledge(.full)
    }
    file.setSnapshotSource(nil)
  }

  private mutating func acknowledge(_ durability: LogDurability) {
    if durability != .none { self.kept = self.entries.count }
    if durability == .full { self.synced = self.entries.count }
  }

  /// Lets one in so many calls fail.
  private func setFaults(one count: Int?) {
    guard let count else { return self.files.setFault(nil) }
    let generator = Mutex(self.generator)
    self.files.setFault { call in
      generator.withLock { generator in
        guard generator.isOne(in: count) else { return nil }
        guard case .write(_, let count) = call else { return MemoryFiles.Fault() }
        return MemoryFiles.Fault(after: Int.random(in: 0...count, using: &generator))
      }
    }
  }
}
