import ImmutableData
import ImmutableJSON
import StateLog
import Threading

/// Brings a store to the state that its log has: when it opens the log, before other threads know
/// the store, and while it follows one.
struct LogReplay<Model: StateModel> {
  let model: Model
  let store: Store<Model.State, Model.Action>
  let log: JSONCommitLog

  /// The options in force, which a replay depends on.
  var options: Value = [:]

  /// Whether the history has changed without a commit.
  var hasNewMarks = false

  /// An entry that the store has, and that must be in the file that has replaced the log's.
  private var expected: EntryMark?

  init(model: Model, store: Store<Model.State, Model.Action>, log: JSONCommitLog) {
    self.model = model
    self.store = store
    self.log = log
  }
}

extension LogReplay {
  /// Restores the base or the snapshot, and repeats the entries after it. Then goes over to the
  /// options of the program.
  ///
  /// - Parameter wanted: The options of the program; `nil` for those that the log has.
  mutating func run(_ wanted: Value?) throws(EngineError) {
    do {
      try self.begin(usesSnapshot: true)
      try self.log.storage.entries { line in try self.replay(line) }
      guard !self.log.isReadOnly else { return }
      guard !self.log.isShared else {
        self.log.options = self.options
        return
      }
      if !self.store.writersInFlight.isEmpty { try self.store.rollBack(of: nil) }
      try self.store.endGroups()
      if let wanted, wanted != self.options {
        self.options = wanted
        try self.log.append(
          LogEntry(
            .options, number: self.store.commits.number, time: self.log.time,
            text: wanted.utf8JSON))
        try self.useOptions()
      }
      self.log.options = self.options
      self.offerSnapshots()
    } catch {
      throw EngineError(error)
    }
  }

  private mutating func begin(usesSnapshot: Bool) throws {
    let start = try self.log.storage.start(usesSnapshot: usesSnapshot)
    self.options = start.data["options"] ?? [:]
    try self.useOptions()
    if self.log.isShared { self.log.storage.lastWriter = try start.data.count("writers") }
    self.log.compare(start.data["state"] ?? .null)
    self.store.restore(
      try LoggedContent(model: self.model, store: self.store)
        .decode(start.data, number: start.number))
  }

  /// Repeats the entries from the base to a commit.
  ///
  /// - Parameters:
  ///   - end: The number of the commit.
  ///   - body: Called after the base, with `nil`, and after each entry. Throws ``ReplayEnd`` to end
  ///     the replay.
  mutating func run(to end: Int, _ body: (LogLine?) throws -> Void) throws {
    try self.begin(usesSnapshot: false)
    guard self.store.commits.number <= end else {
      throw EngineError(
        .notFound,
        "the log \(quoted(self.log.storage.path)) begins with the state after the commit "
          + "\(self.store.commits.number), not \(end)")
    }
    do {
      try body(nil)
      try self.log.storage.entries { line in
        guard line.number <= end else { throw ReplayEnd() }
        try self.replay(line)
        try body(line)
      }
      guard self.store.commits.number == end else {
        throw EngineError(
          .notFound,
          "the log \(quoted(self.log.storage.path)) ends with the commit "
            + "\(self.store.commits.number); there is no commit \(end)")
      }
    } catch is ReplayEnd {}
  }

  /// Lets the log write snapshots from now on. Called when it is known whose turn it is: without a
  /// turn, a snapshot could have entries that are behind its position.
  func offerSnapshots() {
    guard self.log.file != nil else { return self.offerComparedSnapshots() }
    let (model, options) = (self.model, self.options)
    let log = self.log
    // Closing the file releases them. Weak references would make each retain of the store slower.
    log.storage.setSnapshotSource { [store] in
      var position = log.storage.position
      var writers = 0
      let take = {
        store.content(locked: {
          position = log.storage.position
          writers = log.storage.lastWriter
        })
      }
      // In a turn, the entries that were read and the commits are not the same; nor are they if
      // reading them has failed.
      guard let content = log.turns?.betweenTurns(take) ?? take(),
        content.number == position.number,
        let snapshot = try? LoggedContent(model: model, store: store)
          .encode(content, options: options, writers: writers)
      else { return nil }
      return (position, snapshot)
    }
  }

  /// Lets a store put snapshots for all, each after an entry with the hash of its state, with which
  /// all compare theirs: none begins with a state that others do not have.
  private func offerComparedSnapshots() {
    let (model, options, log) = (self.model, self.options, self.log)
    log.storage.setSnapshotSource { [store] in
      let contents = LoggedContent(model: model, store: store)
      // After some refusals, the driver keeps others from appending.
      for _ in 0..<5 {
        do {
          var taken: (content: LoggedContent<Model>.Content, position: LogPosition, writers: Int)?
          try log.turns?.inTurn {
            guard let content = store.content(locked: {}) else { return }
            let hash = try contents.hash(of: content.state)
            try log.storage.append(
              .state, number: content.number, time: log.storage.time,
              data: Value.string(hash).utf8JSON)
            taken = (content, log.storage.position, log.storage.lastWriter)
          }
          return try taken.map {
            ($0.position, try contents.encode($0.content, options: options, writers: $0.writers))
          }
        } catch let error as LogError where error.code == .moved {
        } catch {
          return nil
        }
      }
      return nil
    }
  }

  /// Makes the store one of the writers of a shared log.
  ///
  /// - Parameter wanted: As of ``run(_:)``. The options of a shared log are those of the file,
  ///   except the schema, which is that of each store. `nil` for a store that is none of the
  ///   writers.
  mutating func beginWriting(_ wanted: Value?) throws(EngineError) {
    let (wantedRest, rest) = (wanted?.withoutSchema, self.options.withoutSchema)
    if let wantedRest, wantedRest != rest {
      throw EngineError(
        .invalidArgument,
        "the shared log \(quoted(self.log.storage.path)) has the options \(rest), not "
          + "\(wantedRest); open it with those")
    }
    try EngineError.catching {
      var wait = LockWait()
      while try !self.log.storage.beginTurn(after: &wait) { self.log.storage.pause(&wait) }
      defer { self.log.storage.endTurn() }
      // A store that only compacts the log appends nothing.
      guard let wanted else { return try self.follow() }
      let schema = wanted["schema"]
      var ended: Set<Int>
      repeat {
        try self.follow()
        ended = try self.ended(of: self.store.commits.writersWithMarks)
      } while try !self.log.beginWriting(
        ended: ended, schema: schema == self.options["schema"] ? nil : schema)
      self.noteSchema(schema)
      try self.store.beginMarks(
        from: .writer(self.log.writer, time: self.log.time), ended: ended)
      try self.rollBackEnded()
    }
  }

  /// Rolls back the optimistic updates of the writers of a shared log that have ended.
  func rollBackEnded() throws {
    let ended = try self.ended(of: self.store.writersInFlight)
    if !ended.isEmpty { try self.store.rollBack(of: ended) }
  }

  private func ended(of writers: Set<Int>) throws(LogError) -> Set<Int> {
    var ended: Set<Int> = []
    for writer in writers.sorted() where writer > 0 {
      if try self.log.storage.hasEnded(writer) { ended.insert(writer) }
    }
    return ended
  }

  /// Repeats what another store has appended meanwhile.
  mutating func follow() throws(EngineError) {
    do {
      guard let file = self.log.file else { return try self.followDriver() }
      try file.entries { line in try self.replayNew(line) }
      guard try file.isReplaced() else { return }
      // What it got before it was replaced.
      try file.entries { line in try self.replayNew(line) }
      let number = self.store.commits.number
      self.expected = try file.lastEntry()
      try file.goOver(after: self.expected) { base in
        try self.goOver(to: base.number, base.time) { try base.value() }
      }
      try file.entries { line in try self.replayNew(line) }
      guard file.position.number >= number else {
        throw LogError.replaced(
          file.path, "by one that ends with the commit \(file.position.number), before \(number)")
      }
      guard self.expected == nil else { throw self.otherEntries }
    } catch {
      throw EngineError(error)
    }
  }

  private mutating func followDriver() throws {
    do {
      try self.log.storage.entries { line in try self.replay(line) }
    } catch let error as LogError where error.code == .trimmed {
      // The store was away for longer than entries are kept.
      let start = try self.log.storage.start(usesSnapshot: true)
      try self.goOver(to: start.number, start.time) { start.data }
      try self.log.storage.entries { line in try self.replay(line) }
    }
  }

  /// Repeats an entry that the store does not have. Marks say what holds, and can be repeated.
  private mutating func replayNew(_ line: LogLine) throws {
    if let expected {
      guard line.number <= expected.number else { throw self.otherEntries }
      if line.mark == expected { self.expected = nil }
    }
    let number = self.store.commits.number
    if line.number > number || !line.kind.isCommit && line.number == number {
      try self.replay(line)
    }
  }

  private var otherEntries: LogError {
    .replaced(self.log.storage.path, "by one with other entries")
  }

  /// Goes on with the base of the file that has replaced the log's. If it is later than all that
  /// the store has, the store goes to its state; a snapshot, which may be later than entries that
  /// the store lacks, is not used.
  private mutating func goOver(
    to base: Int, _ time: Int64, _ content: () throws -> Value
  ) throws {
    let number = self.store.commits.number
    if let expected, base >= expected.number { self.expected = nil }
    // An earlier base has earlier options than this store. Those of a shared log do not change, and
    // to compare its state would stop the others for long.
    guard base > number || base == number && !self.log.storage.isShared else { return }
    let data = try content()
    if base == number, try !self.isState(data) {
      throw LogError.replaced(self.log.storage.path, "by one with another state")
    }
    self.options = data["options"] ?? [:]
    try self.useOptions()
    let origin = Origin.log(time: time)
    if base > number {
      let content = LoggedContent(model: self.model, store: self.store)
      try self.store.replace(with: content.decode(data, number: base), from: origin)
      self.log.noteSkipped(base - number)
      if self.log.isShared {
        self.log.storage.lastWriter = max(self.log.storage.lastWriter, try data.count("writers"))
      }
    } else if !self.log.isShared, let marks = data["history"]?["marks"] {
      // The marks of a shared log are those of writers that have ended.
      try self.store.replay(try HistoryMarks(logged: marks), from: origin)
      self.hasNewMarks = true
    }
  }

  /// Whether the store has the state of a snapshot.
  private func isState(_ snapshot: Value) throws -> Bool {
    let content = try LoggedContent(model: self.model, store: self.store)
      .decode(["state": snapshot["state"] ?? .null], number: 0)
    return try Model.snapshot(of: content.state, nil).value()
      == Model.snapshot(of: self.store.committed.state, nil).value()
  }

  /// Notes the schema of a store that writes to a shared log, which says it if it is another one
  /// than the last.
  private mutating func noteSchema(_ schema: Value?) {
    guard let schema, case .object(var options) = self.options else { return }
    options["schema"] = schema
    self.options = .object(options)
  }

  private func useOptions() throws(EngineError) {
    self.store.commits.changeHistory(
      try HistoryPolicy(
        self.options["history"], of: ModelEncoding<Model>.self, self.model.historyPolicy))
  }

  /// Repeats what an entry has.
  mutating func replay(_ line: LogLine) throws {
    do {
      let data = try line.value()
      let origin =
        self.log.isShared
        ? Origin.writer(line.writer, time: line.time) : Origin.log(time: line.time)
      try self.repeatEntry(line.kind, data, origin)
    } catch {
      let inner = EngineError(error)
      // No other code tells an action of this store from one of the log.
      let code = self.log.file == nil && inner.code != .closed ? .outdated : inner.code
      throw self.failure(line, code, inner.message)
    }
    // A migration has taken actions out.
    if self.log.storage.isMigrated, self.store.commits.number < line.number {
      self.store.commits.skip(to: line.number)
    }
    // One that was withdrawn is appended wherever the log ends.
    guard self.store.commits.number == line.number || line.kind == .withdrawn else {
      throw self.failure(
        line, .corrupt, "it leads to the commit \(self.store.commits.number)")
    }
  }

  private mutating func repeatEntry(
    _ kind: LineKind, _ data: Value, _ origin: Origin
  ) throws {
    switch kind {
    case .actions: try self.dispatch(data.batchedActions, origin)
    case .jump:
      guard let jump = Jump(logged: data) else { throw Self.unreadable(kind) }
      do {
        try self.store.replay(jump, isExact: !self.log.storage.isMigrated, from: origin)
      } catch is UnknownJump {
        throw EngineError(
          .reducerFailed,
          "the history does not have the step \(jump.number), to which it goes; the reducer or the "
            + "steps have changed since, which needs a migration")
      }
    case .history:
      try self.store.replay(try HistoryMarks(logged: data), from: origin)
      self.hasNewMarks = true
    case .options:
      self.options = data
      try self.useOptions()
    case .opened:
      self.noteSchema(data["schema"])
      try self.store.beginMarks(from: origin, ended: data.writers("ended"))
    case .withdrawn: break
    case .state: try self.compare(with: data)
    case .log, .base, .snapshot, .closed: throw Self.unreadable(kind)
    }
  }

  /// Throws if another store has another state after the same entries.
  private func compare(with other: Value) throws {
    let own = try LoggedContent(model: self.model, store: self.store)
      .hash(of: self.store.committed.state)
    guard own != other.string else { return }
    throw EngineError(
      .outdated,
      "its store has a state with the SHA-256 \(other.string?.prefix(8) ?? "")…, this one has "
        + "\(own.prefix(8))…; the reducers differ, or are not deterministic")
  }

  private func dispatch(_ actions: JSONArray, _ origin: Origin) throws {
    let decoded = try actions.map { try self.model.decode(logged: $0) }
    let scope = CallScope.current
    if let error = self.store.commits.forbid(.dispatch, in: scope) { throw error }
    do {
      if let action = decoded.first, decoded.count == 1 {
        try self.store.dispatch(action, in: scope, from: origin)
      } else {
        try self.store.dispatch(batch: decoded, in: scope, from: origin)
      }
    } catch is RejectedOutcome {
      // It was rejected then, too: it has ended its change.
    }
  }

  private static func unreadable(_ kind: LineKind) -> EngineError {
    EngineError(.corrupt, "it is not an entry of the kind \(quoted(kind.rawValue))")
  }

  private func failure(_ line: LogLine, _ code: EngineError.Code, _ reason: String) -> EngineError {
    EngineError(
      code,
      "cannot replay the entry \(line.number) of the log \(quoted(self.log.storage.path)): "
        + reason
    )
  }
}

/// A replay has reached what it was to find.
struct ReplayEnd: Error {}

extension Value {
  /// Options without the schema.
  fileprivate var withoutSchema: Value {
    guard case .object(var options) = self else { return self }
    options["schema"] = nil
    return .object(options)
  }
}
