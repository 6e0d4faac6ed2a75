import ImmutableJSON
import Threading

extension LogWriter {
  func setSnapshotSource(_ source: SnapshotSource?) {
    guard self.process.isCurrent else { return }
    self.lock.lock()
    var old = source
    swap(&self.snapshots.source, &old)
    let isDue = self.snapshots.isDue(at: self.end)
    if isDue { self.wakeThread() }
    self.lock.unlock()
    // May release a store.
    withExtendedLifetime(old) {}
  }

  /// Takes a snapshot, if there is a state and its text is short enough. The lock must not be held.
  func takeSnapshot(isLast: Bool) {
    self.lock.lock()
    let isDue =
      isLast ? self.snapshots.mayPayAtTheEnd(self.end) : self.snapshots.isDue(at: self.end)
    let (source, copies) = (self.snapshots.source, self.copies)
    // From here on until it has ended, the log is not written anew.
    if isDue { self.snapshots.begin() }
    self.lock.unlock()
    guard isDue, let source else { return }
    guard self.mayWriteSnapshots() else { return }
    guard let (position, data) = source() else {
      self.lock.lock()
      defer { self.lock.unlock() }
      self.snapshots.isWaiting = true
      self.snapshots.end(nil)
      return self.announce()
    }
    data.withJSON { self.write($0, at: position, copies, isLast: isLast) }
  }

  /// Whether this store, and no other one, writes the snapshots of a shared log. The first one that
  /// wants to does, until it is closed.
  private func mayWriteSnapshots() -> Bool {
    guard let share else { return true }
    let isFirst = (try? share.take(.snapshot)) == true
    self.lock.lock()
    defer { self.lock.unlock() }
    // One of a file that another one has replaced is of no use.
    let identity = try? self.files.status(of: self.path)?.identity
    if isFirst, identity == self.file?.identity { return true }
    self.snapshots.end(LogStartSize(text: self.snapshots.last.text, end: self.end))
    self.announce()
    return false
  }

  /// - Parameter copies: How many copies had replaced the log before its position was known.
  private func write(
    _ text: UnsafeRawBufferPointer, at position: LogPosition, _ copies: Int, isLast: Bool
  ) {
    self.lock.lock()
    defer {
      // A rewriting waits for the end of the snapshot.
      self.announce()
      self.lock.unlock()
    }
    guard self.snapshots.accepts(text.count, at: position, isLast: isLast),
      self.syncForSnapshot(position.end, copies)
    else {
      self.snapshots.end(nil)
      return
    }
    let (log, base) = (self.file, self.base)
    self.lock.unlock()
    let length = try? self.writeSnapshot(text, at: position, base, of: log)
    self.lock.lock()
    guard let length else {
      self.counts.failedSnapshots += 1
      self.snapshots.fail(at: position)
      return
    }
    self.counts.snapshots += 1
    self.counts.snapshotBytes += length
    self.snapshots.end(LogStartSize(text: text.count, end: position.end))
  }

  /// Syncs the log up to an offset: a snapshot must never be newer than the log on the disk.
  ///
  /// - Returns: Whether it is on the disk, and no other copy has replaced it. The lock must be
  ///   held.
  private func syncForSnapshot(_ end: Int, _ copies: Int) -> Bool {
    while self.syncedEnd < end, self.copies == copies, self.failure == nil, self.file != nil {
      self.writeAndSyncOrWait()
    }
    return self.syncedEnd >= end && self.copies == copies
  }

  /// Writes a snapshot in place of the last one.
  ///
  /// - Returns: The length of its file.
  private func writeSnapshot(
    _ text: UnsafeRawBufferPointer, at position: LogPosition, _ base: Checksum, of log: (any File)?
  ) throws(LogError) -> Int {
    let path = self.path + "-snapshot"
    let new = path + "-new"
    var line = LineWriter()
    line.write(
      SnapshotPlace(origin: self.origin, base: base, position: position),
      time: self.files.time, text)
    guard let log else { throw .closed(self.path) }
    let side = SideFiles(files: self.files, path: self.path, log: log)
    guard try side.isFree(path), try side.clear(new) else { throw .occupied(path) }
    do throws(LogError) {
      let file = try self.files.create(new, like: log)
      try file.write(line.bytes, at: 0)
      try file.sync()
      try self.files.rename(new, to: path)
      try self.files.syncFolder(of: path)
    } catch {
      try? self.files.remove(new)
      throw error
    }
    return line.bytes.count
  }
}
