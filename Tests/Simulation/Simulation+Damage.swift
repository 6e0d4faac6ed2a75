import ImmutableJSON
import StateEngine
import StateLog
import TestSupport

extension Simulation {
  /// Ends the process, opens the log without failures, and damages it if that fault is enabled.
  func finish() throws {
    self.isFinished = true
    self.system.isCalm = true
    self.system.room = nil
    self.process.callsLeft = nil
    if self.random.isOne(in: 2) {
      self.isPowerCutNext = self.system.faults[.powerCut] && self.random.isOne(in: 2)
      self.endProcess()
      try self.open()
    } else {
      try self.close()
    }
    self.system.isCalm = true
    guard self.system.faults[.damage] else { return }
    // All that is written is now what the model has.
    try self.store?.sync()
    if self.random.isOne(in: 2) { self.store?.close() }
    self.isPowerCutNext = false
    self.endProcess()
    try self.damage()
  }

  private func damage() throws {
    let files = self.system.files
    let whole = files.content(of: Self.path) ?? []
    let snapshot = files.content(of: Self.path + "-snapshot")
    if let snapshot, self.random.isOne(in: 4) {
      files.setContent(of: Self.path + "-snapshot", to: self.flipped(snapshot).bytes)
      let store = try self.makeStore(self.system.startProcess(), isReadOnly: false)
      try self.compare(store, self.reopenedModel, "with a damaged snapshot")
      return self.reach(.snapshotDamaged)
    }
    // The states after the entries of a migrated log are not known.
    guard self.versions.first?.isMigrated != true else { return }
    let (damaged, offset) = self.damaged(whole)
    guard damaged != whole else { return }
    self.system.trace.add("damage at \(offset) of \(whole.count)", (11, offset))
    files.setContent(of: Self.path, to: damaged)
    let process = self.system.startProcess()
    switch self.opening(process) {
    case .success(let store):
      try self.checkDamaged(store, process, whole, damaged, offset, snapshot)
    case .failure(let error):
      try self.require(
        error.code == .corrupt && files.content(of: Self.path) == damaged, "with damage: \(error)")
      self.reach(
        error.message.contains("when its snapshot was written") ? .snapshotNewer : .damageFound)
    }
  }

  private var reopenedModel: HistoryModel {
    var model = self.model
    model.reopen()
    return model
  }

  /// Checks a store whose log was damaged at an offset.
  private func checkDamaged(
    _ store: AnyStore, _ process: SimulatedProcess, _ whole: [UInt8], _ damaged: [UInt8],
    _ offset: Int, _ snapshot: [UInt8]?
  ) throws {
    guard let statistics = store.logFile?.statistics else { throw Failure(message: "no log") }
    let truncated = process.truncated[Self.path]
    if truncated == nil, damaged.count == whole.count {
      try self.compare(store, self.reopenedModel, "with damage before the snapshot")
      return self.reach(.damageIrrelevant)
    }
    let end = truncated ?? damaged.count
    try self.require(
      statistics.cutBytes == damaged.count - end, "with damage: what was cut is not counted")
    // What lies before the damage says how far the log was on the disk.
    let lines = whole[..<min(offset, end)].split(separator: UInt8(ascii: "\n"))
    let known = lines.dropFirst().compactMap { line -> Int? in
      guard let json = try? Value(json: String(decoding: line, as: UTF8.self)),
        case .integer(let synced)? = json["synced"]
      else { return nil }
      return Int(synced)
    }.max()
    try self.require(end >= known ?? 0, "damage at \(offset) was cut at \(end)")
    try self.compare(store, try self.version(endingAt: end).model, "with damage that was cut")
    self.reach(.damageCut)
  }

  private func flipped(_ bytes: [UInt8]) -> (bytes: [UInt8], offset: Int) {
    var bytes = bytes
    let offset = self.system.faults.number(.damage, 0..<bytes.count)
    bytes[offset] ^= 1 << self.system.faults.number(.damage, 0..<8)
    return (bytes, offset)
  }

  /// - Returns: The content, and where it first differs.
  private func damaged(_ whole: [UInt8]) -> (bytes: [UInt8], offset: Int) {
    var lines = whole.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true
    ).map { Array($0) + [UInt8(ascii: "\n")] }
    let line = self.system.faults.number(.damage, 0..<lines.count)
    var bytes = whole
    switch self.system.faults.number(.damage, 0..<7) {
    case 0, 1: return self.flipped(whole)
    case 2: bytes.removeLast(self.system.faults.number(.damage, 1..<whole.count))
    case 3:
      let start = self.system.faults.number(.damage, 0..<whole.count)
      for index in start..<min(start + 600, whole.count) { bytes[index] = 0 }
    case 4:
      lines.remove(at: line)
      bytes = Array(lines.joined())
    case 5:
      lines.insert(lines[line], at: line)
      bytes = Array(lines.joined())
    default:
      lines.swapAt(line, max(line - 1, 0))
      bytes = Array(lines.joined())
    }
    let offset = zip(whole, bytes).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    return (bytes, offset ?? min(bytes.count, whole.count))
  }
}
