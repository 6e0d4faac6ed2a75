import ImmutableJSON
import Threading

extension LogFile: LogHead {
  package func requireProcess() throws(LogError) {
    try self.writer?.requireProcess()
  }

  package func beginTurn(after wait: inout LockWait) throws(LogError) -> Bool {
    guard let share, self.scan != nil else { throw .closed(self.path) }
    self.hasTurn = try share.take(.append, after: &wait)
    if self.hasTurn {
      self.endWaiting()
    } else if !self.isWaiting {
      self.isWaiting = try share.take(.waiting, isShared: true)
    }
    return self.hasTurn
  }

  private func endWaiting() {
    guard self.isWaiting else { return }
    self.isWaiting = false
    self.share?.release(.waiting)
  }

  package var uptime: Int64 { self.files.uptime }

  package var othersWait: Bool {
    guard let share, !self.isWaiting else { return false }
    return (try? share.isTaken(.waiting)) ?? false
  }

  package func endTurn() {
    self.endWaiting()
    guard self.hasTurn else { return }
    self.hasTurn = false
    self.share?.release(.append)
  }

  package func unreadBytes() throws(LogError) -> Int {
    guard let scan else { throw .closed(self.path) }
    guard let status = try self.files.status(of: self.path) else { throw .moved(self.path) }
    guard status.identity == scan.reader.file.identity else { return .max }
    guard status.size >= scan.end else { throw .cutOff(self.path, status.size, scan.end) }
    if status.size == scan.end, self.hasTurn {
      guard try scan.reader.file.hasLine(at: scan.position) else { throw .overwritten(self.path) }
    }
    let end = self.writer?.position(in: scan.reader.file)?.end ?? 0
    return status.size - min(end, scan.end)
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

  /// Whether a store has a shared log open.
  package static func isShared(
    _ path: String, files: any FileSystem = SystemFiles()
  ) throws(LogError) -> Bool {
    guard try self.header(path, files: files)?.isShared == true else { return false }
    return try !LogShare.isUnused(path, files)
  }

  /// The number of this store among the writers of a shared log; 0 before ``beginWriting(_:)``.
  package var number: Int {
    self.writer?.number ?? 0
  }

  /// Notes that the store has no turn, so that its log cannot be written.
  package func refuse(_ refusal: LogError) {
    self.writer?.refuse(refusal)
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
    return try !share.isTaken(.writer(writer))
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
  ///   - schema: The schema of its actions and states; `nil` for that of the writer before.
  package func beginWriting(
    author: String?, ended: Set<Int>, schema: Value? = nil
  ) throws(LogError) {
    guard let share, let writer, let scan else { throw .closed(self.path) }
    var number = scan.lastWriter
    repeat {
      guard number < LogLine.maxInteger else { throw .exhausted(self.path, number, self.time) }
      number += 1
    } while try !share.take(.writer(number))
    let opened = self.settings.opened(
      author: author, ended: ended, origin: LogHeader.origin(self.files.randomBits(128)), schema)
    (writer.number, scan.lastWriter) = (number, number)
    try self.append(
      .opened, number: self.position.number, time: self.time, data: opened.withJSON { Array($0) })
  }
}

extension LogSettings {
  /// What the entry of a new writer of a shared log has.
  func opened(author: String?, ended: Set<Int>, origin: String, _ schema: Value?) -> Value {
    var members = JSONObject()
    members["application"] = self.application.map(Value.string)
    members["author"] = author.map(Value.string)
    if !ended.isEmpty { members["ended"] = .writers(ended) }
    members["engine"] = .string(self.engine)
    members["origin"] = .string(origin)
    members["schema"] = schema
    members["version"] = .integer(Int64(self.version))
    return .object(members)
  }
}

extension LogFile {
  /// Takes over what was read, with what is not known to be on the disk.
  func adopt(_ scan: LogScan) throws(LogError) {
    let file = scan.reader.file
    let last = self.position(of: scan)
    guard let writer, let end = writer.position(in: file)?.end else {
      let unsynced = try file.bytes(min(scan.synced, scan.end)..<scan.end)
      guard let writer else {
        self.writer = LogWriter(self, file, at: last, unsynced: unsynced)
        return
      }
      let progress = self.progress
      writer.adopt(
        file,
        LogContent(base: progress.base, start: progress.start, first: scan.first, last: last),
        unsynced: unsynced)
      return
    }
    guard scan.end > end else { return }
    writer.adopt(try file.bytes(end..<scan.end), last, synced: scan.synced)
  }
}

extension Value {
  /// Numbers of writers.
  package static func writers(_ numbers: Set<Int>) -> Self {
    .array(JSONArray(numbers.sorted().map { .integer(Int64($0)) }))
  }
}
