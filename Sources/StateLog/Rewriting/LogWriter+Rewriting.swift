import ImmutableJSON
import Threading

/// How a log is written anew.
package struct LogRewriting {
  /// The data of the base, and the number of its commit. Gets the base of the log.
  package var base: (LogLine) throws -> (data: Value, number: Int)

  /// The version of the schema of state and actions, if it changes.
  package var version: Int?

  /// Whether an entry stays. Those after the first that stays do, too.
  package var keeps: (LogLine) -> Bool = { _ in true }

  /// Whether what says the name of a writer stays in any case.
  package var keepsName: (_ writer: Int) throws -> Bool = { _ in false }

  /// Whether the data of an entry must be forgotten.
  package var redacts: (LogLine) throws -> Bool = { _ in false }

  /// The new data of an entry; `nil` if it does not change.
  package var change: (LogLine) throws -> Value? = { _ in nil }

  /// Whether several stores may write to the new log; `nil` if that does not change.
  package var isShared: Bool?

  /// The options in force, which the first line of a log says that becomes a shared one, or one of
  /// one writer.
  package var options = Value.null

  /// Called with the path of the new log, before it replaces the old one.
  package var check: (String) throws -> Void = { _ in }

  package init(base: @escaping (LogLine) throws -> (data: Value, number: Int)) {
    self.base = base
  }
}

extension LogWriter {
  /// Writes the log anew in place of the old one. Called while nothing can be appended.
  ///
  /// - Returns: How many entries were redacted; `nil` if nothing had to be done.
  /// - Throws: ``LogError``, and what the functions of the rewriting throw. The log is then as
  ///   before.
  func rewrite(_ rewriting: LogRewriting) throws -> Int? {
    try self.requireProcess()
    try self.beginRewriting()
    var copy: LogCopy?
    defer { self.endRewriting(copy) }
    guard let file = self.file else { throw LogError.closed(self.path) }
    let scan = LogScan(file, path: self.path)
    guard try self.changes(rewriting, scan) else { return nil }
    var made = try LogCopy(of: file, path: self.path, self.origin, self.files, self.clock.time)
    do {
      try made.copy(LogScan(file, path: self.path), rewriting)
      try made.finish(rewriting.check)
      try made.replace()
      made.syncName()
    } catch {
      made.remove()
      throw error
    }
    copy = made
    return made.redacted
  }

  /// Waits until all is on the disk, and excludes other threads from writing, from syncing, and
  /// from taking snapshots, which belong to one file.
  private func beginRewriting() throws(LogError) {
    self.lock.lock()
    defer { self.lock.unlock() }
    while self.isWriting || self.isSyncing || self.snapshots.isTaking {
      self.hasChanged.wait(self.lock)
    }
    guard !self.isClosing else { throw .closed(self.path) }
    // A snapshot would begin while this writes.
    self.snapshots.begin()
    self.write(syncing: true)
    if let failure {
      self.snapshots.end(nil)
      throw failure
    }
    (self.isWriting, self.isSyncing) = (true, true)
  }

  /// Goes over to a copy of the log, if there is one.
  private func endRewriting(_ copy: LogCopy?) {
    self.lock.lock()
    defer { self.lock.unlock() }
    (self.isWriting, self.isSyncing) = (false, false)
    if let copy { self.goOver(to: copy) }
    self.snapshots.end(nil)
    self.announce()
  }

  /// Goes on with a copy of the log that has its path, and all that was appended. The lock must be
  /// held.
  func goOver(to copy: LogCopy) {
    self.goOver(to: copy.file, copy.content, unsynced: [])
    self.synced = copy.content.last
    self.isNameSynced = copy.isNameSynced
  }

  /// Goes on with a file that has the path of the log, and all that was appended. The lock must be
  /// held.
  ///
  /// - Parameter unsynced: The end of the file that is not known to be on the disk.
  func goOver(to file: any File, _ content: LogContent, unsynced: [UInt8]) {
    let last = content.last
    (self.file, self.replaced) = (file, self.file)
    self.copies += 1
    self.base = content.base
    self.queue = LineWriter(after: last.sum)
    (self.unsynced, self.doubtfulEnd) = (unsynced, 0)
    (self.last, self.written) = (last, last)
    let end = last.end - unsynced.count
    self.synced = LogPosition(number: last.number, start: end, end: end)
    self.snapshots.restart(after: content.start)
    self.isNameSynced = false
    self.compaction?.restart(after: content)
    self.counts.compactionProblem = nil
  }

  /// Whether a log written anew would differ.
  func changes(_ rewriting: LogRewriting, _ scan: LogScan) throws -> Bool {
    if rewriting.version != nil { return true }
    var isFirst = true
    while let line = try scan.next() {
      switch line.kind {
      case .snapshot, .closed: break
      case .log:
        guard let isShared = rewriting.isShared else { continue }
        if LogHeader(try line.value())?.isShared != isShared { return true }
      case .base: if line.number != (try rewriting.base(line)).number { return true }
      case .opened where try isFirst && rewriting.keepsName(line.writer): continue
      case .actions, .jump, .history, .options, .opened, .withdrawn, .state:
        if isFirst, !rewriting.keeps(line) { return true }
        isFirst = false
        if !line.isRedacted, try rewriting.redacts(line) { return true }
      }
    }
    return false
  }
}
