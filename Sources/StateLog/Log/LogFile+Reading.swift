import ImmutableJSON

/// How far a log was read.
struct ReadingProgress {
  /// After the last line that was read.
  var position = LogPosition()

  /// The sum of the second line.
  var base = Checksum()

  /// The number of the state from which a replay begins.
  var startNumber = 0

  /// Up to which offset the file was once on the disk.
  var synced = 0

  /// The size of the text of that state, and where the log goes on from it.
  var startSize = 0
  var startOffset = 0
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
    let reader = try self.openReader()
    self.progress.base = try self.readBaseSum(reader)
    if usesSnapshot, let found = try self.startFromSnapshot(reader) { return found }
    reader.move(to: self.baseOffset)
    guard let part = try reader.next(), part.isComplete, let line = LogLine(part.bytes),
      line.kind == .base, line.follows(self.headerSum), Checksum(line.data) == line.dataSum,
      let value = try? line.value()
    else {
      throw .damaged(self.path, line: 2, offset: self.baseOffset, "its checksum is wrong")
    }
    self.begin(line, at: part.offset, part.end, line.sum)
    return LogStart(number: line.number, time: line.time, data: value)
  }

  private func begin(_ line: LogLine, at start: Int, _ end: Int, _ sum: Checksum) {
    // Records of what a later base contains have smaller numbers.
    let number = line.kind == .base ? 0 : line.number
    self.progress.position = LogPosition(number: number, start: start, end: end, sum: sum)
    self.progress.startNumber = line.number
    self.progress.startSize = line.data.count
    self.progress.startOffset = end
    self.progress.synced = max(self.progress.synced, end)
  }

  /// What the second line states as its sum, without reading all of it.
  private func readBaseSum(_ reader: LineReader) throws(LogError) -> Checksum {
    let count = LogHeader.beginning.utf8.count + Checksum.digits
    let bytes = try reader.peek(count)
    var scanner = LineScanner(bytes)
    guard scanner.skip("{\"sum\":\""), let sum = scanner.checksum() else { return Checksum() }
    return sum
  }

  /// Begins with the snapshot, if there is one that belongs to this log and fits.
  private func startFromSnapshot(
    _ log: LineReader
  ) throws(LogError) -> LogStart? {
    // A snapshot is a copy. If anything is wrong with it, the log has all that is in it.
    guard let file = try? self.files.open(self.path + "-snapshot", .read) else { return nil }
    let reader = LineReader(file)
    defer { withExtendedLifetime(reader) {} }
    guard let part = try? reader.next(), part.isComplete, let line = LogLine(part.bytes),
      line.follows(Checksum()), Checksum(line.data) == line.dataSum, let place = line.place,
      place.origin == self.header.origin, place.base == self.progress.base
    else { return nil }
    // The log was on the disk up to here when the snapshot was written.
    self.progress.synced = place.position.end
    let size = try log.file.size()
    guard size >= place.position.end else { throw .shortened(self.path, size, place.position.end) }
    guard try self.hasLine(at: place.position, log), let value = try? line.value() else {
      return nil
    }
    self.begin(line, at: place.position.start, place.position.end, place.position.sum)
    return LogStart(number: line.number, time: line.time, data: value)
  }

  /// Whether the log has the line after which a snapshot was taken. Moves behind it.
  private func hasLine(
    at position: LogPosition, _ log: LineReader
  ) throws(LogError) -> Bool {
    log.move(to: position.start)
    guard let part = try log.next(), part.isComplete, part.end == position.end,
      let line = LogLine(part.bytes)
    else { return false }
    return line.sum == position.sum && line.number == position.number && line.hasItsData
  }
}

extension LogFile {
  /// The first line of a log.
  package static func header(
    _ path: String, files: any FileSystem = SystemFiles()
  ) throws(LogError) -> LogHeader {
    guard let header = try self.headerIfThere(path, files: files) else {
      throw .missing(path)
    }
    return header
  }

  /// The same; `nil` if there is no file.
  package static func headerIfThere(
    _ path: String, files: any FileSystem = SystemFiles()
  ) throws(LogError) -> LogHeader? {
    let path = try files.resolve(path)
    guard let file = try self.open(path, .read, files) else { return nil }
    return try self.readHeader(file, path).header
  }

  /// The number of the commit of the snapshot that a log can be opened from; `nil` if there is none.
  package static func snapshotNumber(
    _ path: String, files: any FileSystem = SystemFiles()
  ) throws(LogError) -> Int? {
    let path = try files.resolve(path)
    guard let file = try self.open(path, .read, files) else { throw .missing(path) }
    var settings = LogSettings()
    settings.isReadOnly = true
    let log = LogFile(try self.readHeader(file, path), path: path, settings, files)
    let reader = try log.openReader()
    log.progress.base = try log.readBaseSum(reader)
    return try log.startFromSnapshot(reader)?.number
  }
}

// MARK: Entries

extension LogFile {
  /// Calls `body` with each entry after the state of ``start()``, in memory for one line. Then the
  /// log is ready to append to, unless it is read-only. If it is, a further call goes on where this
  /// one ended.
  ///
  /// What a power cut left at the end is cut, unless the log is read-only, and counted. The data of
  /// an entry is valid only during the call.
  ///
  /// - Throws: ``LogError``: `corrupt` if the log is damaged where it once was on the disk, or became
  ///   shorter than what was read. What `body` throws.
  package func entries(_ body: (LogLine) throws -> Void) throws {
    let reader = try self.openReader()
    while let part = try reader.next() {
      guard let line = self.followingLine(part) else {
        try self.end(at: part, reader)
        break
      }
      // What a later base contains is only a record.
      let first = self.progress.startNumber + (line.kind.isCommit ? 1 : 0)
      guard line.number >= first, line.kind != .closed else { continue }
      guard !line.isRedacted else {
        throw try self.damaged(reader, part.offset, "an entry that is needed was redacted")
      }
      try body(line)
    }
    let size = try reader.file.size()
    guard size >= self.progress.position.end else {
      throw LogError.cutOff(self.path, size, self.progress.position.end)
    }
    self.progress.position.number = max(
      self.progress.position.number, self.progress.startNumber)
    if !self.settings.isReadOnly {
      self.writer = LogWriter(self, reader.file, unsynced: try self.readUnsynced(reader.file))
      self.reader = nil
    }
  }

  /// The entry in a part of the file, if it is whole and continues the chain.
  private func followingLine(_ part: LineReader.Part) -> LogLine? {
    guard part.isComplete, var line = LogLine(part.bytes), line.kind.isEntry,
      line.follows(self.progress.position.sum), line.hasItsData, line.synced <= part.offset,
      line.kind.isCommit
        ? line.number > self.progress.position.number
        : line.number >= self.progress.position.number
    else { return nil }
    (line.offset, line.end) = (part.offset, part.end)
    self.progress.synced = max(self.progress.synced, line.synced)
    self.progress.position = LogPosition(
      number: line.number, start: part.offset, end: part.end, sum: line.sum)
    return line
  }

  private func openReader() throws(LogError) -> LineReader {
    guard let reader else { throw .closed(self.path) }
    return reader
  }

  /// What a process wrote, and may not have synced.
  private func readUnsynced(_ file: any File) throws(LogError) -> [UInt8] {
    let start = min(self.progress.synced, self.progress.position.end)
    return try file.bytes(start..<self.progress.position.end)
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
