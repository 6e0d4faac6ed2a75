import Threading

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

  /// How long an entry waits for the end of a compaction, in milliseconds.
  private static var delayLimit: Int32 { 10 }

  /// Waits a little if entries arrive faster than the log is compacted. The lock must be held.
  func waitForCompaction() {
    guard self.snapshots.isTaking, let compaction, compaction.isLate(at: self.end) else { return }
    let deadline = Deadline(milliseconds: Self.delayLimit)
    while self.snapshots.isTaking, !self.isClosing, !deadline.hasPassed {
      self.hasChanged.wait(self.lock, until: deadline)
    }
  }

  /// Compacts the log on a thread of its own, since what waits for the one in the background must
  /// not wait for so long. The lock must be held; it is released meanwhile.
  func beginCompaction() {
    guard let compaction = self.compaction?.compaction else { return }
    // From here on until it has ended, no snapshot is taken, and the log is not written anew.
    self.snapshots.begin()
    let last = self.compactor.take()
    self.lock.unlock()
    last?.join()
    let body: @Sendable () -> Void = { _ = try? self.runCompaction(compaction) }
    let thread = self.settings.hasThread ? Thread.start(body) : nil
    if thread == nil { body() }
    self.lock.lock()
    self.compactor = thread
  }

  /// Compacts the log. The lock must not be held.
  ///
  /// - Returns: Whether something had to be done; `nil` if there is no state that can be its base.
  func compact(_ compaction: LogCompaction) throws -> Bool? {
    try self.requireProcess()
    self.lock.lock()
    while self.snapshots.isTaking { self.hasChanged.wait(self.lock) }
    self.snapshots.begin()
    self.lock.unlock()
    return try self.runCompaction(compaction)
  }

  @discardableResult
  private func runCompaction(_ compaction: LogCompaction) throws -> Bool? {
    let result = Result { try self.rewriteAlone(compaction) }
    self.lock.lock()
    switch result {
    case .success(.done):
      self.counts.compactions += 1
      (self.counts.compactionTime, self.counts.compactionProblem) = (self.clock.time, nil)
      // In its next turn, the store goes over to a shared log.
      self.compaction?.wait()
    case .success(.isUnchanged): self.compaction?.wait()
    case .success(.hasNoState):
      self.counts.compactionProblem = "optimistic updates are in flight"
      self.compaction?.wait()
    case .success(.isTaken): self.compaction?.leave(at: self.end)
    case .failure(let error):
      self.counts.compactionProblem = (error as? LogError)?.message ?? "\(error)"
      self.compaction?.fail(at: self.end)
    }
    self.snapshots.end(nil)
    self.announce()
    self.lock.unlock()
    switch try result.get() {
    case .done: return true
    case .isUnchanged, .isTaken: return false
    case .hasNoState: return nil
    }
  }

  private enum CompactionResult {
    case done
    /// It would be as before.
    case isUnchanged
    /// There is no state that can be its base now.
    case hasNoState
    /// Another store writes the log anew.
    case isTaken
  }

  /// Writes the log anew while no other store does.
  private func rewriteAlone(_ compaction: LogCompaction) throws -> CompactionResult {
    guard let share else { return try self.makeCopy(compaction) }
    if compaction.waits {
      try share.wait(for: .rewriting)
    } else if try !share.take(.rewriting) {
      try share.requireRunning(.rewriting)
      return .isTaken
    }
    defer { share.release(.rewriting) }
    // Another one may have replaced it, and this one goes over to that in a turn.
    try compaction.turn {}
    return try self.makeCopy(compaction)
  }

  /// Writes the log anew and goes over to it, while entries are appended.
  private func makeCopy(_ compaction: LogCompaction) throws -> CompactionResult {
    self.lock.lock()
    let (source, file) = (self.snapshots.source, self.file)
    self.lock.unlock()
    guard let source, let file, let (position, base) = source() else { return .hasNoState }
    try self.sync(upTo: position.end)
    let end = EntryPlace(number: position.number, time: self.clock.time, offset: position.end)
    var rewriting = LogRewriting { _ in (base, position.number) }
    rewriting.keeps = { line in
      line.offset >= position.end || compaction.keep.contains(EntryPlace(line), before: end)
    }
    if let share { rewriting.keepsName = { try $0 == self.number || share.isTaken(.writer($0)) } }
    guard try self.changes(rewriting, LogScan(file, path: self.path)) else { return .isUnchanged }
    var copy = try LogCopy(of: file, path: self.path, self.origin, self.files, self.clock.time)
    do {
      let scan = LogScan(file, path: self.path)
      try copy.copy(scan, rewriting, mayGoOn: self.requireOpenLog)
      try copy.finish { try compaction.check($0, position.number) }
      try self.copyTail(of: file, to: &copy, scan, rewriting)
      // So that little is left to be synced while nothing can be appended.
      try copy.sync()
      try self.copyTail(of: file, to: &copy, scan, rewriting)
      try compaction.turn { try self.replace(file, by: &copy, scan, rewriting) }
    } catch {
      copy.remove()
      throw error
    }
    if self.share == nil { self.syncName() } else { copy.syncName() }
    return .done
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
      scan.readAnew()
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
    var expectation = self.expectation
    expectation.copied = nil
    try self.requireUnchanged(file, expectation, readsLine: true)
    scan.readAnew()
    try copy.copy(scan, rewriting)
    guard scan.end == self.writtenEnd else { throw LogError.overwritten(self.path) }
    try copy.copy(self.queue.bytes, rewriting)
    guard copy.content.last.number == self.last.number else {
      throw LogError.overwritten(self.path)
    }
    try copy.sync()
    try copy.replace()
    // The store goes over to a shared log as the others do.
    if self.share == nil { self.goOver(to: copy) }
  }
}
