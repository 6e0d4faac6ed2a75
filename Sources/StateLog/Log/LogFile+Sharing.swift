import ImmutableJSON
import Threading

extension LogFile: LogHead {
  package func requireProcess() throws(LogError) {
    try self.writer?.requireProcess()
  }

  package func beginTurn(after wait: inout LockWait) throws(LogError) -> Bool {
    guard let share, self.scan != nil else { throw .closed(self.path) }
    self.hasTurn = try share.take(.append, after: &wait)
    return self.hasTurn
  }

  package func endTurn() {
    guard self.hasTurn else { return }
    self.hasTurn = false
    self.share?.release(.append)
  }

  package func unreadBytes() throws(LogError) -> Int {
    guard let scan else { throw .closed(self.path) }
    let size = try scan.size()
    guard size >= scan.end else { throw .cutOff(self.path, size, scan.end) }
    if size == scan.end, self.hasTurn {
      guard try scan.reader.file.hasLine(at: scan.position) else { throw .overwritten(self.path) }
    }
    return size - min(self.position.end, scan.end)
  }

  package func pause(_ wait: inout LockWait) {
    self.share?.pause(&wait)
  }
}

extension LogFile {
  /// Whether other stores may write to it, too.
  package var isShared: Bool {
    self.share != nil
  }

  /// The number of this store among the writers of a shared log; 0 before ``beginWriting(_:)``.
  package var number: Int {
    self.writer?.number ?? 0
  }

  /// Throws if another file has the path of a log to which this store writes, or none. Called
  /// between turns.
  package func requireName() throws(LogError) {
    guard self.isShared else { return }
    if try self.isReplaced() { throw .moved(self.path) }
  }

  /// Whether the file has more than this store has read and appended. Any thread may ask.
  package var hasUnread: Bool {
    self.writer?.hasUnread ?? true
  }

  /// The largest number of a writer. Used in a turn, or alone.
  package var lastWriter: Int {
    get { self.scan?.lastWriter ?? self.progress.lastWriter }
    set { self.scan?.lastWriter = newValue }
  }

  /// Whether the store that was a writer of a shared log has closed it, or its process has ended.
  package func hasEnded(_ writer: Int) throws(LogError) -> Bool {
    guard let share, writer != self.number else { return false }
    guard try share.take(.writer(writer)) else { return false }
    share.release(.writer(writer))
    return true
  }

  /// Ends reading the file: of a shared log, so that no further turn begins. Called between turns.
  package func endReading() {
    // For the snapshot that is written last.
    self.progress.lastWriter = self.lastWriter
    self.scan = nil
  }

  /// Makes this store one of the writers. Called in a turn, after the entries were read.
  ///
  /// - Parameters:
  ///   - author: A name for people.
  ///   - ended: The writers that have ended since the last one began.
  package func beginWriting(author: String?, ended: Set<Int>) throws(LogError) {
    guard let share, let writer, let scan else { throw .closed(self.path) }
    var number = scan.lastWriter
    repeat {
      guard number < LogLine.maxInteger else { throw .exhausted(self.path, number, self.time) }
      number += 1
    } while try !share.take(.writer(number))
    var members = JSONObject()
    members["application"] = self.settings.application.map(Value.string)
    members["author"] = author.map(Value.string)
    if !ended.isEmpty { members["ended"] = .writers(ended) }
    members["engine"] = .string(self.settings.engine)
    members["origin"] = .string(LogHeader.origin(self.files.randomBits(128)))
    members["version"] = .integer(Int64(self.settings.version))
    (writer.number, scan.lastWriter) = (number, number)
    try self.append(
      .opened, number: self.position.number, time: self.time,
      data: Value.object(members).withJSON { Array($0) })
  }
}

extension LogFile {
  /// Takes over what was read, with what is not known to be on the disk.
  func adopt(_ scan: LogScan) throws(LogError) {
    let file = scan.reader.file
    guard let writer else {
      let unsynced = try file.bytes(min(scan.synced, scan.end)..<scan.end)
      self.writer = LogWriter(self, file, at: self.position(of: scan), unsynced: unsynced)
      return
    }
    let end = writer.position.end
    guard scan.end > end else { return }
    writer.adopt(try file.bytes(end..<scan.end), self.position(of: scan), synced: scan.synced)
  }
}

extension Value {
  /// Numbers of writers.
  package static func writers(_ numbers: Set<Int>) -> Self {
    .array(JSONArray(numbers.sorted().map { .integer(Int64($0)) }))
  }
}
