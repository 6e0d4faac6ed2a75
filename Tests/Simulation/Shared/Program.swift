import ImmutableJSON
import StateEngine
import StateLog
import TestSupport

extension SharedSimulation {
  /// A program with a store, from its start to its end.
  final class Program: @unchecked Sendable {
    unowned let simulation: SharedSimulation
    let place: Int
    let process: SimulatedProcess
    var store: AnyStore?
    var stream: ActionStream?
    var isReadOnly = false
    /// Where the log ended, at least, when a store went on in one that was written anew.
    private var known: (file: FileIdentity?, end: Int)?
    /// The file when it was opened.
    var file: FileIdentity?
    /// What the stream has brought, after how much of that of the log.
    var streamed: [String] = []
    var streamStart: Int?
    /// How many commits the store has skipped.
    private var skipped: Value?
    /// How many calls of this process have failed.
    private(set) var failures = 0
    private var actions = 0
    /// A store that could not read its log has its error until it is closed.
    private var causes: Set<String> = []

    init(_ simulation: SharedSimulation, _ place: Int) {
      (self.simulation, self.place) = (simulation, place)
      self.process = simulation.system.startProcess()
      self.process.onCall = { [unowned self] in self.simulation.giveWay(self) }
      self.process.onEnd = { [unowned self] in self.noteEnd() }
      if let fault = simulation.planted {
        let state = PlantedFile.State(fault, simulation.system, self.process)
        self.process.replace = { PlantedFile(state, $1, $0) }
        if fault == .replacementNotSeen || fault == .replacementNotSeenInTurn {
          self.process.replaceStatus = { [unowned self] status, path in
            guard path == SharedSimulation.path,
              self.isReadOnly == (fault == .replacementNotSeen)
            else { return status }
            return FileStatus(self.file ?? status.identity, size: status.size)
          }
        }
        self.process.syncsNames = { [unowned self] in
          fault != .nameNotSynced || !self.process.isWriter
        }
      }
      self.process.pieceSize = { [unowned self] count in
        guard self.simulation.random.isOne(in: 4) else { return count }
        return Int.random(in: 1...count, using: &self.simulation.random)
      }
    }
  }
}

extension SharedSimulation.Program {
  private var system: SimulatedSystem { self.simulation.system }
  private var log: LogFile? { self.store?.logFile }

  func note(failures: Int) {
    self.failures += failures
  }

  private func noteEnd() {
    guard self.process.lockedBytes.contains(0) else { return }
    self.simulation.reach(.killedWithLock)
    if self.simulation.isLineIncomplete { self.simulation.reach(.killedInLine) }
  }

  func end() {
    (self.process.onCall, self.process.onEnd) = ({}, {})
    (self.stream, self.store) = (nil, nil)
    self.system.kill(self.process)
  }

  func run() throws {
    if self.simulation.random.isOne(in: 8) {
      return try self.compact()
    }
    self.scheduleKill(oneIn: 6, within: 60)
    self.isReadOnly = self.simulation.random.isOne(in: 6)
    try self.open()
    guard self.store != nil else { return }
    while self.store != nil, self.process.isAlive, self.simulation.mayGoOn {
      self.simulation.steps -= 1
      try self.step()
    }
    guard self.process.isAlive, self.simulation.failure == nil else { return }
    try self.refresh()
    if self.store != nil, self.simulation.random.isOne(in: 2) { try self.close() }
  }

  private func scheduleKill(oneIn count: Int, within calls: Int) {
    guard self.process.callsLeft == nil, self.system.faults[.kill],
      self.simulation.random.isOne(in: count)
    else { return }
    self.process.callsLeft = self.system.faults.number(.kill, 0..<calls)
  }

  /// Whether an error has a cause.
  private func require(_ error: EngineError, _ failures: Int, _ what: String) throws {
    self.note(failures: self.system.failures - self.simulation.failures)
    self.simulation.failures = self.system.failures
    self.system.trace.add("\(self.process.process) \(what): \(error)", (21, 0))
    guard self.process.isAlive else { return }
    if error.code == .timeout {
      if self.simulation.hasStoppedHolder { self.simulation.reach(.lockTimedOut) }
      return
    }
    // Each descriptor of a file has the failure of a sync by another process.
    let isOfOther =
      error.message.hasPrefix("cannot sync") && self.system.recentFailures.contains(.sync)
    if isOfOther, self.failures == failures { self.simulation.reach(.foreignSyncFailed) }
    if error.message.hasPrefix("cannot write") { self.simulation.reach(.writeFailedInTurn) }
    if error.message.contains("the disk is full") { self.simulation.reach(.diskFullInTurn) }
    try self.simulation.require(
      error.code == .io
        && (isOfOther || self.failures > failures
          || self.failures > 0 && (self.log?.problem != nil || self.causes.contains(error.cause))),
      "\(what): \(error.code): \(error)")
    self.causes.insert(error.cause)
  }

  private func step() throws {
    if self.simulation.isShortLived, self.simulation.random.isOne(in: 6) { return try self.close() }
    switch Int.random(in: 0..<100, using: &self.simulation.random) {
    case 0..<64: if self.isReadOnly { try self.refresh() } else { try self.act() }
    case 64..<78: try self.refresh()
    case 78..<88: try self.sync()
    case 88..<90: self.work()
    case 90..<94: if self.isReadOnly { try self.refresh() } else { try self.compactOpen() }
    case 94..<97: self.scheduleKill(oneIn: 1, within: 30)
    default: try self.close()
    }
  }
}

// MARK: What a program does

extension SharedSimulation.Program {
  private func open() throws {
    let failures = self.failures
    let file = self.simulation.currentFile
    var system = LogSystem()
    (system.files, system.hasThreads, system.watchTimeout) = (self.process, false, 0)
    let options: Value = [
      "optimistic": .bool(self.simulation.isOptimistic), "history": self.simulation.initial.option,
      "log": self.logOptions,
    ]
    do {
      let store = try AnyStore(
        state: HistoryModel.initialState, options: options, logSystem: system
      ) { try HistoryModel.reduce($0, $1) }
      guard self.process.isAlive else { return }
      self.store = store
      if !self.isReadOnly { self.noteRenames(isOpen: true) }
      // A reader may have found it before it was written anew.
      self.file = self.simulation.currentFile
      if self.isReadOnly, self.file != file { self.file = nil }
      if self.process.opened.contains(SharedSimulation.path + "-snapshot") {
        self.simulation.reach(.sharedSnapshotUsed)
      }
      if self.process.made.contains(SharedSimulation.path + "-new"), self.log?.number ?? 0 > 1 {
        self.simulation.reach(.madeAtOnce)
      }
      self.system.trace.add(
        "\(self.process.process) is the writer \(self.log?.number ?? 0)",
        (22, self.log?.number ?? 0))
      if !self.isReadOnly { self.simulation.isTorn = false }
      var options = StreamOptions()
      options.capacity = 10_000
      self.stream = try store.makeStream(options)
      try self.check("after opening")
    } catch let error as EngineError {
      if self.isReadOnly, error.code == .io, file == nil { return }
      try self.require(error, failures, "opening")
    }
  }

  private var logOptions: Value {
    let path = Value.string(SharedSimulation.path)
    guard !self.isReadOnly else { return ["path": path, "readOnly": true] }
    return [
      "path": path, "shared": true, "durability": .string(self.simulation.durability.rawValue),
    ]
  }

  /// Writes the log anew, which needs it alone.
  func compact() throws {
    guard let file = self.simulation.currentFile else { return }
    self.scheduleKill(oneIn: 3, within: 140)
    let failures = self.failures
    defer {
      if !self.process.isAlive, self.simulation.hasPower, file != self.simulation.currentFile {
        self.simulation.reach(.sharedCompactedAndEnded)
      }
    }
    var system = LogSystem()
    (system.files, system.hasThreads) = (self.process, false)
    self.noteRenames(isOpen: false)
    let options: Value = [
      "optimistic": .bool(self.simulation.isOptimistic),
      "log": ["path": .string(SharedSimulation.path)],
    ]
    let keep: Value? = self.simulation.random.isOne(in: 2) ? ["entries": 3] : nil
    do throws(EngineError) {
      let store = try AnyStore(
        state: HistoryModel.initialState, options: options, keepsOptions: true, logSystem: system
      ) { try HistoryModel.reduce($0, $1) }
      if self.process.isAlive { self.simulation.isTorn = false }
      let isDone = try store.compactLog(keeping: keep)
      store.close()
      self.system.trace.add("\(self.process.process) compacted: \(isDone)", (26, isDone ? 1 : 0))
      if isDone { self.simulation.reach(.sharedCompacted) }
    } catch {
      if error.message.contains("has it open") || error.message.contains("have it open") {
        return self.simulation.reach(.compactionRefused)
      }
      try self.require(error, failures, "compaction")
    }
  }

  private func noteRenames(isOpen: Bool) {
    self.process.onRename = { [unowned self] path, newPath in
      guard newPath == SharedSimulation.path else { return }
      self.simulation.catching { try self.simulation.noteRewriting(path, isOpen: isOpen) }
      self.scheduleKill(oneIn: 2, within: 6)
    }
  }

  /// Writes the log anew while others have it open.
  private func compactOpen() throws {
    guard let store else { return }
    if self.simulation.random.isOne(in: 3) { self.scheduleKill(oneIn: 1, within: 140) }
    let failures = self.failures
    let keep: Value? =
      [["entries": 0], ["entries": 3], ["bytes": 1000], nil].randomElement(
        using: &self.simulation.random) ?? nil
    do {
      let isDone = try store.compactLog(keeping: keep)
      self.system.trace.add("\(self.process.process) compacted: \(isDone)", (26, isDone ? 1 : 0))
      if isDone { self.simulation.reach(.openLogCompacted) }
    } catch {
      if error.message.contains("are in flight") { return }
      return try self.require(error, failures, "compaction")
    }
    try self.check("after a compaction")
  }

  private func act() throws {
    guard let store, let log else { return }
    let failures = self.failures
    var model = self.simulation.fold.now
    var ids: [String] = []
    let operation = HistoryModel.Operation.random(&model, &self.simulation.random)
      .replacing(values: self.values, withMeta: self.simulation.isOptimistic)
      .naming {
        self.actions += 1
        ids.append("\(self.process.process)-\(self.actions)")
        return .string("\(self.process.process)-\(self.actions)")
      }
    let entries = log.statistics.entries
    let (result, error) = operation.perform(reporting: store)
    let hasAppended = log.statistics.entries > entries
    let outcome = error.map { "\($0)" } ?? "\(result)"
    self.system.trace.add(
      "\(self.process.process) \(operation): \(outcome), \(hasAppended)",
      (hasAppended ? 1 : 0, log.position.end))
    guard self.process.isAlive else { return }
    if error != nil, !hasAppended { self.simulation.refused.formUnion(ids) }
    guard let error else {
      let (end, file) = (log.position.end, log.identity)
      for id in ids { self.simulation.noteAcknowledged(id, end, of: file) }
      if hasAppended, self.simulation.durability == .full {
        self.simulation.noteSafe(end, of: file)
      }
      // Else it may not have read the log.
      return hasAppended ? try self.check("after \(operation)") : ()
    }
    if error.code == .io || error.code == .timeout {
      try self.require(error, failures, "\(operation)")
      if hasAppended { self.simulation.reach(.sharedNotKept) }
      return try self.recover()
    }
    if error.message.contains("another store that shares the log has changed the state") {
      self.simulation.reach(.foreignChangeKept)
    }
    try self.simulation.require(
      error.code != .corrupt && !error.message.contains("cannot replay"),
      "\(operation): \(error.code) \(error)")
    try self.check("after the failure of \(operation)")
  }

  private var values: [String] {
    (0..<4).map { value in
      String(value)
        + String(repeating: "-", count: self.simulation.isLong && value > 2 ? 20_000 : 0)
    }
  }

  /// What has failed may be repaired by a sync, or by opening the log again.
  private func recover() throws {
    if self.simulation.random.isOne(in: 2) { try self.sync() }
    if self.simulation.random.isOne(in: 4) { try self.close() }
  }

  private func refresh() throws {
    let failures = self.failures
    if !self.simulation.isTorn, self.isAcross {
      try self.simulation.readLog()
      self.known = (self.simulation.currentFile, self.simulation.fold.end)
    }
    do {
      try self.store?.refresh()
    } catch {
      try self.require(error, failures, "refresh")
      // It does not follow the log any more.
      return try self.close()
    }
    guard self.process.isAlive else { return }
    if self.simulation.isLineIncomplete { self.simulation.reach(.incompleteLineRead) }
    self.system.trace.add("\(self.process.process) refreshed", (23, self.log?.position.end ?? 0))
    try self.check("after a refresh")
  }

  private func sync() throws {
    guard let store, let log else { return }
    let (failures, end, file) = (self.failures, log.position.end, log.identity)
    do {
      try store.sync()
    } catch {
      return try self.require(error, failures, "sync")
    }
    guard self.process.isAlive, !self.isReadOnly else { return }
    self.system.trace.add("\(self.process.process) synced", (24, end))
    self.simulation.noteSafe(end, of: file)
  }

  private func work() {
    guard let log else { return }
    _ = log.work()
  }

  private func close() throws {
    guard let store, let log else { return }
    self.store = nil
    let (end, file) = (log.position.end, log.identity)
    store.close()
    let error = log.close()
    self.stream = nil
    self.system.trace.add(
      "\(self.process.process) closed: \(error as Any)", (25, error == nil ? 0 : 1))
    guard self.process.isAlive, !self.isReadOnly, error == nil, log.statistics.entries > 0 else {
      return
    }
    self.simulation.noteSafe(end, of: file)
  }
}

// MARK: Checks

extension SharedSimulation.Program {
  /// Whether the log was written anew since it was opened, while no program had it open.
  private var isAcross: Bool {
    self.simulation.generation(of: self.file)
      != self.simulation.generation(of: self.simulation.currentFile)
  }

  /// Compares the store with what the log leads to.
  func check(_ place: String) throws {
    guard self.process.isAlive, let store else { return }
    guard !self.isAcross else { return try self.checkAcross(place) }
    guard let found = try self.simulation.place(of: self) else { return }
    var model = found.model
    if self.log?.statistics.cutBytes ?? 0 > 0 { self.simulation.reach(.incompleteLineCut) }
    let state = try store.state()
    try self.simulation.require(
      state == model.state, "\(self.process.process) \(place): \(state), not \(model.state)")
    let history = try store.history(["actions": true]).withoutEntryTimes
    try self.simulation.require(
      history == model.history,
      "\(self.process.process) \(place): \(history), not \(model.history)")
    if let number = self.log?.number, number > 0 {
      model.use(number)
      let status = try store.select("@@history")
      try self.simulation.require(
        status == model.status, "\(self.process.process) \(place): \(status), not \(model.status)")
    }
    while case .element(let element)? = try self.stream?.next(milliseconds: 0) {
      self.streamed.append(try element.action["meta"]?["id"]?.text ?? "")
    }
    let skipped = try store.statistics()["log"]?["skippedCommits"]
    guard let start = self.streamStart, skipped == self.skipped else {
      if self.streamStart != nil { self.simulation.reach(.commitsSkipped) }
      (self.streamStart, self.streamed, self.skipped) = (found.streamed, [], skipped)
      return
    }
    if self.isReadOnly, Set(self.streamed.map { $0.prefix { $0 != "-" } }).count > 2 {
      self.simulation.reach(.sharedFollowed)
    }
    let expected = self.simulation.fold.stream[start..<found.streamed]
    try self.simulation.require(
      self.streamed == Array(expected),
      "\(self.process.process) \(place): got \(self.streamed), not \(Array(expected))")
  }

  /// Compares a store that goes on in a log that was written anew: its position is not known.
  private func checkAcross(_ place: String) throws {
    guard let known, !self.simulation.isTorn, let state = try self.store?.state() else { return }
    try self.simulation.readLog()
    // It may have been written anew again.
    let end = known.file == self.simulation.currentFile ? known.end : 0
    let isFound = self.simulation.fold.places.values.contains {
      $0.end >= end && $0.model.state == state
    }
    self.simulation.reach(.sharedFollowedAcross)
    try self.simulation.require(
      isFound, "\(self.process.process) \(place): \(state), which is none after byte \(end)")
  }

  /// Opens the log when all others have ended.
  func openAtTheEnd() throws {
    self.isReadOnly = false
    try self.open()
    try self.simulation.require(self.store != nil, "cannot open the log at the end")
    try self.refresh()
  }
}

extension EngineError {
  /// The message without what it means for a call.
  fileprivate var cause: String {
    String(self.message.prefix { $0 != ";" })
  }
}

extension HistoryModel.Operation {
  /// With an identifier in each action.
  fileprivate func naming(_ next: () -> Value) -> Self {
    func name(_ action: Value) -> Value {
      guard case .object(var members) = action, case .object(var meta)? = action["meta"] else {
        return action
      }
      meta["id"] = next()
      members["meta"] = .object(meta)
      return .object(members)
    }
    switch self {
    case .dispatch(let action): return .dispatch(name(action))
    case .batch(let actions): return .batch(actions.map(name))
    default: return self
    }
  }
}
