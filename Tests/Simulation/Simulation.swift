import ImmutableJSON
import StateEngine
import StateLog
import TestSupport

/// A program that keeps its state in a log, on a ``SimulatedSystem``: random actions, jumps,
/// crashes and openings, compared with a model. One seed decides everything.
package final class Simulation {
  package struct Result {
    package let seed: Int
    package let hash: UInt64
    /// What was wrong, if something was.
    package let failure: String?
    package let situations: Set<Situation>
    package let trace: [String]
  }

  struct Failure: Error {
    let message: String
  }

  /// The model after an entry.
  struct Version {
    /// Where the entry ends in the log.
    let end: Int
    let model: HistoryModel
    /// How many entries with actions there are.
    var actionEntries: Int
    /// Whether an opening has written the entry.
    var isOfOpening = false
    /// Whether it is of a log that was written anew, and ends after the entries that were kept.
    var isCompacted = false
    /// Whether that log has all entries that it had before.
    var isMigrated = false
  }

  /// How the last process ended.
  enum End {
    case none, closed, killed, cut
  }

  let seed: Int
  let system: SimulatedSystem
  var random: SeededGenerator
  let isOptimistic: Bool
  let durability: LogDurability
  let initial: HistoryModel
  /// The values of actions; long ones make snapshots due.
  let values: [String]
  let isLong: Bool

  var store: AnyStore?
  /// That of a store that was closed, and exists.
  var closedStore: AnyStore?
  var log: LogFile?
  var process: SimulatedProcess
  let reducer = ReducerCounter()
  var follower: AnyStore?
  var followerProcess: SimulatedProcess?
  /// The writer when the follower was opened.
  var followedBy: Int32 = 0

  var versions: [Version] = []
  /// Up to which version the log survives the end of the process, and a power cut; -1 if even the
  /// log itself may be lost.
  var kept = -1
  var safe = -1
  var end = End.none
  /// What must have survived.
  var floor = -1
  /// The logs that were compacted since the last one whose name is on the disk: the first two
  /// lines, and all versions, which are on the disk.
  var replaced: [(beginning: [UInt8], versions: [Version])] = []
  /// How often the log was compacted, and how often when the follower was opened.
  var compactions = 0
  var followedCompactions = 0
  /// How many versions were lost since the last process.
  var lost = 0
  var isFinished = false
  var isPowerCutNext = false
  /// The content of the log before the process ended.
  var content: [UInt8] = []
  /// Actions are refused until a sync succeeds.
  var mustBeRefused = false
  /// Whether a sync has repaired a failed one, and all that was so acknowledged.
  var wasRepaired = false
  /// The steps that could be undone when a log was opened whose tail was cut, or with a snapshot.
  var reachAfterCut = 0
  var reachAfterSnapshot = 0

  static let path = "x.imd"

  package init(_ seed: Int, keepsTrace: Bool = false) {
    self.seed = seed
    self.random = SeededGenerator(seed &* 7919 &+ 1)
    self.system = SimulatedSystem(seed, FaultStreams(seed), keepsTrace: keepsTrace)
    self.isOptimistic = self.random.isOne(in: 2)
    self.durability = LogDurability.allCases.randomElement(using: &self.random) ?? .full
    var model = HistoryModel()
    model.limit = [2, 5, 100].randomElement(using: &self.random) ?? 5
    model.joinsByMeta = self.random.isOne(in: 2)
    model.hasPath = self.random.isOne(in: 4)
    let isLong = self.random.isOne(in: 3)
    if isLong { model.limit = 2 }
    self.initial = model
    let isMiddle = self.random.isOne(in: 2)
    self.values = (0..<4).map { value in
      let padding = isLong ? (value > 2 ? 30_000 : 0) : isMiddle ? 200 : 0
      return String(value) + String(repeating: "-", count: padding)
    }
    self.isLong = isLong
    self.process = self.system.startProcess()
  }

  /// Starts a process in place of the one that has ended.
  func startProcess() {
    self.system.kill(self.process)
    self.process = self.system.startProcess()
    self.process.onCreation = { [unowned self] path in
      if path.hasSuffix("-snapshot-new") || self.random.isOne(in: 2) {
        self.scheduleCrash(within: 5)
      }
    }
  }

  /// Counts the calls of the reducer, which tell what an opening has replayed.
  final class ReducerCounter: @unchecked Sendable {
    var calls = 0
  }
}

// MARK: Runs

extension Simulation {
  package func run() -> Result {
    var failure: String?
    do {
      try self.open()
      let steps = Int.random(in: 15...45, using: &self.random) + (self.isLong ? 30 : 0)
      for step in 0..<steps {
        self.system.trace.add("\(step)", (5, step))
        try self.step()
      }
      try self.finish()
    } catch let error as Failure {
      failure = error.message
    } catch {
      failure = "\(error)"
    }
    self.system.isCalm = true
    (self.store, self.closedStore, self.follower, self.log) = (nil, nil, nil, nil)
    self.system.endProcesses()
    return Result(
      seed: self.seed, hash: self.system.trace.hash, failure: failure,
      situations: self.system.situations, trace: self.system.trace.lines)
  }

  /// Runs a seed twice, and again with its trace if it failed.
  package static func check(_ seed: Int, twice: Bool) -> Result {
    let result = Simulation(seed).run()
    guard result.failure != nil || twice else { return result }
    let again = Simulation(seed, keepsTrace: true).run()
    guard again.hash != result.hash else { return again }
    return Result(
      seed: seed, hash: result.hash,
      failure: "a second run differs; \(result.failure ?? "")", situations: again.situations,
      trace: again.trace)
  }

  func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Failure(message: message()) }
  }

  func reach(_ situation: Situation) {
    self.system.situations.insert(situation)
  }

  private func step() throws {
    switch Int.random(in: 0..<100, using: &self.random) {
    case 0..<64:
      try self.act()
      if self.isLong, self.random.isOne(in: 3) { self.work() }
    case 64..<70: self.work()
    case 70..<75: try self.sync()
    case 75..<79: if !self.isLong || self.random.isOne(in: 4) { try self.close() }
    case 79..<88: if !self.isLong || self.random.isOne(in: 4) { self.scheduleCrash() }
    case 88..<90: try self.openSecondWriter()
    case 90..<95: try self.follow()
    case 95..<98: try self.compact()
    default: if self.system.room != nil { self.system.room = nil }
    }
    try self.openAfterCrash()
  }

  /// Lets the process end, or the power be cut, within the next calls.
  func scheduleCrash(within calls: Int = 12) {
    guard self.process.callsLeft == nil, !self.isFinished else { return }
    let kinds = [FaultKind.kill, .powerCut].filter { self.system.faults[$0] }
    guard let kind = kinds.randomElement(using: &self.random) else { return }
    self.isPowerCutNext = kind == .powerCut
    self.process.callsLeft = self.system.faults.number(kind, 0..<calls)
  }
}

// MARK: What the program does

extension Simulation {
  /// The model of the state in memory.
  var model: HistoryModel {
    self.versions.last?.model ?? self.initial
  }

  private func act() throws {
    guard let store, let log else { return }
    var model = self.model
    let operation = HistoryModel.Operation.random(&model, &self.random).replacing(
      values: self.values, withMeta: self.isOptimistic)
    let before = log.statistics.entries
    let (result, error) = operation.perform(reporting: store)
    let hasAppended = log.statistics.entries > before
    let isIO = error?.code == .io
    self.system.trace.add(
      "\(operation): \(error.map { "\($0)" } ?? "\(result)"), \(hasAppended)",
      (log.statistics.bytes, hasAppended ? 1 : 0))
    if isIO {
      try self.require(
        self.system.failures > 0 || !self.process.isAlive, "an error without a cause: \(operation)")
      if !hasAppended {
        self.reach(.refused)
        return try self.compare(store, self.model, "after a refusal of \(operation)")
      }
    }
    let expected = model.perform(operation)
    if !isIO { try self.require(result == expected, "\(operation): \(result), not \(expected)") }
    guard hasAppended else {
      try self.require(model.number == self.model.number, "\(operation) has no entry")
      return
    }
    if self.mustBeRefused { throw Failure(message: "not refused: \(operation)") }
    let actions = operation.hasActions ? 1 : 0
    self.versions.append(
      Version(
        end: log.statistics.bytes, model: model,
        actionEntries: (self.versions.last?.actionEntries ?? 0) + actions))
    try self.compare(
      store, model, "after \(operation)", withHistory: self.random.isOne(in: 4))
    if isIO {
      self.reach(.committedNotKept)
      self.mustBeRefused = true
    }
    if case .undo = operation, case .steps(let count) = expected, count > 0 {
      if model.present < self.reachAfterCut { self.reach(.undoAcrossTornTail) }
      if model.present < self.reachAfterSnapshot { self.reach(.undoAcrossSnapshot) }
    }
    self.reachAfterCut = min(self.reachAfterCut, model.present)
    self.reachAfterSnapshot = min(self.reachAfterSnapshot, model.present)
    // Also if the process ended after the call that made it so.
    guard error == nil else { return }
    let last = self.versions.count - 1
    if self.durability != .none { self.kept = last }
    if self.durability == .full { self.beSafe() }
  }

  /// All versions are on the disk now.
  private func beSafe() {
    (self.kept, self.safe) = (self.versions.count - 1, self.versions.count - 1)
    self.replaced = []
  }

  private func sync() throws {
    guard let store else { return }
    let failures = self.system.failures
    do {
      try store.sync()
      self.system.trace.add("sync", (6, 0))
      self.beSafe()
      let recent = self.system.recentFailures
      if self.mustBeRefused {
        if recent.contains(.write) { self.reach(.writeRepaired) }
        if recent.contains(.fullDisk) { self.reach(.fullDiskRepaired) }
        if recent.contains(.sync) {
          self.reach(.syncRepaired)
          self.wasRepaired = true
        }
      }
      self.mustBeRefused = false
      self.system.recentFailures = []
    } catch {
      self.system.trace.add("sync: \(error)", (6, 1))
      try self.require(
        error.code == .io && (self.system.failures > failures || !self.process.isAlive),
        "sync failed: \(error)")
      if self.mustBeRefused { self.reach(.syncFailed) }
      self.mustBeRefused = true
    }
  }

  private func work() {
    guard let log else { return }
    let before = log.statistics
    for _ in 0..<Int.random(in: 1...3, using: &self.random) where !log.work() { break }
    let after = log.statistics
    if after.writes > before.writes { self.reach(.backgroundWrite) }
    if after.snapshots > before.snapshots { self.reach(.snapshotWritten) }
    if after.failedSnapshots > before.failedSnapshots { self.reach(.snapshotFailed) }
    self.system.trace.add(
      "work: \(after.snapshots) snapshots of \(after.snapshotBytes) bytes, \(after.bytes) bytes",
      (after.writes, after.snapshots))
  }

  func close() throws {
    guard let store, let log else { return }
    if self.random.isOne(in: 4) { self.scheduleCrash() }
    let failedSnapshots = log.statistics.failedSnapshots
    let failures = self.system.failures
    store.close()
    let error = log.close()
    let statistics = log.statistics
    self.system.trace.add("close: \(error.map { "\($0)" } ?? "whole")", (7, error == nil ? 0 : 1))
    if statistics.failedSnapshots > failedSnapshots { self.reach(.snapshotFailed) }
    // The process goes on, if it was not ended.
    guard self.process.isAlive else { return }
    if error != nil {
      try self.require(
        self.system.failures > failures || self.mustBeRefused || self.system.failures > 0,
        "close failed: \(error as Any)")
      self.reach(.closeFailed)
    } else if statistics.entries > 0 {
      self.beSafe()
      self.reach(.reopenedAfterClose)
    } else {
      self.reach(.unchangedLogReopened)
    }
    self.floor = min(self.floor, self.kept)
    self.end = .closed
    self.closedStore = self.random.isOne(in: 3) ? store : nil
    if self.closedStore != nil { self.reach(.reopenedBesideClosedStore) }
    (self.store, self.log) = (nil, nil)
    self.content = self.system.files.content(of: Self.path) ?? []
    if error == nil, self.random.isOne(in: 6) {
      try self.migrate()
      guard self.process.isAlive else { return }
    }
    try self.open()
  }

  // MARK: Writing anew

  /// What a log was before it is written anew.
  private struct OldLog {
    let identity: FileIdentity?
    let beginning: [UInt8]
    let failures: Int
  }

  /// After a crash it is the old one or the new one.
  private func beginRewriting(within calls: Int) -> OldLog {
    let files = self.system.files
    if self.random.isOne(in: 2) { self.scheduleCrash(within: calls) }
    return OldLog(
      identity: files.status(of: Self.path)?.identity,
      beginning: self.beginning(of: files.content(of: Self.path) ?? []),
      failures: self.system.failures)
  }

  private func requireFailure(_ error: EngineError, _ what: String, _ old: OldLog) throws {
    self.system.trace.add("\(what): \(error)", (12, 2))
    try self.require(
      error.code == .io && (self.system.failures > old.failures || !self.process.isAlive),
      "\(what): \(error)")
  }

  /// - Returns: Whether the log is another one now.
  private func endRewriting(_ old: OldLog, actionEntries: Int, _ model: HistoryModel) -> Bool {
    let files = self.system.files
    guard files.status(of: Self.path)?.identity != old.identity else { return false }
    self.replaced.append((old.beginning, self.versions))
    self.versions = [
      Version(
        end: files.content(of: Self.path)?.count ?? 0, model: model, actionEntries: actionEntries,
        isCompacted: true)
    ]
    (self.kept, self.safe) = (0, -1)
    self.compactions += 1
    return true
  }

  /// The version of the log, and of the program that opens it.
  var version: Int64 {
    let line = self.system.files.content(of: Self.path)?.prefix { $0 != UInt8(ascii: "\n") } ?? []
    let header = try? Value(json: String(decoding: line, as: UTF8.self))
    // In a damaged header it can be anything.
    if case .integer(let version)? = header?["log"]?["version"], version > 0 { return version }
    return 1
  }

  /// Brings the closed log to the next version, by a step that changes nothing.
  private func migrate() throws {
    guard let last = self.versions.last, self.version < 9 else { return }
    let old = self.beginRewriting(within: 50)
    let hasSnapshot = self.system.files.content(of: Self.path + "-snapshot") != nil
    do throws(EngineError) {
      let version = Int(self.version)
      try Log.migrate(
        Self.path, to: version + 1, [LogMigration(fromVersion: version) { $0 }], nil, nil, nil,
        self.process, isDomain: false)
      self.system.trace.add("migration", (13, version))
    } catch {
      try self.requireFailure(error, "migration", old)
      self.reach(.migrationFailed)
    }
    guard self.endRewriting(old, actionEntries: last.actionEntries, last.model) else { return }
    self.versions[0].isMigrated = true
    self.content = self.system.files.content(of: Self.path) ?? []
    self.floor = min(self.floor, self.kept)
    // It is of a program that does not know the new version.
    self.follower?.close()
    (self.follower, self.followerProcess) = (nil, nil)
    self.reach(self.process.isAlive ? .migrated : .migratedAndEnded)
    if hasSnapshot { self.reach(.migratedWithSnapshot) }
    if !last.model.changes.isEmpty { self.reach(.migratedInFlight) }
  }

  private func compact() throws {
    guard let store, self.process.isAlive else { return }
    let old = self.beginRewriting(within: 100)
    let keeps: [Value] = ["all", ["entries": 0], ["entries": 3]]
    let keep = keeps.randomElement(using: &self.random)
    var isWhole = true
    do throws(EngineError) {
      let isDone = try store.compactLog(keeping: keep)
      self.system.trace.add("compaction: \(isDone)", (12, isDone ? 1 : 0))
      if !isDone, self.model.changes.isEmpty { self.reach(.unchangedCompacted) }
    } catch {
      try self.requireFailure(error, "compaction", old)
      self.reach(.compactionFailed)
      isWhole = false
    }
    // It has synced the log first, or tried to.
    self.mustBeRefused = false
    guard self.endRewriting(old, actionEntries: 0, self.model) else { return }
    self.reach(self.process.isAlive ? .compacted : .compactedAndEnded)
    guard isWhole, self.process.isAlive else { return }
    try self.compare(store, self.model, "after a compaction")
  }

  func beginning(of content: [UInt8]) -> [UInt8] {
    var lines = 0
    return Array(
      content.prefix { byte in
        if byte == UInt8(ascii: "\n") { lines += 1 }
        return lines < 2
      })
  }

  private func openSecondWriter() throws {
    guard self.store != nil, self.process.isAlive else { return }
    let before = self.system.files.content(of: Self.path)
    let process = self.system.startProcess()
    let error = self.opening(process).failure
    self.system.trace.add("second writer: \(error.map { "\($0)" } ?? "opened")", (8, 0))
    try self.require(
      error?.code == .io && self.system.files.content(of: Self.path) == before,
      "a second writer: \(error.map { "\($0)" } ?? "opened")")
    self.system.kill(process)
    self.reach(.secondWriterRefused)
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}

extension HistoryModel.Operation {
  var hasActions: Bool {
    switch self {
    case .dispatch, .batch: true
    default: false
    }
  }

  /// With longer values, and without what only an optimistic store understands.
  func replacing(values: [String], withMeta isOptimistic: Bool) -> Self {
    func replace(_ action: Value) -> Value {
      guard case .object(var members) = action, case .object(var payload)? = action["payload"],
        case .integer(let value)? = action["payload"]?["value"]
      else { return action }
      payload["value"] = .string(values[Int(value) % values.count])
      members["payload"] = .object(payload)
      if !isOptimistic, case .object(var meta)? = action["meta"] {
        meta["optimistic"] = nil
        members["meta"] = .object(meta)
      }
      return .object(members)
    }
    switch self {
    case .dispatch(let action): return .dispatch(replace(action))
    case .batch(let actions): return .batch(actions.map(replace))
    default: return self
    }
  }

  func perform(reporting store: AnyStore) -> (HistoryModel.Result, EngineError?) {
    do throws(EngineError) {
      switch self {
      case .dispatch(let action): try store.dispatch(action)
      case .batch(let actions): try store.dispatch(batch: .array(JSONArray(actions)))
      case .undo(let count): return (.steps(try store.undo(count)), nil)
      case .redo(let count): return (.steps(try store.redo(count)), nil)
      case .travel(let number): try store.travel(to: number)
      case .beginGroup: try store.beginGroup()
      case .endGroup: try store.endGroup()
      case .cancelGroup: try store.cancelGroup()
      case .markClean: try store.markClean()
      }
      return (.steps(0), nil)
    } catch {
      return (.failure, error)
    }
  }
}
