import Threading

// The thread in the background writes what nobody waits for, syncs what was not synced for long,
// and takes snapshots.

extension LogWriter {
  /// Starts the thread in the background, if it may and does not run. The lock must be held.
  ///
  /// - Returns: Whether it runs.
  @discardableResult
  func startThread() -> Bool {
    guard self.settings.hasThread, !self.isClosing else { return false }
    if self.thread == nil { self.thread = .start { self.run() } }
    return self.thread != nil
  }

  /// Lets the thread look for work. The lock must be held.
  func wakeThread() {
    guard self.startThread(), self.isIdle else { return }
    self.isIdle = false
    self.hasWork.broadcast()
  }

  private func run() {
    self.lock.lock()
    while !self.isClosing {
      if self.doWork() { continue }
      self.isIdle = true
      self.hasWork.wait(self.lock, until: self.mustWrite ? nil : self.writeDeadline)
      self.isIdle = false
    }
    self.lock.unlock()
  }

  func work() -> Bool {
    guard self.process.isCurrent else { return false }
    self.lock.lock()
    defer { self.lock.unlock() }
    return !self.isClosing && self.doWork()
  }

  func writeSoon() {
    guard self.process.isCurrent else { return }
    self.lock.lock()
    defer { self.lock.unlock() }
    guard !self.isClosing, !self.queue.bytes.isEmpty else { return }
    self.mustWrite = true
    if self.failure == nil { self.wakeThread() }
  }

  /// Whether there is something to do without delay.
  var hasThreadWork: Bool {
    if self.mustSync || self.replaced != nil { return true }
    guard self.failure == nil else { return false }
    return self.mustWrite && !self.queue.bytes.isEmpty || self.isSyncDue
      || self.isCompactionDue || self.snapshots.isDue(at: self.end)
  }

  var isSyncDue: Bool {
    self.unsynced.count > Self.unsyncedBatch && !self.isSyncing
  }

  /// - Returns: Whether there was something that could be done.
  private func doWork() -> Bool {
    let canWrite = !self.isWriting
    let canSync = canWrite && !self.isSyncing
    if self.mustSync, canSync {
      self.mustSync = false
      self.writeAndSync()
      return true
    }
    if let replaced = self.replaced.take() {
      self.lock.unlock()
      withExtendedLifetime(replaced) {}
      self.lock.lock()
      return true
    }
    guard self.failure == nil else { return false }
    self.checkDelay()
    if self.mustWrite, !self.queue.bytes.isEmpty, self.isFull ? canSync : canWrite {
      self.write(syncing: self.isFull)
      return true
    }
    if self.isSyncDue {
      if self.isNameSynced, !self.mustRewrite {
        self.syncWritten()
        return true
      }
      if canSync {
        self.write(syncing: true)
        return true
      }
    }
    if self.isCompactionDue {
      self.beginCompaction()
      return true
    }
    guard self.snapshots.isDue(at: self.end) else { return false }
    self.lock.unlock()
    self.takeSnapshot(isLast: false)
    self.lock.lock()
    return true
  }

  /// Without durability, a queue waits a little for more.
  private func checkDelay() {
    guard self.settings.durability == .none, !self.queue.bytes.isEmpty else { return }
    let deadline = self.writeDeadline ?? Deadline(milliseconds: Self.queueDelay)
    self.writeDeadline = deadline
    if self.queue.bytes.count >= Self.queueBatch || deadline.hasPassed || !self.settings.hasThread {
      self.mustWrite = true
    }
  }
}

// MARK: The end

extension LogWriter {
  /// - Parameter time: For the last line.
  func close(at time: Int64) -> LogError? {
    guard self.process.isCurrent else {
      // In the child of a fork, which has one thread.
      (self.snapshots.source, self.compaction) = (nil, nil)
      return nil
    }
    self.lock.lock()
    if self.isClosing {
      while !self.isClosed { self.hasChanged.wait(self.lock) }
      defer { self.lock.unlock() }
      return self.closingError
    }
    self.isClosing = true
    self.hasWork.broadcast()
    self.hasChanged.broadcast()
    let thread = self.thread
    self.lock.unlock()
    thread?.join()

    self.lock.lock()
    if let compactor = self.compactor.take() {
      self.lock.unlock()
      compactor.join()
      self.lock.lock()
    }
    while self.isWriting || self.isSyncing { self.hasChanged.wait(self.lock) }
    // A log without changes is left as it is.
    if self.counts.entries > 0 {
      if self.syncedEnd < self.end || !self.isNameSynced { self.write(syncing: true) }
      if self.failure == nil, self.mayWriteClosed() { self.writeClosed(at: time) }
    }
    let error = self.failure
    self.lock.unlock()
    if error == nil { self.takeSnapshot(isLast: true) }

    self.lock.lock()
    (self.isClosed, self.closingError, self.file, self.replaced) = (true, error, nil, nil)
    let (source, compaction) = (self.snapshots.source, self.compaction)
    (self.snapshots.source, self.compaction) = (nil, nil)
    self.hasChanged.broadcast()
    self.lock.unlock()
    // May release a store.
    withExtendedLifetime((source, compaction)) {}
    return error
  }

  /// Says in the log that all of it is on the disk. The lock must be held.
  private func writeClosed(at time: Int64) {
    let start = self.end
    Array("true".utf8).withUnsafeBytes { data in
      self.queue.write(
        .closed, number: self.last.number, synced: self.syncedEnd, time: time,
        writer: self.number, data)
    }
    self.last = LogPosition(
      number: self.last.number, start: start, end: start + self.queue.bytes.count,
      sum: self.queue.sum)
    self.write(syncing: true)
  }

  var position: LogPosition {
    guard self.process.isCurrent else { return LogPosition() }
    self.lock.lock()
    defer { self.lock.unlock() }
    return self.last
  }

  var identity: FileIdentity? {
    guard self.process.isCurrent else { return nil }
    self.lock.lock()
    defer { self.lock.unlock() }
    return self.file?.identity
  }

  var problem: LogError? {
    guard self.process.isCurrent else { return .inherited(self.path) }
    self.lock.lock()
    defer { self.lock.unlock() }
    return self.failure ?? self.refusal
  }

  var isProblemKnown: Bool {
    guard self.process.isCurrent else { return true }
    self.lock.lock()
    defer { self.lock.unlock() }
    return self.isFailureKnown
  }

  var statistics: LogStatistics {
    guard self.process.isCurrent else { return LogStatistics() }
    self.lock.lock()
    defer { self.lock.unlock() }
    var counts = self.counts
    counts.bytes = self.end
    counts.firstEntry = self.compaction?.first?.number
    counts.written = self.written.number
    counts.unsyncedBytes = self.end - self.syncedEnd
    counts.unwrittenBytes = self.end - self.writtenEnd
    return counts
  }
}
