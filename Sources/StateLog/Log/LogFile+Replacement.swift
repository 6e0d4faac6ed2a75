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
  /// Called after all of this one was read, and where ``entries(_:)`` may be. That then returns all
  /// entries after the new base, also those that are known.
  ///
  /// - Parameter begin: Called with the line of the base.
  /// - Throws: `corrupt` if it is another log; for one that this store writes, `io`: it can be put
  ///   back. What `begin` throws. The old file then stays.
  package func goOver(_ begin: (LogLine) throws -> Void) throws {
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
    guard let base = try scan.next() else { throw LogError.moved(self.path) }
    try begin(base)
    scan.lastWriter = max(scan.lastWriter, self.lastWriter)
    progress.base = base.sum
    progress.begin(base, before: scan.end)
    (self.scan, self.progress) = (scan, progress)
    self.progress.position = self.position(of: scan)
  }
}
