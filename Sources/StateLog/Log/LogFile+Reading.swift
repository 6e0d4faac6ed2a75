import ImmutableJSON

/// How far a log was read.
struct ReadingProgress {
  /// After the last line that was read, when reading has ended.
  var position = LogPosition()

  /// The sum of the second line.
  var base = Checksum()

  /// The number of the state from which a replay begins, the size of its text, and where the log
  /// goes on from it.
  private(set) var startNumber = 0
  var start = LogStartSize()

  /// The largest number of a writer, when reading has ended.
  var lastWriter = 0

  /// Whether a migration has written the file.
  var isMigrated = false

  /// Begins with the state of a line, whose text has so many bytes.
  mutating func begin(_ line: LogLine, _ size: Int, before offset: Int) {
    self.startNumber = line.number
    self.start = LogStartSize(text: size, end: offset)
  }
}

/// The size of the text of the state from which a replay begins, and where the entries after it do.
struct LogStartSize {
  var text = 0
  var end = 0
}

/// What a file of a log has.
struct LogContent {
  /// The sum of the second line.
  var base = Checksum()
  /// The state from which a replay begins.
  var start = LogStartSize()
  /// The first entry.
  var first: EntryPlace?
  /// The last line.
  var last = LogPosition()
}

/// Where the entries of a log begin.
package struct LogBeginning: Sendable {
  /// `nil` if there is none.
  package let first: EntryPlace?
  /// The end of what precedes them.
  let base: Int
}

/// The state from which a replay begins.
package struct LogStart: Sendable {
  package let number: Int
  package let time: Int64
  package let data: Value
}

// MARK: The state at the beginning

extension LogFile {
  /// The state from which a replay begins: that of the snapshot, if it belongs to the log; else the
  /// base.
  package func start(usesSnapshot: Bool = true) throws(LogError) -> LogStart {
    let scan = try self.openScan()
    let reader = scan.reader
    self.progress.base = try self.readBaseSum(reader)
    if usesSnapshot, let found = try self.startFromSnapshot(scan) { return found }
    let offset = scan.end
    reader.move(to: offset)
    guard let part = try reader.next(), part.isComplete, let line = LogLine(part.bytes),
      line.kind == .base, line.follows(scan.position.sum), Checksum(line.data) == line.dataSum,
      let value = try? line.value()
    else {
      throw .damaged(self.path, line: 2, offset: offset, "its checksum is wrong")
    }
    // Records of what the base contains have smaller numbers.
    let position = LogPosition(number: 0, start: part.offset, end: part.end, sum: line.sum)
    self.begin(scan, line, at: position)
    return LogStart(number: line.number, time: line.time, data: value)
  }

  private func begin(_ scan: LogScan, _ line: LogLine, at position: LogPosition) {
    scan.goOn(after: position)
    scan.synced = max(scan.synced, position.end)
    self.note(line.time)
    self.progress.begin(line, line.data.count, before: position.end)
  }

  /// What the second line states as its sum, without reading all of it.
  private func readBaseSum(_ reader: LineReader) throws(LogError) -> Checksum {
    let count = LogHeader.beginning.utf8.count + Checksum.digits
    let bytes = try reader.peek(count)
    return LogLine.statedSum(bytes) ?? Checksum()
  }

  /// Begins with the snapshot, if there is one that belongs to this log and fits.
  private func startFromSnapshot(
    _ log: LogScan
  ) throws(LogError) -> LogStart? {
    // A snapshot is a copy. If anything is wrong with it, the log has all that is in it.
    guard let file = try? self.files.open(self.path + "-snapshot", .read) else { return nil }
    let reader = LineReader(file, path: self.path)
    defer { withExtendedLifetime(reader) {} }
    guard let part = try? reader.next(), part.isComplete, let line = LogLine(part.bytes),
      line.follows(Checksum()), Checksum(line.data) == line.dataSum, let place = line.place,
      place.origin == self.header.origin, place.base == self.progress.base
    else { return nil }
    // The log was on the disk up to here when the snapshot was written.
    log.synced = place.position.end
    let size = try log.size()
    guard size >= place.position.end else { throw .shortened(self.path, size, place.position.end) }
    guard try self.hasLine(at: place.position, log.reader), let value = try? line.value() else {
      return nil
    }
    self.begin(log, line, at: place.position)
    return LogStart(number: line.number, time: line.time, data: value)
  }

  /// Whether the log has the line after which a snapshot was taken. Moves behind it.
  private func hasLine(
    at position: LogPosition, _ log: LineReader
  ) throws(LogError) -> Bool {
    log.move(to: position.start)
    guard let part = try log.next(), part.isComplete, part.end == position.end,
      let line = LogLine(part.bytes), line.sum == position.sum, line.number == position.number,
      line.hasItsData
    else { return false }
    // The entries before it are not read.
    self.note(line.time)
    return true
  }
}

extension LogFile {
  /// The first line of a log; `nil` if there is no file.
  package static func header(
    _ path: String, files: any FileSystem = SystemFiles()
  ) throws(LogError) -> LogHeader? {
    let path = try files.resolve(path)
    guard let file = try self.open(path, .read, files) else { return nil }
    return try self.readHeader(file, path).header
  }

  /// Where the entries of a log begin that is open.
  package func beginning() throws(LogError) -> LogBeginning {
    let scan = try LogScan(self.path, files: self.files)
    while scan.first == nil, try scan.next() != nil {}
    return LogBeginning(first: scan.first, base: scan.first?.offset ?? scan.end)
  }

  /// The number of the commit of the snapshot that a log can be opened from; `nil` if there is
  /// none.
  package static func snapshotNumber(
    _ path: String, files: any FileSystem = SystemFiles()
  ) throws(LogError) -> Int? {
    let log = try self.openForReading(path, files)
    let scan = try log.openScan()
    log.progress.base = try log.readBaseSum(scan.reader)
    return try log.startFromSnapshot(scan)?.number
  }

  /// The state from which a replay of a log begins, how many entries follow, and the number of the
  /// last commit.
  package static func start(
    of path: String, files: any FileSystem = SystemFiles()
  ) throws -> (start: LogStart, entries: Int, last: Int) {
    let log = try self.openForReading(path, files)
    let start = try log.start()
    var entries = 0
    try log.entries { _ in entries += 1 }
    return (start, entries, log.position.number)
  }

  /// Opens a log of any program, only to read it.
  private static func openForReading(
    _ path: String, _ files: any FileSystem
  ) throws(LogError) -> LogFile {
    let path = try files.resolve(path)
    guard let file = try self.open(path, .read, files) else { throw .missing(path) }
    var settings = LogSettings()
    settings.isReadOnly = true
    return LogFile(try self.readHeader(file, path), path: path, settings, files)
  }
}

// MARK: Entries

extension LogFile {
  /// Calls `body` with each entry after the state of ``start()``, in memory for one line. Then the
  /// log is ready to append to, unless it is read-only. If it is, a further call goes on where this
  /// one ended.
  ///
  /// What a power cut or a writer that has died left at the end is cut and counted, unless the log
  /// is read-only, or shared and another store may be writing. The data of an entry is valid only
  /// during the call.
  ///
  /// - Throws: ``LogError``: `corrupt` if the log is damaged where it once was on the disk, or
  ///   became shorter than what was read. What `body` throws.
  package func entries(_ body: (LogLine) throws -> Void) throws {
    let scan = try self.openScan()
    if self.settings.isReadOnly || self.isShared {
      try self.requireUnchanged(scan)
      scan.readAnew()
    }
    defer {
      self.progress.position = self.position(of: scan)
      self.counts.withLock { $0.bytes = scan.end }
    }
    // Others may append faster than this store reads.
    let end = self.isShared ? try scan.size() : .max
    while scan.end < end, let line = try scan.next() {
      self.note(line.time)
      // What a later base contains is only a record.
      let first = self.progress.startNumber + (line.kind.isCommit ? 1 : 0)
      guard line.number >= first else {
        self.progress.start.end = line.end
        continue
      }
      if line.kind == .closed { continue }
      guard !line.isRedacted else {
        throw try scan.damaged(line.offset, "an entry that is needed was redacted")
      }
      try body(line)
    }
    let size = try scan.size()
    guard size >= scan.end else { throw LogError.cutOff(self.path, size, scan.end) }
    if self.settings.isReadOnly { return }
    let file = scan.reader.file
    if self.isShared { try self.adopt(scan) }
    if size > scan.end, self.hasTurn || !self.isShared { try self.cut(file, from: scan.end) }
    if self.isShared { return }
    // What a process wrote, and may not have synced.
    let unsynced = try file.bytes(min(scan.synced, scan.end)..<scan.end)
    self.writer = LogWriter(self, file, at: self.position(of: scan), unsynced: unsynced)
    self.progress.lastWriter = scan.lastWriter
    self.scan = nil
  }

  /// Throws if the file no longer has what was read: it may have been shortened or overwritten.
  func requireUnchanged(_ scan: LogScan) throws(LogError) {
    let size = try scan.size()
    guard size >= scan.end else { throw .cutOff(self.path, size, scan.end) }
    guard try scan.reader.file.hasLine(at: scan.position) else { throw .overwritten(self.path) }
  }

  private func openScan() throws(LogError) -> LogScan {
    guard let scan else { throw .closed(self.path) }
    return scan
  }

  func position(of scan: LogScan) -> LogPosition {
    var position = scan.position
    position.number = max(position.number, self.progress.startNumber)
    return position
  }
}

extension File {
  /// The bytes of a range, or those before the end of the file.
  func bytes(_ range: Range<Int>) throws(LogError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var count = 0
    while count < bytes.count {
      let read = try bytes.withUnsafeMutableBytes { bytes in
        Result { () throws(LogError) in
          try self.read(
            at: range.lowerBound + count,
            into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
        }
      }.get()
      if read == 0 { break }
      count += read
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
