// A log that is open gets another file when it is written anew. Those that read it go over to that.

extension LogFile {
  /// Whether another file has the path of the log now. Then this one is complete.
  ///
  /// - Throws: `io` if there is none.
  package func isReplaced() throws(LogError) -> Bool {
    guard let file = self.scan?.reader.file else { return false }
    guard let status = try self.files.status(of: self.path) else { throw .moved(self.path) }
    return status.identity != file.identity
  }

  /// What tells the file to which ``position`` belongs from others; `nil` for a log that is closed.
  package var identity: FileIdentity? {
    self.writer?.identity ?? self.scan?.reader.file.identity
  }

  /// The last entry that was read or appended; `nil` if it is not known.
  package func lastEntry() throws(LogError) -> EntryMark? {
    guard let scan, scan.position.start >= self.progress.start.end else { return nil }
    let (start, end) = (scan.position.start, scan.end - 1)
    let bytes = try scan.reader.file.bytes(start..<max(start, end))
    return bytes.withUnsafeBytes { bytes in
      let line = LogLine(bytes)
      return line?.kind == .closed ? scan.lastEntry : line?.mark
    }
  }

  /// Goes over to the file that has the path now, which has the same entries and a later base.
  /// Called after all of this one was read, and where ``entries(_:)`` may be. That then returns the
  /// entries after the new base, also those that are known, but may begin with a known one near the
  /// end: other stores wait for the turn in which this is called.
  ///
  /// - Parameters:
  ///   - known: An entry that is known, and all before it.
  ///   - begin: Called with the line of the base, unless it is before that entry.
  /// - Throws: `corrupt` if it is another log; for one that this store writes, `io`: it can be put
  ///   back. What `begin` throws. The old file then stays.
  package func goOver(after known: EntryMark?, _ begin: (LogLine) throws -> Void) throws {
    let mode = self.settings.isReadOnly ? OpenMode.read : .write
    guard let file = try Self.open(self.path, mode, self.files) else {
      throw LogError.moved(self.path)
    }
    let opened: OpenedFile
    do throws(LogError) {
      opened = try Self.readHeader(file, self.path)
      try opened.header.check(self.settings, self.path)
      guard opened.header.origin == self.header.origin else {
        throw .replaced(self.path, "by another log")
      }
      guard opened.header.isShared == self.header.isShared else {
        throw .replaced(self.path, "by one that is \(opened.header.isShared ? "" : "not ")shared")
      }
    } catch {
      guard self.isShared, error.code != .io else { throw error }
      throw LogError.moved(self.path)
    }
    let scan = opened.scan
    var progress = ReadingProgress()
    progress.isMigrated = opened.header.migratedFrom != nil
    if let known, try scan.skip(to: known, &progress) {
    } else {
      guard let base = try scan.next() else { throw LogError.moved(self.path) }
      try begin(base)
      progress.base = base.sum
      progress.begin(base, base.data.count, before: scan.end)
    }
    scan.lastWriter = max(scan.lastWriter, self.lastWriter)
    (self.scan, self.progress) = (scan, progress)
    self.progress.position = self.position(of: scan)
  }
}

extension LogScan {
  /// How near the end an entry is found without reading all before it.
  private static var tail: Int { 1 << 18 }

  /// Goes to an entry near the end, without a look at what is between the base and that. Called
  /// before the base.
  ///
  /// - Returns: Whether it is there, and after the base. If not, nothing has changed.
  fileprivate func skip(
    to entry: EntryMark, _ progress: inout ReadingProgress
  ) throws(LogError) -> Bool {
    let start = self.position
    if try self.skipBase(before: entry, &progress) {
      while self.first == nil, try self.next() != nil {}
      if let position = try self.position(before: entry) {
        self.goOn(after: position)
        return true
      }
    }
    self.goOn(after: start, heads: 1)
    return false
  }

  private func skipBase(
    before entry: EntryMark, _ progress: inout ReadingProgress
  ) throws(LogError) -> Bool {
    let start = self.end
    let bytes = try self.reader.peek(256)
    guard let line = LogLine(beginning: bytes), line.kind == .base, line.number < entry.number,
      line.follows(self.position.sum)
    else { return false }
    let text = start + bytes.count - line.data.count
    guard try self.reader.skip() else { return false }
    let end = self.reader.offset
    progress.base = line.sum
    progress.begin(line, end - 2 - text, before: end)
    self.goOn(after: LogPosition(number: 0, start: start, end: end, sum: line.sum))
    return true
  }

  /// The line before an entry near the end. Moves elsewhere.
  private func position(before entry: EntryMark) throws(LogError) -> LogPosition? {
    let start = max(self.end, try self.size() - Self.tail)
    var position = start == self.end ? self.position : nil
    self.reader.move(to: start)
    while let part = try self.reader.next() {
      let line = part.isComplete ? LogLine(part.bytes) : nil
      if line?.mark == entry { return position }
      position = line.map {
        LogPosition(number: $0.number, start: part.offset, end: part.end, sum: $0.sum)
      }
    }
    return nil
  }
}
