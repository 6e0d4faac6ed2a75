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
    let made = try LogCopy(of: file, path: self.path, self.origin, rewriting, self.files)
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
    if let copy {
      self.file = copy.file
      self.base = copy.base
      self.queue = LineWriter(after: copy.last.sum)
      self.unsynced = []
      self.last = copy.last
      (self.written, self.synced) = (copy.last, copy.last)
      self.snapshots.restart(size: copy.baseSize, offset: copy.last.end)
      self.isNameSynced = copy.isNameSynced
    }
    self.snapshots.end(nil)
    self.announce()
  }

  /// Whether a log written anew would differ.
  private func changes(_ rewriting: LogRewriting, _ scan: LogScan) throws -> Bool {
    if rewriting.version != nil { return true }
    var isFirst = true
    while let line = try scan.next() {
      switch line.kind {
      case .snapshot, .closed: break
      case .log:
        guard let isShared = rewriting.isShared else { continue }
        if LogHeader(try line.value())?.isShared != isShared { return true }
      case .base: if line.number != (try rewriting.base(line)).number { return true }
      case .actions, .jump, .history, .options, .opened:
        if isFirst, !rewriting.keeps(line) { return true }
        isFirst = false
        if !line.isRedacted, try rewriting.redacts(line) { return true }
      }
    }
    return false
  }
}

/// A log that was written anew, and has the place of the old one.
private struct LogCopy {
  let file: any File
  /// The sum of the second line, and the size of its data.
  private(set) var base = Checksum()
  private(set) var baseSize = 0
  /// The last line.
  private(set) var last = LogPosition()
  private(set) var redacted = 0
  /// Whether the name of the file is known to be on the disk.
  private(set) var isNameSynced = false

  private var lines = LineWriter()
  /// Whether it is a shared log, and whether the old one was another kind.
  private var isShared = false
  private var isConverted = false
  /// Where the lines that were not written begin.
  private var offset = 0

  /// Copies a log that is on the disk.
  init(
    of log: any File, path: String, _ origin: String, _ rewriting: LogRewriting,
    _ files: any FileSystem
  ) throws {
    let side = SideFiles(files: files, path: path, log: log, leftover: .copy(origin: origin))
    let new: String
    (new, self.file) = try side.create("-new")
    do {
      try self.copy(LogScan(log, path: path), rewriting, files.time)
      try self.compare(new, files)
      try rewriting.check(new)
      let file = self.file
      let isLocked = try file.lock()
      guard isLocked else {
        throw LogError(.io, "cannot lock " + quotedPath(new) + ": another process has it")
      }
      // Before: the snapshot may have what must be forgotten, and must not stay if it cannot be
      // removed.
      try side.clear(path + "-snapshot")
      try files.rename(new, to: path)
    } catch {
      try? files.remove(new)
      throw error
    }
    // From here on it is the log. If its name is not on the disk, the next sync tries again.
    self.isNameSynced = (try? files.syncFolder(of: path)) != nil
  }

  private mutating func copy(
    _ scan: LogScan, _ rewriting: LogRewriting, _ time: Int64
  ) throws {
    var isKeeping = false
    var number = 0
    while let line = try scan.next() {
      switch line.kind {
      case .log:
        self.lines.write(header: try self.header(line, rewriting))
      case .base:
        let base = try rewriting.base(line)
        number = base.number
        base.data.withJSON { data in
          self.baseSize = data.count
          self.write(.base, number, time, 0, data, Checksum(data))
        }
        self.base = self.lines.sum
      case .actions, .jump, .history, .options, .opened:
        isKeeping = isKeeping || rewriting.keeps(line)
        guard isKeeping, self.hasPlace(for: line, after: number) else { continue }
        if !line.isRedacted, try rewriting.redacts(line) {
          self.redacted += 1
          var marker = LineWriter.redaction
          marker.withUTF8 {
            self.write(
              line.kind, line.number, line.time, line.writer, UnsafeRawBufferPointer($0),
              line.dataSum)
          }
        } else if !line.isRedacted, let data = try rewriting.change(line) {
          data.withJSON {
            self.write(line.kind, line.number, line.time, line.writer, $0, Checksum($0))
          }
        } else {
          self.write(line.kind, line.number, line.time, line.writer, line.data, line.dataSum)
        }
      case .snapshot, .closed: break
      }
      self.last.number = max(number, line.number)
      if self.lines.bytes.count > 1 << 18 { try self.flush() }
    }
    try self.flush()
    try self.file.sync()
  }

  private mutating func header(_ line: LogLine, _ rewriting: LogRewriting) throws -> Value {
    let value = try line.value()
    guard var header = LogHeader(value) else { return value }
    self.isShared = rewriting.isShared ?? header.isShared
    self.isConverted = self.isShared != header.isShared
    guard self.isConverted || rewriting.version != nil else { return value }
    if let version = rewriting.version {
      header.migratedFrom = header.migratedFrom ?? header.version
      header.version = version
    }
    if self.isConverted {
      (header.isShared, header.options) = (self.isShared, rewriting.options)
    }
    return header.value
  }

  /// Whether an entry that stays can be in a log of the other kind. One of one writer has no lines
  /// that say who writes. Marks and options after the last commit would be repeated after the base,
  /// which has them, as those of another writer.
  private func hasPlace(for line: LogLine, after number: Int) -> Bool {
    guard self.isConverted else { return true }
    if line.kind == .opened { return false }
    return line.kind.isCommit || line.number < number
  }

  /// The whole file is on the disk before it gets its name, so each line says so of all before it.
  private mutating func write(
    _ kind: LineKind, _ number: Int, _ time: Int64, _ writer: Int,
    _ data: UnsafeRawBufferPointer, _ dataSum: Checksum
  ) {
    let start = self.lines.bytes.count
    self.lines.write(
      kind, number: number, synced: self.offset + start, time: time,
      writer: self.isShared ? writer : 0, data, sum: dataSum)
    self.last.start = self.offset + start
    self.last.end = self.offset + self.lines.bytes.count
    self.last.sum = self.lines.sum
  }

  private mutating func flush() throws(LogError) {
    let (lines, offset) = (self.lines.bytes, self.offset)
    try self.file.write(lines, at: offset)
    self.offset += lines.count
    self.lines.bytes.removeAll(keepingCapacity: true)
  }

  /// Reads what was written, as opening it does.
  private func compare(_ path: String, _ files: any FileSystem) throws {
    var settings = LogSettings()
    settings.isReadOnly = true
    let log = LogFile(try LogFile.readHeader(self.file, path), path: path, settings, files)
    _ = try log.start(usesSnapshot: false)
    try log.entries { line in _ = try line.value() }
    guard log.progress.position.end == self.last.end, log.progress.position.sum == self.last.sum
    else {
      throw LogError(
        .io, "cannot write " + quotedPath(path) + ": it does not read back as it was written")
    }
  }
}
