import Threading

// A log that other stores write, too.

extension LogWriter {
  /// Adds lines that other stores have written.
  func adopt(_ lines: [UInt8], _ position: LogPosition, synced: Int) {
    self.lock.lock()
    defer { self.lock.unlock() }
    while self.isWriting { self.hasChanged.wait(self.lock) }
    self.unsynced += lines
    (self.last, self.written) = (position, position)
    self.queue = LineWriter(after: position.sum)
    if synced > self.syncedEnd, synced <= self.writtenEnd {
      self.unsynced.removeFirst(synced - self.syncedEnd)
      self.synced = LogPosition(number: self.synced.number, start: synced, end: synced)
    }
    if self.hasThreadWork { self.wakeThread() }
  }

  var hasUnread: Bool {
    self.lock.lock()
    defer { self.lock.unlock() }
    guard let file else { return false }
    return (try? file.size()) != self.end
  }

  /// Writes the line that is queued, which is the only one. If that fails, nothing has changed.
  ///
  /// Called in a turn, with the lock held.
  func writeInTurn(before last: LogPosition) throws(LogError) {
    guard let file else { throw .closed(self.path) }
    let (lines, start) = (self.queue.bytes, last.end)
    self.queue.bytes.removeAll(keepingCapacity: true)
    let failure = self.attempt { () throws(LogError) in
      let expectation = FileExpectation(sizes: start...start, line: nil)
      try self.requireUnchanged(file, expectation, readsLine: false)
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
    self.counts.entries += 1
    if self.hasThreadWork { self.wakeThread() }
  }

  /// Whether no other store has a shared log open, or can open it before this one is closed.
  ///
  /// The lock must be held.
  func mayWriteClosed() -> Bool {
    guard let share, let file else { return true }
    guard (try? share.take(.opener)) == true, (try? share.take(.append)) == true else {
      return false
    }
    return (try? file.size()) == self.end
  }
}
