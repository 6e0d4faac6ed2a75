import ImmutableJSON
import StateEngine
import StateLog
import TestSupport

extension Simulation {
  func makeStore(
    _ process: SimulatedProcess, isReadOnly: Bool
  ) throws(EngineError) -> AnyStore {
    var system = LogSystem()
    (system.files, system.hasThreads) = (process, false)
    let reducer = self.reducer
    return try AnyStore(
      state: HistoryModel.initialState,
      options: [
        "optimistic": .bool(self.isOptimistic), "history": self.initial.option,
        "log": [
          "path": .string(Self.path), "durability": .string(self.durability.rawValue),
          "readOnly": .bool(isReadOnly), "version": .integer(self.version),
        ],
      ], logSystem: system
    ) { state, action in
      reducer.calls += 1
      return try HistoryModel.reduce(state, action)
    }
  }

  func opening(_ process: SimulatedProcess) -> Swift.Result<AnyStore, EngineError> {
    Swift.Result { () throws(EngineError) in try self.makeStore(process, isReadOnly: false) }
  }

  /// Opens the log until that succeeds.
  func open() throws {
    var attempts = 0
    while self.store == nil {
      attempts += 1
      // At last, without failures.
      self.system.isCalm = self.isFinished || attempts > 6
      if attempts > 6 { self.system.room = nil }
      if !self.process.isAlive || self.end != .closed || self.random.isOne(in: 2) {
        self.startProcess()
      }
      if attempts <= 4, self.random.isOne(in: 4) { self.scheduleCrash() }
      let before = self.system.files.content(of: Self.path)
      let failures = self.system.failures
      self.reducer.calls = 0
      self.process.truncated = [:]
      switch self.opening(self.process) {
      case .success(let store):
        self.system.trace.add("opened", (9, self.reducer.calls))
        (self.store, self.log) = (store, store.logFile)
        if self.process.isAlive {
          if attempts > 1 { self.reach(.openingRepeated) }
          try self.checkOpened(store, before)
          self.system.isCalm = false
        }
      case .failure(let error):
        self.system.trace.add("opening: \(error)", (9, -1))
        try self.require(
          error.code == .io && (self.system.failures > failures || !self.process.isAlive),
          "opening: \(error)")
      }
      if self.store == nil || !self.process.isAlive { try self.dropLostVersions(before) }
      if !self.process.isAlive {
        self.reach(self.isPowerCutNext ? .cutWhileOpening : .killedWhileOpening)
        if self.process.opened.contains(Self.path + "-cut") { self.reach(.cutWhileCutting) }
        self.endProcess()
      }
    }
  }

  func openAfterCrash() throws {
    guard !self.process.isAlive else { return }
    self.reach(self.isPowerCutNext ? .cut : .killed)
    self.endProcess()
    try self.open()
  }
}

// MARK: Crashes

extension Simulation {
  /// Does what is left to do at the end of a process: the power may be cut, too.
  func endProcess() {
    let interrupted = self.process.interrupted
    self.process.end()
    (self.store, self.log, self.closedStore) = (nil, nil, nil)
    self.content = self.system.files.content(of: Self.path) ?? self.content
    self.mustBeRefused = false
    let (new, snapshot) = (Self.path + "-new", Self.path + "-snapshot")
    if interrupted == "sync the folder of \(Self.path)", self.process.made.contains(new) {
      self.reach(.nameNotDurable)
    }
    if interrupted == "sync the folder of \(snapshot)" { self.reach(.snapshotRenameNotDurable) }
    guard self.isPowerCutNext else {
      self.floor = min(self.floor, self.kept)
      if self.end != .cut { self.end = .killed }
      return
    }
    if interrupted.hasSuffix(snapshot + "-new") { self.reach(.cutWhileSnapshot) }
    if self.wasRepaired { self.reach(.cutAfterFailedSync) }
    self.follower = nil
    self.followerProcess = nil
    self.system.cutPower()
    self.system.recentFailures = []
    self.wasRepaired = false
    self.floor = min(self.floor, self.safe)
    let isThere = self.system.files.content(of: Self.path) != nil
    self.end = isThere ? .cut : .killed
    if !isThere { self.content = [] }
  }
}

// MARK: Checks

extension Simulation {
  /// Finds the version up to which the log is there.
  ///
  /// - Returns: Its index, and the model after an opening.
  func version(endingAt end: Int) throws -> (index: Int, model: HistoryModel) {
    if let first = self.versions.first, first.isCompacted, end < first.end {
      var model = first.model
      model.reopen()
      return (0, model)
    }
    guard let index = self.versions.lastIndex(where: { $0.end <= end }) else {
      throw Failure(message: "the log ends at \(end), in its base")
    }
    let version = self.versions[index]
    var model = version.model
    model.reopen()
    guard version.end < end else { return (index, model) }
    let content = self.system.files.content(of: Self.path) ?? []
    let lines = try content[version.end..<end].split(separator: UInt8(ascii: "\n"))
      .map { try Value(json: String(decoding: $0, as: UTF8.self)) }
      .filter { $0["closed"] == nil }
    if lines.isEmpty { return (index, model) }
    // Entries of an opening, which may have ended before they were counted.
    if self.versions.indices.contains(index + 1) {
      try self.require(
        self.versions[index + 1].isOfOpening, "the log ends at \(end), within an entry")
    }
    for json in lines {
      try self.require(
        json["jump"]?["kind"] == "rolledBack" || json["history"] != nil,
        "a line that no opening writes")
    }
    return (index, model)
  }

  /// Checks an opened store.
  ///
  /// - Parameter before: The content of the log before it was opened.
  private func checkOpened(_ store: AnyStore, _ before: [UInt8]?) throws {
    guard let log = self.log else { throw Failure(message: "no log") }
    try self.chooseVersions(before)
    let statistics = log.statistics
    let truncated = self.process.truncated[Self.path]
    let last = self.versions.count - 1
    guard let before else {
      try self.require(self.floor < 0, "the log is missing")
      if self.end != .none { self.reach(.createdAgainAfterCrash) }
      self.versions = [Version(end: statistics.bytes, model: self.initial, actionEntries: 0)]
      try self.compare(store, self.initial, "after creating the log")
      self.begin(0, safe: 0)
      return
    }
    let end = truncated ?? before.count
    if self.versions.isEmpty {
      self.versions = [Version(end: end, model: self.initial, actionEntries: 0)]
    }
    let (index, model) = try self.version(endingAt: end)
    try self.requireDurable(index)
    try self.checkCut(statistics, before, truncated)
    let common = min(self.content.count, self.versions[index].end)
    try self.require(
      self.content.prefix(common) == before.prefix(common), "the log has other bytes than before")
    self.noteOpening(statistics, index, last + self.lost)

    let version = self.versions[index]
    if version.model.groups > 0 { self.reach(.groupsEnded) }
    if !version.model.changes.isEmpty { self.reach(.inFlightRolledBack) }
    self.versions.removeLast(last < 0 ? 0 : last - index)
    if statistics.bytes > version.end {
      self.versions.append(
        Version(
          end: statistics.bytes, model: model, actionEntries: version.actionEntries,
          isOfOpening: true))
    } else {
      try self.require(model.number == version.model.number, "the opening has no entry")
    }
    try self.compare(store, model, "after opening")
    self.reachAfterCut = truncated == nil ? 0 : model.present
    self.reachAfterSnapshot = 0
    if self.reducer.calls < version.actionEntries {
      self.reach(.snapshotUsed)
      if self.reducer.calls > 0 { self.reach(.snapshotOfPlanUsed) }
      self.reachAfterSnapshot = model.present
    }
    self.begin(index, safe: self.end == .cut ? index : min(self.safe, index))
  }

  private func requireDurable(_ index: Int) throws {
    try self.require(
      index >= self.floor,
      "the log has \(index) of \(self.versions.count - 1) entries; \(self.floor) are durable "
        + "(\(self.durability))")
  }

  /// Goes back to a log that was compacted, if its file is there again.
  private func chooseVersions(_ before: [UInt8]?) throws {
    guard let before, !self.replaced.isEmpty else { return }
    let beginning = self.beginning(of: before)
    guard let log = self.replaced.last(where: { $0.beginning == beginning }) else { return }
    try self.require(self.floor < 0, "the log before a durable compaction is back")
    self.reach(.logBeforeCompaction)
    self.versions = log.versions
    // All of it was on the disk.
    (self.kept, self.safe) = (log.versions.count - 1, log.versions.count - 1)
    self.floor = self.safe
    self.content = []
    self.replaced = []
  }

  /// Forgets versions that no opening can find, after one that did not succeed: it may have written
  /// something else in their place.
  private func dropLostVersions(_ before: [UInt8]?) throws {
    try self.chooseVersions(before)
    guard let before, !self.versions.isEmpty else { return }
    let end = self.process.truncated[Self.path] ?? before.count
    let count = self.versions.prefix { $0.end <= end }.count
    try self.requireDurable(count - 1)
    self.lost += self.versions.count - count
    self.versions.removeLast(self.versions.count - count)
  }

  private func begin(_ index: Int, safe: Int) {
    (self.kept, self.safe) = (index, safe)
    if safe >= 0 { self.replaced = [] }
    self.floor = .max
    self.lost = 0
    self.end = .none
    self.mustBeRefused = false
  }

  /// What is cut is counted, and stays beside the log.
  private func checkCut(
    _ statistics: LogStatistics, _ before: [UInt8], _ truncated: Int?
  ) throws {
    guard let truncated else {
      return try self.require(statistics.cutBytes == 0, "nothing was cut, but counted")
    }
    self.reach(.tornTail)
    if statistics.cutLines > 1 { self.reach(.reorderedTail) }
    let cut = self.system.files.content(of: Self.path + "-cut") ?? []
    try self.require(
      statistics.cutBytes == before.count - truncated
        && cut.suffix(before.count - truncated) == before.suffix(from: truncated),
      "what was cut is not kept")
  }

  private func noteOpening(_ statistics: LogStatistics, _ index: Int, _ last: Int) {
    switch self.end {
    case .killed where index == last && self.kept > 0: self.reach(.killLostNothing)
    case .cut:
      if index < last { self.reach(.cutLostUnsynced) }
      if index > self.safe { self.reach(.cutKeptUnsynced) }
      if self.durability == .full, self.safe > 0 { self.reach(.fullLostNothing) }
    default: break
    }
  }

  func compare(
    _ store: AnyStore, _ model: HistoryModel, _ place: @autoclosure () -> String,
    withHistory: Bool = true
  ) throws {
    let state = try store.state()
    try self.require(state == model.state, "\(place()): \(state), not \(model.state)")
    guard withHistory else { return }
    let status = try store.select("@@history")
    try self.require(status == model.status, "\(place()): \(status), not \(model.status)")
    let history = try store.history(["actions": true]).withoutEntryTimes
    try self.require(history == model.history, "\(place()): \(history), not \(model.history)")
  }
}

// MARK: Followers

extension Simulation {
  func follow() throws {
    guard self.store != nil, self.process.isAlive else { return }
    self.system.isCalm = true
    defer { self.system.isCalm = false }
    if self.follower == nil || self.random.isOne(in: 6) {
      self.follower?.close()
      let process = self.system.startProcess()
      let follower = try self.makeStore(process, isReadOnly: true)
      (self.follower, self.followerProcess) = (follower, process)
      self.followedBy = self.process.process
      self.followedCompactions = self.compactions
      self.reach(.followerOpened)
    } else {
      try self.follower?.refresh()
      self.reach(.followerRefreshed)
      if self.followedBy != self.process.process { self.reach(.followerAcrossProcesses) }
    }
    guard let follower, let end = follower.logFile?.position.end,
      let size = self.system.files.content(of: Self.path)?.count
    else { throw Failure(message: "no follower") }
    self.system.trace.add("follower at \(end)", (10, end))
    guard let index = self.versions.lastIndex(where: { $0.end <= size }) else { return }
    let version = self.versions[index]
    if self.followedCompactions != self.compactions {
      // It reads another file now.
      self.reach(.followerAcrossCompaction)
      guard version.end == size else { return }
      return try self.compare(follower, version.model, "a follower after a compaction")
    }
    if end > version.end, self.versions.indices.contains(index + 1),
      self.versions[index + 1].isOfOpening
    {
      return
    }
    try self.require(end == version.end, "a follower is at \(end), not \(version.end)")
    if !version.model.changes.isEmpty { self.reach(.followerInFlight) }
    try self.compare(follower, version.model, "a follower at \(end)")
  }
}
