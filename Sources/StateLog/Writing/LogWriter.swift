import ImmutableJSON
import Threading

/// Appends to the file of a log.
///
/// Lines are queued, and written by a thread that waits for them: it writes all that is queued, and
/// the others wait for it. So threads that wait for the disk share one sync. What nobody waits for
/// is written by a thread in the background, which starts when it is first needed.
///
/// What is not known to be on the disk is kept in memory. If a sync fails, the system may have
/// dropped what it was to write, and a later sync can succeed without it. So after a failure
/// everything is written again, from the last offset that is known to be on the disk.
final class LogWriter: @unchecked Sendable {
  let settings: LogSettings
  let path: String
  let files: any FileSystem
  let clock: LogClock
  let origin: String
  /// `nil` unless other stores may write to the log, too.
  let share: LogShare?
  /// The number of this store among them; else 0.
  var number = 0
  let process = ProcessGeneration.current

  /// Guards what follows.
  let lock = Lock()
  /// The file was written or synced, or that failed; the log is being closed.
  let hasChanged = Condition()
  /// As many threads wait for the disk as last time.
  let hasGathered = Condition()
  /// There is work for the thread in the background.
  let hasWork = Condition()

  /// The sum of the second line of the file.
  var base: Checksum
  /// `nil` after it was closed.
  var file: (any File)?
  /// The file that a copy has replaced. It may be long, and then closing it takes long.
  var replaced: (any File)?
  /// How many copies have replaced the file.
  var copies = 0
  /// Lines that were not handed to the system.
  var queue: LineWriter
  /// Memory for the next queue.
  var spare: [UInt8] = []
  /// What was handed to the system from ``syncedEnd`` on.
  var unsynced: [UInt8]
  /// The end of what was appended.
  var last: LogPosition
  /// The ends of what was handed to the system, and of what is on the disk. After opening, the line
  /// before the latter may be unknown.
  var written: LogPosition
  var synced: LogPosition

  /// A thread writes, or syncs. Two threads may write and sync at the same time.
  var isWriting = false
  var isSyncing = false
  /// Whether a sync must be preceded by writing what is unsynced again.
  var mustRewrite: Bool
  /// Up to which offset a shared log was there when a sync failed. What is read of it later must be
  /// written again, too.
  var doubtfulEnd = 0
  var isNameSynced: Bool
  /// The last attempt to write or sync failed.
  var failure: LogError?
  /// Whether a call has thrown it.
  var isFailureKnown = false
  /// Why the last entry of this store could not be written to a shared log. Nothing is missing.
  var refusal: LogError?
  /// The number of attempts to sync that have ended.
  var attempts = 0

  var group = GroupCommit()

  var thread: Thread?
  /// Whether the thread waits for work.
  var isIdle = false
  /// Something that is queued must be written without delay.
  var mustWrite = false
  /// A thread waits for the disk with a deadline.
  var mustSync = false
  /// When the queue is written at the latest.
  var writeDeadline: Deadline?
  var isClosing = false
  var isClosed = false
  var closingError: LogError?

  var snapshots: SnapshotPlan
  /// `nil` unless the log is compacted while it is open.
  var compaction: CompactionPlan?
  var compactor: Thread?
  var counts = LogStatistics()

  /// - Parameter unsynced: The end of the log that is not known to be on the disk.
  init(_ log: LogFile, _ file: any File, at position: LogPosition, unsynced: [UInt8]) {
    (self.settings, self.path, self.files) = (log.settings, log.path, log.files)
    self.clock = log.clock
    (self.origin, self.base) = (log.header.origin, log.progress.base)
    self.share = log.share
    self.file = file
    self.last = position
    self.queue = LineWriter(after: self.last.sum)
    (self.written, self.synced) = (self.last, self.last)
    self.unsynced = unsynced
    if !unsynced.isEmpty {
      let end = self.last.end - unsynced.count
      self.synced = LogPosition(number: self.last.number, start: end, end: end)
    }
    // Whether a process that ended had a failed sync is not known.
    self.mustRewrite = !unsynced.isEmpty
    self.isNameSynced = log.isNameSynced
    self.snapshots = SnapshotPlan(after: log.progress.start)
  }
}

extension LogWriter {
  /// How many bytes may be queued without durability, and be unsynced.
  static var queueLimit: Int { 1 << 20 }
  static var unsyncedLimit: Int { 32 << 20 }

  /// From how many on they are written and synced in the background.
  static var queueBatch: Int { 1 << 16 }
  static var unsyncedBatch: Int { 4 << 20 }

  /// How long the queue waits for more, without durability.
  static var queueDelay: Int32 { 10 }

  /// After how long the outcome of an effect is dispatched again that a shared log has refused, in
  /// milliseconds.
  static var retryInterval: Int32 { 100 }

  /// Where the next line begins.
  var end: Int {
    self.last.end
  }

  /// Up to which offset the file was handed to the system, and is on the disk.
  var writtenEnd: Int {
    self.written.end
  }

  var syncedEnd: Int {
    self.synced.end
  }

  var isFull: Bool {
    self.settings.durability == .full
  }

  /// Throws if nothing may be appended. In the child of a fork, another thread of the parent may
  /// hold the lock.
  func requireProcess() throws(LogError) {
    guard self.process.isCurrent else { throw .inherited(self.path) }
  }

  /// Notes that the caller of a call learns of a failure.
  private func known(_ failure: LogError) -> LogError {
    self.isFailureKnown = true
    return failure
  }

  private func requireOpen() throws(LogError) {
    guard !self.isClosing else { throw .closed(self.path) }
    if let failure { throw self.known(failure) }
  }
}

// MARK: Appending

extension LogWriter {
  func append(
    _ kind: LineKind, number: Int, time: Int64, _ data: [UInt8]
  ) throws(LogError) {
    try self.requireProcess()
    self.lock.lock()
    defer { self.lock.unlock() }
    try self.requireOpen()
    // A log with other numbers could not be read.
    guard kind.isEntry, kind.isCommit ? number > self.last.number : number == self.last.number
    else {
      throw .misnumbered(self.path, number, after: self.last.number)
    }
    guard number <= LogLine.maxInteger, time.magnitude <= UInt64(LogLine.maxInteger) else {
      throw .exhausted(self.path, number, time)
    }
    // Room for what precedes the data.
    guard data.count <= LogLine.limit - 1024 else { throw .excessive(self.path, data.count) }
    while self.share != nil, self.isWriting { self.hasChanged.wait(self.lock) }
    let start = self.queue.bytes.count
    let last = self.last
    data.withUnsafeBytes { data in
      self.queue.write(
        kind, number: number, synced: self.syncedEnd, time: time, writer: self.number, data)
    }
    let length = self.queue.bytes.count - start
    self.last = LogPosition(
      number: number, start: self.end, end: self.end + length, sum: self.queue.sum)
    if self.share != nil { try self.writeInTurn(before: last) }
    self.counts.entries += 1
    self.snapshots.isWaiting = false
    self.compaction?.note(self.last, time)
    if self.isCompactionDue || self.snapshots.isDue(at: self.end) { self.wakeThread() }
    // A signal for each entry would cost more than all else.
    if self.settings.durability == .none {
      let isCrossing = start < Self.queueBatch && start + length >= Self.queueBatch
      if start == 0 || isCrossing { self.wakeThread() }
    }
  }

  func waitForRoom() throws(LogError) {
    try self.requireProcess()
    self.lock.lock()
    defer { self.lock.unlock() }
    try self.requireOpen()
    while self.settings.durability == .none, self.queue.bytes.count > Self.queueLimit {
      if self.isWriting { self.hasChanged.wait(self.lock) } else { self.write(syncing: false) }
      try self.requireOpen()
    }
    while self.unsynced.count > Self.unsyncedLimit {
      self.writeAndSyncOrWait()
      try self.requireOpen()
    }
    self.waitForCompaction()
    try self.requireOpen()
  }
}

// MARK: Waiting

extension LogWriter {
  func wait(upTo number: Int?) throws(LogError) {
    guard self.settings.durability != .none else { return }
    try self.requireProcess()
    self.lock.lock()
    defer { self.lock.unlock() }
    let number = number.map { min($0, self.last.number) }
    let end = AppendedEnd(self)
    if let number, self.isFull, self.share == nil, !self.isDurable(number, end) {
      self.group.add(number)
      if !self.group.isGathering { self.hasGathered.broadcast() }
    }
    while !self.isDurable(number, end) {
      if let failure { throw self.known(failure) }
      guard !self.isClosed else { throw .closed(self.path) }
      self.writeOrWait()
    }
  }

  func waitWhileOpen(upTo number: Int) -> Bool {
    guard self.process.isCurrent else { return false }
    self.lock.lock()
    defer { self.lock.unlock() }
    if self.refusal != nil {
      // Only a further attempt tells whether a shared log can be written again.
      let deadline = Deadline(milliseconds: Self.retryInterval)
      while !self.isClosing, !deadline.hasPassed {
        self.hasChanged.wait(self.lock, until: deadline)
      }
      return !self.isClosing
    }
    let number = min(number, self.last.number)
    while !self.isClosing {
      let end = AppendedEnd(self)
      if self.settings.durability == .none || self.isDurable(number, end) { return true }
      if self.failure == nil { self.writeOrWait() } else { self.hasChanged.wait(self.lock) }
    }
    return false
  }

  func sync(until deadline: Deadline?) throws(LogError) {
    try self.requireProcess()
    self.lock.lock()
    defer { self.lock.unlock() }
    let end = AppendedEnd(self)
    // An attempt that ends with a failure counts only if it began after this call.
    let attempts = self.attempts + (self.isSyncing ? 1 : 0)
    if self.isOnDisk(end) { self.checkFile() }
    while !self.isOnDisk(end) {
      guard !self.isClosing else { throw .closed(self.path) }
      if let failure, self.attempts > attempts { throw self.known(failure) }
      if let deadline, self.startThread() {
        guard !deadline.hasPassed else { throw .timeout(self.path) }
        self.mustSync = true
        self.wakeThread()
        self.hasChanged.wait(self.lock, until: deadline)
      } else {
        self.writeAndSyncOrWait()
      }
    }
  }

  /// What was appended when a thread began to wait.
  private struct AppendedEnd {
    private let offset: Int
    private let copies: Int

    init(_ writer: LogWriter) {
      (self.offset, self.copies) = (writer.end, writer.copies)
    }

    /// Whether it is before an offset. The copy that has replaced the file has all of it.
    func isBefore(_ offset: Int, in writer: LogWriter) -> Bool {
      offset >= self.offset || writer.copies != self.copies
    }
  }

  /// Whether the entries up to a number are durable; without one, all up to an end.
  private func isDurable(_ number: Int?, _ end: AppendedEnd) -> Bool {
    // A power cut could bring back the file that a copy has replaced.
    guard !self.isFull || self.isNameSynced else { return false }
    let position = self.isFull ? self.synced : self.written
    return number.map { position.number >= $0 } ?? end.isBefore(position.end, in: self)
  }

  /// Whether all up to an end is on the disk, and nothing has failed since.
  private func isOnDisk(_ end: AppendedEnd) -> Bool {
    end.isBefore(self.syncedEnd, in: self) && self.isNameSynced && self.failure == nil
  }

  private func writeOrWait() {
    // Others may append to a shared log meanwhile, in their turns.
    if self.share != nil { return self.writeAndSyncOrWait() }
    if self.isWriting || self.isFull && self.isSyncing {
      self.hasChanged.wait(self.lock)
    } else {
      if self.isFull { self.gather() }
      self.write(syncing: self.isFull)
    }
  }

  /// Waits for other threads, to share the next sync with them.
  private func gather() {
    guard self.group.isGathering else { return }
    (self.isWriting, self.isSyncing) = (true, true)
    let deadline = Deadline(nanoseconds: self.group.delay)
    while self.group.isGathering, !deadline.hasPassed {
      self.hasGathered.wait(self.lock, until: deadline)
    }
  }
}
