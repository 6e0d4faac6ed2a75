import ImmutableJSON

// A store may append at any time: what it appends after an entry is refused if that is not the last
// one. So a turn takes nothing from others, unless this store was refused again and again.

extension DriverLog {
  /// After how many refusals in a row the driver keeps others from appending.
  private static var refusalLimit: Int { 3 }

  /// How much is read at once, in bytes.
  private static var readLimit: Int { 1 << 20 }

  /// Whether the driver is to keep others from appending: only in a turn, which gives that back.
  private var holds: Bool {
    self.isTurn && self.refusals >= Self.refusalLimit
  }

  package func beginTurn(after wait: inout LockWait) throws(LogError) -> Bool {
    guard !self.state.with({ $0.isClosed }) else { throw .closed(self.path) }
    self.isTurn = true
    return true
  }

  /// Lets others append again, if the driver keeps them from it.
  package func endTurn() {
    self.isTurn = false
    guard self.isHeld else { return }
    self.isHeld = false
    _ = try? self.calls.call { $0.append([], after: nil, $1) }
  }

  package func unreadBytes() throws(LogError) -> Int {
    let mustRead =
      self.hasUnread || !self.unread.isEmpty || self.unanswered.isUnknown
      || self.holds && !self.isHeld
    return mustRead ? 1 : 0
  }

  package func pause(_ wait: inout LockWait) {}

  package var uptime: Int64 { self.files.uptime }

  package var othersWait: Bool { false }

  /// Calls `body` with each entry that was not read.
  ///
  /// - Throws: `unavailable`, `refused`; `trimmed`; `diverged` if the log is not the one that was
  ///   read. What `body` throws.
  package func entries(_ body: (LogLine) throws -> Void) throws {
    let start = self.files.uptime
    for entry in self.unread { try self.read(entry, body) }
    let knowsEnd = !self.unread.isEmpty && !self.hasUnread && !self.holds
    self.unread = []
    // The append that follows says whether the log has more.
    if self.isTurn, knowsEnd, !self.unanswered.isUnknown { return }
    while true {
      try self.readToEnd(body)
      if let (counter, hasArrived) = self.unanswered.settleUnread() {
        self.counter = counter
        if hasArrived { return }
        throw LogError(.unavailable, quotedPath(self.path) + ": an entry was trimmed")
      }
      guard self.unanswered.isUnknown else { return }
      guard self.files.uptime - start < Int64(self.settings.timeout) else {
        let problem = LogError(
          .unavailable, quotedPath(self.path) + ": the server does not answer")
        self.state.with { ($0.mustRead, $0.problem) = (true, problem) }
        throw problem
      }
      if self.unanswered.attempts > 0 { self.calls.pause(after: self.unanswered.attempts) }
      try self.withdraw()
    }
  }

  private func readToEnd(_ body: (LogLine) throws -> Void) throws {
    // The next page is on its way while this one is repeated.
    var next: LogCall?
    while true {
      if next == nil { self.state.with { $0.mustRead = false } }
      let (holds, start) = (self.holds, self.place.number)
      let answer: LogAnswer
      do {
        answer = try self.calls.call(begun: next.take()) {
          $0.read(after: self.place, limit: Self.readLimit, holds: holds, $1)
        }
      } catch {
        self.state.with { $0.mustRead = true }
        throw error
      }
      guard answer.outcome == .done else { throw self.calls.failure(answer) }
      self.isHeld = holds
      if let end = answer.entries.last?.place, end.number < answer.head.number {
        self.state.with { $0.mustRead = false }
        next = self.calls.begin { $0.read(after: end, limit: Self.readLimit, holds: holds, $1) }
      }
      for entry in answer.entries { try self.read(entry, body) }
      self.state.with { $0.head = max($0.head, answer.head.number) }
      if self.place.number >= answer.head.number {
        guard self.place == answer.head else { throw self.diverged(at: self.place.number) }
        return
      }
      guard self.place.number > start else { throw self.diverged(at: answer.head.number) }
    }
  }

  private func read(_ entry: KeptLogEntry, _ body: (LogLine) throws -> Void) throws {
    // It was read ahead, and again.
    guard entry.place.number > self.place.number else { return }
    try entry.text.withUnsafeBytes { text in
      let next = self.place.after(text)
      guard entry.place == next else { throw self.diverged(at: entry.place.number) }
      guard let line = LogLine(entry: text) else {
        throw LogError.foreign(
          self.path, "the entry " + String(next.number) + " is of another format")
      }
      try self.note(entry, line)
      try body(line)
      self.advance(to: next, commits: line.kind == .withdrawn ? self.commits : line.number)
      self.snapshots.withLock { $0.note(entry: text.count, isOwn: false) }
    }
  }

  /// Notes what an entry says besides its data.
  private func note(_ entry: KeptLogEntry, _ line: LogLine) throws(LogError) {
    self.clock.note(line.time)
    guard entry.origin == self.origin else { return }
    // A copy of this process may go on with its origin.
    guard self.unanswered.settle(by: entry.text) else {
      throw self.diverged(at: entry.place.number)
    }
    self.counter = entry.counter
  }

  private func advance(to place: LogPlace, commits: Int) {
    (self.place, self.commits) = (place, commits)
    self.state.with { state in
      state.place = place.number
      state.head = max(state.head, place.number)
    }
  }

  private func diverged(at number: Int) -> LogError {
    LogError(
      .diverged,
      quotedPath(self.path) + " has other entries up to " + String(number)
        + " than this store has read: it was restored from a backup, or is another log; open the "
        + "store again to use what it has now")
  }
}

// MARK: Appending

extension DriverLog {
  /// Appends an entry, as ``append(_:)`` does.
  package func append(
    _ kind: LineKind, number: Int, time: Int64, data: [UInt8]
  ) throws(LogError) {
    try self.append([LogEntryContent(kind, number: number, time: time, data: data)])
  }

  /// Appends entries after the last one that was read: all or none.
  ///
  /// - Throws: `moved` if the log does not end there. Then it must be read, before anything else is
  ///   appended; with ``lastUnanswered``, the entries may be there.
  package func append(_ entries: [LogEntryContent]) throws(LogError) {
    var texts: [[UInt8]] = []
    var next = self.place
    for entry in entries {
      let text = EntryText.make(
        entry.kind, number: entry.number, time: entry.time, writer: self.number, entry.data)
      guard text.count <= LogLine.limit else { throw .excessive(self.path, text.count) }
      next = text.withUnsafeBytes { next.after($0) }
      texts.append(text)
    }
    self.unanswered.begin()
    let answer = try self.send(texts, after: self.place)
    switch answer.outcome {
    case .done:
      guard answer.head == next, let last = entries.last else {
        throw self.diverged(at: next.number)
      }
      self.counter += texts.count
      self.refusals = 0
      self.clock.note(last.time)
      self.advance(to: next, commits: last.number)
      let size = texts.reduce(0) { $0 + $1.count }
      self.snapshots.withLock { $0.note(entry: size, isOwn: true) }
      self.state.with { $0.statistics.entries += texts.count }
    case .moved:
      self.refusals += 1
      self.unread = answer.entries
      self.state.with { state in
        state.head = max(state.head, answer.head.number)
        state.mustRead = answer.entries.isEmpty
      }
      throw self.moved
    case .repeated:
      guard answer.counter > self.counter else { throw self.diverged(at: next.number) }
      self.state.with { $0.mustRead = true }
      throw self.moved
    case .unanswered:
      self.unanswered.fail(texts)
      self.state.with { $0.mustRead = true }
      throw self.moved
    default: throw self.calls.failure(answer)
    }
  }

  private func send(_ texts: [[UInt8]], after place: LogPlace?) throws(LogError) -> LogAnswer {
    let entries = texts.enumerated().map { index, text in
      NewLogEntry(text: text, origin: self.origin, counter: self.counter + 1 + index)
    }
    // Whatever comes of it, others can append again.
    self.isHeld = false
    return try self.calls.call { $0.append(entries, after: place, $1) }
  }

  /// Gives the counter of an append that was not answered to another entry. One of the two is read
  /// next.
  private func withdraw() throws(LogError) {
    // A store that is not one of the writers yet has sent that it is.
    let writer = self.number > 0 ? self.number : self.place.number + 1
    let text = EntryText.make(
      .withdrawn, number: self.commits, time: self.time, writer: writer, Array("true".utf8))
    self.unanswered.withdraw(by: text)
    let answer = try self.send([text], after: nil)
    guard answer.outcome != .repeated || answer.counter > self.counter else {
      throw self.diverged(at: self.place.number)
    }
    if answer.outcome == .repeated { self.unanswered.noteTaken(answer.counter) }
  }

  private var moved: LogError {
    LogError(.moved, quotedPath(self.path) + " has entries that this store has not read")
  }

  /// The number of the last append, if it was not answered.
  package var lastUnanswered: Int? {
    self.unanswered.last
  }

  /// Whether an append that was not answered is in the log. Called in a turn; `true` only once.
  package func hasArrived(_ append: Int) -> Bool {
    self.unanswered.takeArrived(append)
  }

  package func beginWriting(
    author: String?, ended: Set<Int>, schema: Value?
  ) throws(LogError) {
    self.number = self.place.number + 1
    do {
      let opened = self.settings.opened(
        author: author, ended: ended, origin: self.origin.digits, schema)
      try self.append(
        .opened, number: self.commits, time: self.time, data: opened.withJSON { Array($0) })
      self.lastWriter = self.number
    } catch {
      self.number = 0
      throw error
    }
  }
}
