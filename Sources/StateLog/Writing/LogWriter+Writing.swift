import Threading

extension LogWriter {
  /// Writes what is queued, and syncs it if asked.
  ///
  /// The lock is held before and after, and released meanwhile. No other thread may be writing, and
  /// none syncing if this is to sync.
  func write(syncing: Bool) {
    guard let file = self.file else { return }
    self.isWriting = true
    if syncing {
      self.isSyncing = true
      self.group.beginSync(upTo: self.last.number)
    }
    self.mustWrite = false
    self.writeDeadline = nil

    var lines = self.queue.bytes
    self.queue.bytes = self.spare
    self.spare = []
    let (offset, last) = (self.syncedEnd + self.unsynced.count, self.last)
    let expectation = self.expectation
    let rewritten = syncing && self.mustRewrite ? self.unsynced : []
    let (start, isNameSynced) = (self.syncedEnd, self.isNameSynced)
    let began = syncing ? Clock.uptimeNanoseconds : 0
    self.lock.unlock()
    let failure = self.attempt { () throws(LogError) in
      try self.requireUnchanged(file, expectation, readsLine: syncing)
      if !rewritten.isEmpty { try file.write(rewritten, at: start) }
      if !lines.isEmpty { try file.write(lines, at: offset) }
      guard syncing else { return }
      try file.sync()
      if !isNameSynced { try self.files.syncFolder(of: self.path) }
      let (end, copied) = self.share == nil ? (last.end, nil) : (Int.max, last.number)
      try self.requireUnchanged(
        file, FileExpectation(sizes: last.end...end, line: last, copied: copied), readsLine: true)
    }
    self.lock.lock()
    self.isWriting = false
    self.unsynced += lines
    swap(&self.spare, &lines)
    lines = []
    // An exceptionally long line must not take memory for ever.
    if self.spare.capacity > Self.queueLimit { self.spare = [] }
    self.spare.removeAll(keepingCapacity: true)

    self.counts.writes += 1
    if failure == nil { self.written = last }
    if syncing {
      self.group.endSync(after: Clock.uptimeNanoseconds - began)
      self.endSync(upTo: last, failure)
    } else if let failure {
      self.fail(failure)
    }
    self.announce()
  }

  /// Brings the log to the disk, if nothing fails. While it syncs, others may write, except with
  /// the durability full.
  ///
  /// The lock is held before and after, and released meanwhile. No other thread may be writing or
  /// syncing.
  func writeAndSync() {
    if self.isFull && self.share == nil || self.mustRewrite || !self.isNameSynced {
      return self.write(syncing: true)
    }
    if !self.queue.bytes.isEmpty { self.write(syncing: false) }
    if self.failure != nil {
      self.attempts += 1
    } else if !self.isSyncing {
      self.syncWritten()
    }
  }

  /// The same, or waits for a thread that writes or syncs.
  func writeAndSyncOrWait() {
    if self.isWriting || self.isSyncing {
      self.hasChanged.wait(self.lock)
    } else {
      self.writeAndSync()
    }
  }

  /// Syncs what was handed to the system, while other threads may write more.
  ///
  /// The lock is held before and after, and released meanwhile. No other thread may be syncing, and
  /// nothing must have failed.
  func syncWritten() {
    guard let file = self.file else { return }
    self.isSyncing = true
    let written = self.written
    self.lock.unlock()
    let failure = self.attempt { () throws(LogError) in
      try file.sync()
      let expectation = FileExpectation(
        sizes: written.end...Int.max, line: written,
        copied: self.share == nil ? nil : written.number)
      try self.requireUnchanged(file, expectation, readsLine: true)
    }
    self.lock.lock()
    self.endSync(upTo: written, failure, isAll: false)
    self.announce()
  }

  /// Records what is on the disk now.
  ///
  /// - Parameter isAll: Whether all that had failed was written again.
  private func endSync(
    upTo position: LogPosition, _ failure: LogError?, isAll: Bool = true
  ) {
    self.isSyncing = false
    self.attempts += 1
    self.counts.syncs += 1
    if let failure {
      if self.share != nil { self.doubtfulEnd = (try? self.file?.size()) ?? Int.max }
      return self.fail(failure)
    }
    // Meanwhile, another store may have said that more is on the disk.
    if position.end >= self.syncedEnd {
      self.unsynced.removeFirst(position.end - self.syncedEnd)
      self.synced = position
    }
    guard isAll else { return }
    (self.failure, self.isFailureKnown) = (nil, false)
    (self.mustRewrite, self.isNameSynced) = (false, true)
  }

  func fail(_ failure: LogError) {
    self.failure = failure
    self.mustRewrite = true
  }

  /// Wakes the threads that wait for the log. The lock must be held.
  func announce() {
    self.hasChanged.broadcast()
    if self.hasThreadWork { self.wakeThread() }
  }

  func attempt(_ body: () throws(LogError) -> Void) -> LogError? {
    do throws(LogError) {
      try body()
      return nil
    } catch {
      // The file may have been made under another name.
      return error.naming(self.path)
    }
  }
}
