import Threading

/// When a log that is open is compacted.
///
/// It is when it has more than twice the entries that stay, and twice the bytes that it had after
/// the last time. So all compactions together write no more than the entries, however large the
/// state is.
struct CompactionPlan {
  let keep: LogKeep
  /// Reads a new log, by its path, up to the number of its base.
  let check: @Sendable (String, Int) throws -> Void

  /// The first entry of the log.
  private(set) var first: EntryPlace?

  /// How long the log must be.
  private var threshold: Int

  /// Whether it is due, unless the source of the base has none now.
  private(set) var isDue = false

  init(
    _ keep: LogKeep, from beginning: LogBeginning,
    _ check: @escaping @Sendable (String, Int) throws -> Void
  ) {
    (self.keep, self.check, self.first) = (keep, check, beginning.first)
    self.threshold = Self.threshold(after: beginning.base)
  }
}

extension CompactionPlan {
  private static var minimum: Int { 65_536 }

  private static func threshold(after size: Int) -> Int {
    max(2 * size, size + self.minimum)
  }

  /// Notes an entry that was appended.
  ///
  /// - Returns: Whether the log is to be compacted now.
  mutating func note(_ position: LogPosition, _ time: Int64) -> Bool {
    let first =
      self.first ?? EntryPlace(number: position.number, time: time, offset: position.start)
    self.first = first
    let end = EntryPlace(number: position.number, time: time, offset: position.end)
    self.isDue =
      position.end >= self.threshold && self.keep.isExceeded(by: first, before: end)
    return self.isDue
  }

  /// It is due no more before the next entry.
  mutating func wait() {
    self.isDue = false
  }

  /// After a failure, the next attempt waits until the log is twice as long.
  mutating func fail(at end: Int) {
    self.threshold = 2 * end
    self.isDue = false
  }

  mutating func restart(after copy: LogCopy) {
    self.first = copy.first
    self.threshold = Self.threshold(after: copy.last.end)
    self.isDue = false
  }
}

// MARK: Compacting

extension LogWriter {
  func setCompaction(_ plan: CompactionPlan) {
    self.lock.lock()
    defer { self.lock.unlock() }
    self.compaction = plan
  }

  /// The lock must be held.
  var isCompactionDue: Bool {
    guard let compaction, compaction.isDue, self.snapshots.source != nil else { return false }
    return !self.snapshots.isTaking && !self.isClosing
  }

  /// Compacts the log on a thread of its own, since what waits for the one in the background must
  /// not wait for so long. The lock must be held; it is released meanwhile.
  func beginCompaction() {
    // From here on until it has ended, no snapshot is taken, and the log is not written anew.
    self.snapshots.begin()
    let last = self.compactor.take()
    self.lock.unlock()
    last?.join()
    let thread = self.settings.hasThread ? Thread.start { self.compact() } : nil
    if thread == nil { self.compact() }
    self.lock.lock()
    self.compactor = thread
  }

  /// Compacts the log. The lock must not be held.
  private func compact() {
    let result = Result { try self.makeCopy() }
    self.lock.lock()
    switch result {
    case .success(true):
      self.counts.compactions += 1
      (self.counts.compactionTime, self.counts.compactionProblem) = (self.files.time, nil)
    case .success(false): self.compaction?.wait()
    case .failure(let error):
      self.counts.compactionProblem = (error as? LogError)?.message ?? "\(error)"
      self.compaction?.fail(at: self.end)
    }
    self.snapshots.end(nil)
    self.announce()
    self.lock.unlock()
  }

  /// Writes the log anew and goes over to it, while entries are appended.
  ///
  /// - Returns: `false` if there is no state that can be its base now.
  private func makeCopy() throws -> Bool {
    self.lock.lock()
    let (source, plan, file) = (self.snapshots.source, self.compaction, self.file)
    self.lock.unlock()
    guard let source, let plan, let file, let (position, base) = source() else { return false }
    try self.sync(upTo: position.end)
    let end = EntryPlace(number: position.number, time: self.files.time, offset: position.end)
    var rewriting = LogRewriting { _ in (base, position.number) }
    rewriting.keeps = { line in
      line.offset >= position.end || plan.keep.contains(EntryPlace(line), before: end)
    }
    var copy = try LogCopy(of: file, path: self.path, self.origin, self.files)
    do {
      let scan = LogScan(file, path: self.path)
      try copy.copy(scan, rewriting, mayGoOn: self.requireOpenLog)
      try copy.finish { try plan.check($0, position.number) }
      try self.copyTail(of: file, to: &copy, scan, rewriting)
      // So that little is left to be synced while nothing can be appended.
      try copy.sync()
      try self.copyTail(of: file, to: &copy, scan, rewriting)
      try self.replace(file, by: &copy, scan, rewriting)
    } catch {
      copy.remove()
      throw error
    }
    self.syncName()
    return true
  }

  /// Brings the path of the copy to the disk. If that fails, the next sync tries again.
  private func syncName() {
    self.lock.lock()
    defer { self.lock.unlock() }
    while !self.isNameSynced, self.failure == nil, !self.isClosing { self.writeAndSyncOrWait() }
  }

  /// How many bytes are copied while nothing can be appended, if that is reached after so many
  /// rounds.
  private static var lastTail: Int { 1 << 16 }
  private static var roundLimit: Int { 8 }

  /// Copies what was appended meanwhile, until little is left, or it is appended faster than this
  /// copies.
  private func copyTail(
    of file: any File, to copy: inout LogCopy, _ scan: LogScan, _ rewriting: LogRewriting
  ) throws {
    for _ in 0..<Self.roundLimit where try file.size() - scan.end > Self.lastTail {
      try self.requireOpenLog()
      try copy.copy(scan, rewriting, mayGoOn: self.requireOpenLog)
    }
  }

  private func requireOpenLog() throws(LogError) {
    self.lock.lock()
    defer { self.lock.unlock() }
    guard !self.isClosing else { throw .closed(self.path) }
    if let failure { throw failure }
  }

  private func sync(upTo end: Int) throws(LogError) {
    self.lock.lock()
    defer { self.lock.unlock() }
    while self.syncedEnd < end {
      if let failure { throw failure }
      guard !self.isClosing else { throw .closed(self.path) }
      self.writeAndSyncOrWait()
    }
  }

  /// Copies the last lines, and goes over to the copy. Nothing can be appended meanwhile.
  private func replace(
    _ file: any File, by copy: inout LogCopy, _ scan: LogScan, _ rewriting: LogRewriting
  ) throws {
    self.lock.lock()
    defer { self.lock.unlock() }
    while self.isWriting || self.isSyncing { self.hasChanged.wait(self.lock) }
    guard !self.isClosing else { throw LogError.closed(self.path) }
    if let failure { throw failure }
    try self.requireUnchanged(file, self.expectation, readsLine: true)
    try copy.copy(scan, rewriting)
    guard scan.end == self.writtenEnd else { throw LogError.overwritten(self.path) }
    try copy.copy(self.queue.bytes, rewriting)
    guard copy.last.number == self.last.number else { throw LogError.overwritten(self.path) }
    try copy.sync()
    try copy.replace()
    self.goOver(to: copy)
  }
}
