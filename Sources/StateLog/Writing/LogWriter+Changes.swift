// Other programs can change the file of an open log: overwrite or shorten it, delete it, or put
// another one in its place. What is then written is lost, or damages what they have written. So the
// file is compared with what the log knows of it, before each write, and before and after each
// sync.

/// What the file of a log must be like.
struct FileExpectation {
  let sizes: ClosedRange<Int>
  /// A line that it must have; `nil` if none is known.
  let line: LogPosition?
  /// The number of an entry with which another store may have copied it, to compact the log; `nil`
  /// if nobody may.
  var copied: Int?
}

extension LogWriter {
  /// What the file is like while nobody writes to it. The lock must be held.
  var expectation: FileExpectation {
    guard self.share == nil else {
      // Others append.
      return FileExpectation(
        sizes: self.syncedEnd...Int.max, line: self.synced.line, copied: self.last.number)
    }
    guard self.failure == nil else {
      // A part of what could not be written may be there.
      return FileExpectation(
        sizes: self.syncedEnd...self.syncedEnd + self.unsynced.count, line: self.synced.line)
    }
    // What a process that ended has written can be lost in a sync that fails.
    return FileExpectation(
      sizes: self.writtenEnd...self.writtenEnd,
      line: self.mustRewrite ? self.synced.line : self.written.line)
  }

  /// Throws if the file at the path is another one, or not as expected.
  func requireUnchanged(
    _ file: any File, _ expectation: FileExpectation, readsLine: Bool
  ) throws(LogError) {
    guard let status = try self.files.status(of: self.path) else { throw .moved(self.path) }
    if status.identity != file.identity {
      guard let copied = expectation.copied, try self.hasCopy(with: copied) else {
        throw .moved(self.path)
      }
      return
    }
    guard expectation.sizes.contains(status.size) else { throw .overwritten(self.path) }
    guard readsLine, let line = expectation.line else { return }
    guard try file.hasLine(at: line) else { throw .overwritten(self.path) }
  }

  /// Whether the file at the path is a copy of the log that has an entry. It was on the disk before
  /// it got the path.
  private func hasCopy(with number: Int) throws(LogError) -> Bool {
    guard try LogFile.header(self.path, files: self.files)?.origin == self.origin else {
      return false
    }
    let scan = try LogScan(self.path, files: self.files)
    while let line = try scan.next() {
      if line.number >= number { return true }
    }
    return false
  }

  /// Compares the file while there is nothing to write. The lock must be held.
  func checkFile() {
    while self.isWriting || self.isSyncing { self.hasChanged.wait(self.lock) }
    guard let file, self.failure == nil else { return }
    let expectation = self.expectation
    self.isWriting = true
    self.lock.unlock()
    let failure = self.attempt { () throws(LogError) in
      try self.requireUnchanged(file, expectation, readsLine: true)
    }
    self.lock.lock()
    self.isWriting = false
    if let failure { self.fail(failure) } else { self.refusal = nil }
    self.announce()
  }
}

extension LogPosition {
  /// The position, if it is known which line ends there.
  fileprivate var line: LogPosition? {
    self.start < self.end ? self : nil
  }
}

extension File {
  /// Whether the line that ends at a position is still there, by the sum that it begins with.
  func hasLine(at position: LogPosition) throws(LogError) -> Bool {
    let count = LogHeader.beginning.utf8.count + Checksum.digits
    let bytes = try self.bytes(position.start..<min(position.start + count, position.end))
    return bytes.withUnsafeBytes { bytes in
      var scanner = LineScanner(bytes)
      return scanner.skip("{\"sum\":\"") && scanner.checksum() == position.sum
    }
  }
}
