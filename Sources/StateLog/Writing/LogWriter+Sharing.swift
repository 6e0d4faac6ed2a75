import Threading

// A log that other stores write, too.

extension LogWriter {
  /// Adds lines that other stores have written.
  func adopt(_ lines: [UInt8], _ position: LogPosition, synced: Int) {
    self.lock.lock()
    defer { self.lock.unlock() }
    while self.isWriting { self.hasChanged.wait(self.lock) }
    if self.end < self.doubtfulEnd { self.mustRewrite = true }
    self.unsynced += lines
    (self.last, self.written) = (position, position)
    self.queue = LineWriter(after: position.sum)
    if synced > self.syncedEnd, synced <= self.writtenEnd {
      self.unsynced.removeFirst(synced - self.syncedEnd)
      self.synced = LogPosition(number: self.synced.number, start: synced, end: synced)
    }
    if self.hasThreadWork { self.wakeThread() }
  }

  /// Goes on with the file that has replaced the log's, and has all entries of that. They were on
  /// the disk before.
  func adopt(_ file: any File, _ content: LogContent, unsynced: [UInt8]) {
    self.lock.lock()
    defer { self.lock.unlock() }
    while self.isWriting || self.isSyncing { self.hasChanged.wait(self.lock) }
    self.goOver(to: file, content, unsynced: unsynced)
    self.announce()
  }

  /// The end of what was appended, unless the log has another file now.
  func position(in file: any File) -> LogPosition? {
    self.lock.lock()
    defer { self.lock.unlock() }
    return self.file === file ? self.last : nil
  }

  func refuse(_ refusal: LogError) {
    self.lock.lock()
    defer { self.lock.unlock() }
    self.refusal = refusal
  }

  var hasUnread: Bool {
    self.lock.lock()
    defer { self.lock.unlock() }
    guard let file else { return false }
    return (try? file.size()) != self.end
  }

  /// Writes the line that is queued, which is the only one. If that fails, nothing has changed.
  ///
  /// Called in a turn, at whose begin the file was looked at, and with the lock held.
  func writeInTurn(before last: LogPosition) throws(LogError) {
    guard let file else { throw .closed(self.path) }
    let (lines, start) = (self.queue.bytes, last.end)
    self.queue.bytes.removeAll(keepingCapacity: true)
    let failure = self.attempt { () throws(LogError) in
      do throws(LogError) {
        try file.write(lines, at: start)
      } catch {
        try? file.truncate(to: start)
        throw error
      }
    }
    self.counts.writes += 1
    self.refusal = failure
    if let failure {
      self.last = last
      self.queue = LineWriter(after: last.sum)
      throw failure
    }
    self.unsynced += lines
    self.written = self.last
    if self.isSyncDue { self.wakeThread() }
  }

  /// Whether no other store has a shared log open, or can open it before this one is closed.
  ///
  /// The lock must be held.
  func mayWriteClosed() -> Bool {
    guard let share, let file else { return true }
    guard (try? share.take(.opener)) == true, (try? share.take(.append)) == true else {
      return false
    }
    let status = try? self.files.status(of: self.path)
    return status?.identity == file.identity && status?.size == self.end
  }
}
