import ImmutableJSON

// A store may append at any time: what it appends after an entry is refused if that is not the last
// one. So a turn takes nothing from others, unless this store was refused again and again.

extension DriverLog {
  /// After how many refusals in a row the driver keeps others from appending.
  private static var refusalLimit: Int { 3 }

  /// How much is read at once, in bytes.
  private static var readLimit: Int { 1 << 20 }

  private var holds: Bool {
    self.refusals >= Self.refusalLimit
  }

  package func beginTurn(after wait: inout LockWait) throws(LogError) -> Bool {
    guard !self.state.with({ $0.isClosed }) else { throw .closed(self.path) }
    return true
  }

  /// Lets others append again, if the driver keeps them from it.
  package func endTurn() {
    guard self.isHeld else { return }
    self.isHeld = false
    _ = try? self.calls.call { $0.append([], after: nil, $1) }
  }

  package func unreadBytes() throws(LogError) -> Int {
    self.hasUnread || !self.unread.isEmpty || self.holds && !self.isHeld ? 1 : 0
  }

  package func pause(_ wait: inout LockWait) {}

  /// Calls `body` with each entry that was not read.
  ///
  /// - Throws: `unavailable`, `refused`; `diverged` if the log is not the one that was read. What
  ///   `body` throws.
  package func entries(_ body: (LogLine) throws -> Void) throws {
    for entry in self.unread { try self.read(entry, body) }
    self.unread = []
    while true {
      self.state.with { $0.mustRead = false }
      let holds = self.holds
      let answer: LogAnswer
      do {
        answer = try self.calls.call {
          $0.read(after: self.place, limit: Self.readLimit, holds: holds, $1)
        }
      } catch {
        self.state.with { $0.mustRead = true }
        throw error
      }
      guard answer.outcome == .done else { throw self.calls.failure(answer) }
      self.isHeld = holds
      for entry in answer.entries { try self.read(entry, body) }
      self.state.with { $0.head = max($0.head, answer.head.number) }
      guard self.place.number < answer.head.number, !answer.entries.isEmpty else { return }
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
      self.advance(to: next, commits: line.number)
      self.snapshots.withLock { $0.note(entry: text.count, isOwn: false) }
    }
  }

  /// Notes what an entry says besides its data.
  private func note(_ entry: KeptLogEntry, _ line: LogLine) throws(LogError) {
    self.clock.note(line.time)
    guard entry.origin == self.origin else { return }
    // A copy of this process may go on with its origin.
    guard self.attempts.settle(by: entry.text) else { throw self.diverged(at: entry.place.number) }
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
  /// Appends an entry after the last one that was read.
  ///
  /// - Throws: `moved` if the log does not end there. Then it must be read, before anything else is
  ///   appended; with ``unanswered``, the entry may be there.
  package func append(
    _ kind: LineKind, number: Int, time: Int64, data: [UInt8]
  ) throws(LogError) {
    let text = EntryText.make(kind, number: number, time: time, writer: self.number, data)
    guard text.count <= LogLine.limit else { throw .excessive(self.path, text.count) }
    let entry = NewLogEntry(text: text, origin: self.origin, counter: self.counter + 1)
    self.attempts.begin()
    let answer: LogAnswer
    do {
      answer = try self.calls.call { $0.append([entry], after: self.place, $1) }
    } catch {
      self.isHeld = false
      throw error
    }
    self.isHeld = false
    let next = text.withUnsafeBytes { self.place.after($0) }
    switch answer.outcome {
    case .done:
      guard answer.head == next else { throw self.diverged(at: next.number) }
      self.counter += 1
      self.attempts.removeAll()
      self.refusals = 0
      self.clock.note(time)
      self.advance(to: next, commits: number)
      self.snapshots.withLock { $0.note(entry: text.count, isOwn: true) }
      self.state.with { $0.statistics.entries += 1 }
    case .moved:
      self.refusals += 1
      self.unread = answer.entries
      self.state.with { $0.mustRead = answer.entries.isEmpty }
      throw self.moved
    case .repeated:
      guard answer.counter > self.counter else { throw self.diverged(at: next.number) }
      self.state.with { $0.mustRead = true }
      throw self.moved
    case .unanswered:
      self.attempts.add(text)
      self.state.with { $0.mustRead = true }
      throw self.moved
    default: throw self.calls.failure(answer)
    }
  }

  private var moved: LogError {
    LogError(.moved, quotedPath(self.path) + " has entries that this store has not read")
  }

  /// The number of the last append, if it was not answered.
  package var unanswered: Int? {
    self.attempts.last
  }

  /// Whether an append that was not answered is in the log. Called in a turn.
  package func hasArrived(_ append: Int) -> Bool {
    self.attempts.takeArrived(append)
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
