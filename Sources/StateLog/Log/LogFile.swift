import ImmutableJSON
import Synchronization
import Threading

/// An open log: a file to which entries are appended, and the snapshot beside it.
///
/// It is opened, ``start()`` returns the state from which a replay begins, and
/// ``entries(_:)`` the entries after it. Then entries can be appended. Only after these two calls
/// may several threads use it.
package final class LogFile: @unchecked Sendable {
  package let header: LogHeader
  package let path: String
  package let files: any FileSystem
  package let settings: LogSettings

  /// Reads the file. `nil` when the writer has it alone, or the log was closed.
  var scan: LogScan?

  /// `nil` unless other stores may write to it, too.
  let share: LogShare?

  /// What keeps other stores from a shared log that this one has open alone.
  private let exclusion: LogShare?

  /// Whether this store has the right to append to a shared log.
  var hasTurn = false
  /// Whether it has noted that it waits for a turn.
  var isWaiting = false

  let clock: LogClock

  /// Whether the name of the file is known to be on the disk.
  let isNameSynced: Bool

  /// What was read.
  var progress = ReadingProgress()

  /// The counters of reading and cutting, for any thread.
  let counts = Mutex(LogStatistics())

  /// Only after the entries were read.
  var writer: LogWriter?

  init(_ opened: OpenedFile, path: String, _ settings: LogSettings, _ files: any FileSystem) {
    (self.path, self.settings, self.files) = (path, settings, files)
    self.clock = LogClock(files)
    (self.header, self.scan, self.share) = (opened.header, opened.scan, opened.share)
    (self.isNameSynced, self.exclusion) = (opened.isNameSynced, opened.exclusion)
    self.progress.isMigrated = opened.header.migratedFrom != nil
  }

  deinit {
    self.close()
  }
}

extension LogFile {
  /// Appends an entry, and does not wait for the file; to a shared log, in a turn, it writes it at
  /// once. Calls must be in the order of their numbers. The numbers of commits ascend; other
  /// entries have that of the last commit.
  ///
  /// - Parameter data: JSON text without line feeds.
  /// - Throws: `io` if a write failed and ``sync(until:)`` has not succeeded since; `closed`.
  package func append(
    _ kind: LineKind, number: Int, time: Int64, data: [UInt8]
  ) throws(LogError) {
    let writer = try self.openWriter()
    try writer.append(kind, number: number, time: time, data)
    guard self.isShared else { return }
    self.scan?.goOn(after: writer.position)
    self.note(time)
  }

  /// Waits while too much is queued or not on the disk, which happens if the disk is slower than
  /// the program; and a little if the log grows faster than it is compacted. Throws as
  /// ``append(_:number:time:data:)`` does.
  package func waitForRoom() throws(LogError) {
    try self.openWriter().waitForRoom()
  }

  /// Waits until all entries up to a number are as durable as the settings say; `nil` for all, also
  /// those that are no commits.
  ///
  /// - Throws: `io` if they cannot be written.
  package func wait(upTo number: Int?) throws(LogError) {
    try self.openWriter().wait(upTo: number)
  }

  /// Lets the thread in the background write what was appended. Never waits.
  package func writeSoon() {
    self.writer?.writeSoon()
  }

  /// Waits as ``wait(upTo:)`` does, and goes on while the log cannot be written.
  ///
  /// - Returns: `false` after the log was closed.
  package func waitWhileOpen(upTo number: Int) -> Bool {
    self.writer?.waitWhileOpen(upTo: number) ?? false
  }

  /// Waits until all that was appended is on the disk. After a failure, writes again all that may
  /// be missing.
  ///
  /// - Throws: `io`, `timeout`, `closed`.
  package func sync(until deadline: Deadline? = nil) throws(LogError) {
    try self.openWriter().sync(until: deadline)
  }

  /// Where the log ends now.
  package var position: LogPosition {
    self.writer?.position ?? self.progress.position
  }

  /// Sets the function that returns what a snapshot is taken of, and the position of the log at
  /// which it was that. It is called without locks; `nil` means: not now, but after the next entry.
  package func setSnapshotSource(_ source: SnapshotSource?) {
    self.writer?.setSnapshotSource(source)
  }

  /// Compacts the log from now on whenever it has more than twice the entries that stay, in the
  /// background, with what the source of snapshots returns as its base. Called after
  /// ``setSnapshotSource(_:)``.
  ///
  /// - Parameter beginning: Where the entries of the log begin.
  package func compactRegularly(_ compaction: LogCompaction, from beginning: LogBeginning) {
    self.writer?.setCompaction(CompactionPlan(compaction, from: beginning))
  }

  /// Compacts the log now, while entries are appended.
  ///
  /// - Returns: Whether something had to be done; `nil` if the source of snapshots has no state.
  /// - Throws: ``LogError``, and what the functions of the compaction throw. The log is then as
  ///   before.
  package func compact(_ compaction: LogCompaction) throws -> Bool? {
    try self.openWriter().compact(compaction)
  }

  /// Writes and syncs what is queued, takes a snapshot if it pays, and unlocks the file. Further
  /// calls do nothing.
  ///
  /// - Returns: The error if something could not be written.
  @discardableResult
  package func close() -> LogError? {
    let error = self.writer?.close(at: self.time)
    // Threads may close one of one writer, which has none, at the same time.
    if self.scan != nil { self.scan = nil }
    self.share?.releaseAll(of: self.number)
    self.exclusion?.release(.opener)
    return error
  }

  /// Writes the log anew in place of the old one. Called while nothing can be appended.
  ///
  /// - Returns: How many entries were redacted; `nil` if nothing had to be done.
  /// - Throws: ``LogError``, and what the functions of the rewriting throw. The log is then as
  ///   before.
  package func rewrite(_ rewriting: LogRewriting) throws -> Int? {
    try self.openWriter().rewrite(rewriting)
  }

  /// Whether a migration has written the file. Used where ``entries(_:)`` may be.
  package var isMigrated: Bool {
    self.progress.isMigrated
  }

  /// The time in milliseconds since 1970, for entries.
  package var time: Int64 {
    self.clock.time
  }

  /// Notes the time of an entry of a shared log.
  func note(_ time: Int64) {
    if self.header.isShared { self.clock.note(time) }
  }

  /// Why the log cannot be written; `nil` if nothing is wrong.
  package var problem: LogError? {
    self.writer?.problem
  }

  /// Whether a call has thrown it.
  package var isProblemKnown: Bool {
    self.writer?.isProblemKnown ?? false
  }

  package var statistics: LogStatistics {
    let read = self.counts.withLock { $0 }
    guard let writer else { return read }
    var statistics = writer.statistics
    (statistics.cutLines, statistics.cutBytes) = (read.cutLines, read.cutBytes)
    return statistics
  }

  /// Does a part of what the thread in the background does, if the settings exclude that thread.
  ///
  /// - Returns: Whether there was something to do.
  @discardableResult
  package func work() -> Bool {
    self.writer?.work() ?? false
  }

  private func openWriter() throws(LogError) -> LogWriter {
    guard let writer = self.writer else {
      throw LogError(.invalid, "the log " + quotedPath(self.path) + " was opened to be read only")
    }
    return writer
  }
}

extension LogFile: LogStorage {
  package func stopWaiting() {}
  /// A thread does it.
  package var hasWork: Bool { false }

  package func openedAgain(at path: String?) throws(LogError) -> any LogStorage {
    try Self.open(path ?? self.path, self.settings.reading, files: self.files) {
      () throws(LogError) in .null
    }
  }

  package func watch(_ onEvent: @escaping @Sendable (WatchEvent) -> Void) -> (any FileWatch)? {
    self.files.watch(self.path, onEvent)
  }
}
