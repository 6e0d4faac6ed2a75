import ImmutableData
import ImmutableJSON
import StateLog
import Threading

/// How far a function of a log is: the bytes that it has read, and those of the whole log.
///
/// Returns whether it goes on.
public typealias LogProgress = (_ done: Int, _ total: Int) -> Bool

extension EngineError {
  /// A function of a log was cancelled by a function of the program.
  public static var cancelled: EngineError {
    EngineError(.timeout, "it was cancelled by a function that was passed to it")
  }
}

extension TypedStore {
  /// Brings a store to the state of its log.
  ///
  /// - Parameter wanted: The options of the program; `nil` for those that the log has.
  /// - Returns: What follows a log that is only read.
  static func open(
    _ log: JSONCommitLog?, _ options: LogOptions?, _ wanted: Value?, _ model: Model,
    _ store: Store<Model.State, Model.Action>
  ) throws(EngineError) -> LogFollower? {
    guard let log, let options else { return nil }
    var replay = LogReplay(model: model, store: store, log: log)
    if let end = options.end {
      try EngineError.catching { try replay.run(to: end) { _ in } }
      return nil
    }
    try replay.run(wanted)
    if log.isReadOnly { return try LogFollower(replay) }
    if log.isShared, !options.isAlone {
      do throws(EngineError) {
        try replay.beginWriting(wanted)
        let follower = try LogFollower(replay)
        log.turns = follower
        replay.offerSnapshots()
        try self.keepSmall(log, options.keep, model, store)
        return follower
      } catch {
        log.storage.close()
        throw error
      }
    }
    do throws(EngineError) {
      if !options.isAlone { try self.keepSmall(log, options.keep, model, store) }
      return nil
    } catch {
      log.storage.close()
      throw error
    }
  }

  /// Compacts a log if it has more than twice the entries that stay, now and while it is open.
  private static func keepSmall(
    _ log: JSONCommitLog, _ keep: LogKeep, _ model: Model,
    _ store: Store<Model.State, Model.Action>
  ) throws(EngineError) {
    guard let file = log.file, !keep.isAll else { return }
    try EngineError.catching {
      let compaction = Self.compaction(log, keep, model, store)
      var beginning = try file.beginning()
      if let first = beginning.first, keep.isExceeded(by: first, before: log.end) {
        // If it cannot be compacted, it can still be used.
        _ = try? file.compact(compaction)
        beginning = try file.beginning()
      }
      file.compactRegularly(compaction, from: beginning)
    }
  }

  private static func compaction(
    _ log: JSONCommitLog, _ keep: LogKeep, _ model: Model,
    _ store: Store<Model.State, Model.Action>, waits: Bool = false
  ) -> LogCompaction {
    LogCompaction(
      keep, waits: waits,
      turn: { body in
        guard log.isShared else { return try body() }
        guard let turns = log.turns else { throw EngineError.closed }
        try turns.inTurn(body)
      },
      check: { path, number in
        try Self.check(path, of: log, model, store.committed.state, number: number)
      })
  }

  func rewriteLog(
    _ keep: LogKeep, isShared: Bool?, redacts: ((LogLine) throws -> Bool)?
  ) throws -> Int? {
    guard let log else { return nil }
    let file = try log.requireFile()
    guard file.isShared else {
      return try Self.rewrite(
        log, keep, self.typedModel, self.store, isShared: isShared, redacts: redacts)
    }
    let compaction = Self.compaction(log, keep, self.typedModel, self.store, waits: true)
    guard let isDone = try file.compact(compaction) else { throw EngineError.inFlight }
    return isDone ? 0 : nil
  }

  private static func rewrite(
    _ log: JSONCommitLog, _ keep: LogKeep, _ model: Model,
    _ store: Store<Model.State, Model.Action>, isShared: Bool? = nil,
    redacts: ((LogLine) throws -> Bool)?
  ) throws -> Int? {
    if log.isShared {
      // As the next writer would.
      if !store.writersInFlight.isEmpty { try store.rollBack(of: nil) }
      try store.endWriters(at: log.time)
    }
    guard var content = store.content(locked: {}) else { return nil }
    // The history has actions and states that may have to be forgotten.
    if redacts != nil { content.history?.removeSteps() }
    let hasWriters = isShared ?? log.isShared
    if !hasWriters { content.history?.removeWriters() }
    let base = try LoggedContent(model: model, store: store)
      .encode(content, options: log.options, writers: hasWriters ? log.storage.lastWriter : 0)
    var rewriting = LogRewriting { _ in (base, content.number) }
    (rewriting.isShared, rewriting.options) = (isShared, log.options)
    if let redacts {
      // The others have nothing of what a program has dispatched.
      rewriting.redacts = { line in try line.kind == .actions && redacts(line) }
    }
    rewriting.check = { path in
      try Self.check(path, of: log, model, content.state, number: content.number)
    }
    let end = log.end
    rewriting.keeps = { keep.contains(EntryPlace($0), before: end) }
    return try log.requireFile().rewrite(rewriting)
  }

  /// Opens a log that was written anew, whose base has all that its entries led to.
  private static func check(
    _ path: String, of log: JSONCommitLog, _ model: Model, _ state: Model.State, number: Int
  ) throws {
    let copy = try JSONCommitLog(reading: log, at: path, ModelEncoding<Model>.self)
    defer { copy.storage.close() }
    let store = Self.makeStore(model, state, history: nil, copy, isOptimistic: false)
    var replay = LogReplay(model: model, store: store, log: copy)
    try replay.run(to: number) { _ in }
  }

  func replayLog(_ progress: LogProgress) throws -> Value {
    guard let log else { throw EngineError.noLog }
    // What the store knows of its past, to compare with.
    var states: [Int: Model.State] = [:]
    let total = log.storage.statistics.bytes
    var difference: Value = .null
    var entries = 0
    var end = 0
    try self.withReplay(of: log) {
      guard let content = self.store.content(locked: {}) else { throw EngineError.inFlight }
      states = [content.number: content.state]
      // A roll-back has changed the states of the history.
      for step in self.isOptimistic ? [] : content.history?.steps ?? [] {
        let last: Commit<Model.State, Model.Action> = step.last.typed()
        states[last.number] = last.newState
      }
      end = content.number
      return end
    } _: { line, number, state in
      if let line, line.kind != .opened { entries += 1 }
      if entries % 1024 == 1023, !progress(line?.end ?? 0, total) { throw EngineError.cancelled }
      guard let known = states[number] else { return }
      let expected = try Model.snapshot(of: known, nil).value()
      let replayed = try Model.snapshot(of: state(), nil).value()
      guard expected != replayed else { return }
      difference = [
        "number": .integer(Int64(number)), "patch": try expected.diff(to: replayed),
      ]
      throw ReplayEnd()
    }
    _ = progress(total, total)
    return [
      "entries": .integer(Int64(entries)), "number": .integer(Int64(end)),
      "difference": difference,
    ]
  }

  func blameLog(
    _ pointer: JSONPointer, before end: Int, count: Int, after entries: JSONArray
  ) throws -> JSONArray {
    guard let log else { throw EngineError.noLog }
    var found: [Value] = []
    var last: Value?
    do {
      try self.withReplay(of: log) {
        end - 1
      } _: { line, number, state in
        let value = try? Model.snapshot(of: state(), nil).value().get(pointer)
        defer { last = value }
        guard let line, value != last else { return }
        let data = try line.value()
        let type = line.kind == .jump ? Jump(logged: data)?.json : data.firstElement
        let members: [(String, Value?)] = [
          ("number", .integer(Int64(number))), ("time", .integer(line.time)),
          ("writer", line.writer > 0 ? .integer(Int64(line.writer)) : nil),
          ("type", type?["type"]), ("before", last), ("after", value),
        ]
        found.append(
          .object(JSONObject(members.compactMap { name, value in value.map { (name, $0) } })))
        // The oldest that are too many, now and then.
        if count <= 4096, found.count >= 2 * 4096 { found.removeFirst(4096) }
      }
    } catch let error as EngineError where error.code == .notFound {
      // The base of the log is later.
    }
    return JSONArray(Array(entries) + found.suffix(count).reversed())
  }

  func exportLog() throws -> DevToolsExport {
    guard let log else { throw EngineError.noLog }
    var export = DevToolsExport()
    try self.withReplay(of: log) {
      self.commits.number
    } _: { line, _, state in
      try export.add(line, Model.snapshot(of: state(), nil).value())
    }
    return export
  }

  /// Repeats a log from its base in another store.
  ///
  /// - Parameters:
  ///   - end: Returns the number of the commit at which it ends. Called when the file is open, so
  ///     that a compaction does not take it away.
  ///   - body: Gets each entry, or `nil` for the base, the number of the commit, and a function
  ///     that returns the state. Throws ``ReplayEnd`` to end the replay.
  private func withReplay(
    of log: JSONCommitLog, to end: () throws -> Int,
    _ body: (LogLine?, _ number: Int, _ state: () -> Model.State) throws -> Void
  ) throws {
    func open() throws -> (JSONCommitLog, end: Int) {
      let other = try JSONCommitLog(reading: log, ModelEncoding<Model>.self)
      // The base may be later than what it has.
      if !CallScope.isInsideCallback { try self.follower?.refresh() }
      let number = try end()
      if !log.isReadOnly { try log.storage.sync(until: nil) }
      return (other, number)
    }
    var (other, number) = try open()
    // The last commits may be in a file that has replaced it.
    while try other.file?.isReplaced() == true { (other, number) = try open() }
    defer { other.storage.close() }
    let store = self.makeStore(repeating: other, self.store.committed.state)
    var replay = LogReplay(model: self.typedModel, store: store, log: other)
    try replay.run(to: number) { line in
      try body(line, store.commits.number) { store.committed.state }
    }
  }
}

extension EngineError {
  static var noLog: EngineError {
    EngineError(.invalidArgument, "the store has no log; open it with the option \"log\"")
  }

  fileprivate static var inFlight: EngineError {
    EngineError(
      .invalidArgument, "optimistic updates are in flight; try again when they have ended")
  }

  static var replayInCallback: EngineError {
    EngineError(
      .reentrant, "a callback cannot wait for a replay; replay the log outside of callbacks")
  }
}
