import ImmutableJSON
import StateLog

/// Functions for the log of a store that is not open.
public enum Log {
  public typealias Reducer = @Sendable (_ state: Value, _ action: Value) throws -> Value
}

// MARK: Reading

extension Log {
  /// Reads a log, and checks its lines, their checksums, and that its snapshot belongs to it. Takes
  /// memory for one line.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - progress: Called from time to time.
  /// - Returns: An object: `entries`; the number of the `base`, of the `first` commit that it has
  ///   as an entry, and of the `last`; `bytes`; `unfinishedBytes`, which a power cut or a writer
  ///   has left at the end; `redacted`, the number of entries that were redacted; and the number of
  ///   the `snapshot`, or null.
  /// - Throws: ``EngineError``: `io`; `corrupt` with the line; `timeout` if it was cancelled.
  public static func verify(
    _ path: String, _ progress: LogProgress = { _, _ in true }
  ) throws(EngineError) -> Value {
    try EngineError.catching {
      let scan = try LogScan(path)
      let size = try scan.size()
      var counts = (entries: 0, redacted: 0, base: 0, first: 0, last: 0)
      while let line = try scan.next() {
        switch line.kind {
        case .log, .snapshot, .opened, .closed, .withdrawn, .state: continue
        case .base:
          _ = try line.value()
          (counts.base, counts.last) = (line.number, line.number)
        case .actions, .jump, .history, .options:
          counts.entries += 1
          if line.isRedacted { counts.redacted += 1 } else { _ = try line.value() }
          if counts.first == 0 { counts.first = line.number }
          counts.last = max(counts.last, line.number)
          if counts.entries % 4096 == 0, !progress(line.end, size) { throw EngineError.cancelled }
        }
      }
      _ = progress(scan.end, size)
      return [
        "base": .integer(Int64(counts.base)), "bytes": .integer(Int64(scan.end)),
        "entries": .integer(Int64(counts.entries)), "first": .integer(Int64(counts.first)),
        "last": .integer(Int64(counts.last)), "redacted": .integer(Int64(counts.redacted)),
        "snapshot": try LogFile.snapshotNumber(path).map { .integer(Int64($0)) } ?? .null,
        "unfinishedBytes": .integer(Int64(max(size - scan.end, 0))),
      ]
    }
  }

  /// Reads entries of a log, oldest first, in memory for one page. The limits of values do not
  /// apply: a store can be opened with all of them.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - options: An object: `from`, the number of the first commit; `count`, the maximum number of
  ///     entries, 1,000 by default; `bytes`, at how many bytes of the file a page ends, 1,048,576
  ///     by default, but not before its first entry; `at`, what an earlier call returned as `next`.
  /// - Returns: `{"entries":[{"number":7,"time":…,"actions":[…]}],"next":"…"}`. `next` is null at
  ///   the end. An entry has one of the members `actions`, `jump`, `history`, `options` and, in a
  ///   shared log, `opened`; then it also has the number of its `writer`.
  /// - Throws: ``EngineError``: `invalidArgument`, `io`, `corrupt`.
  public static func entries(
    _ path: String, _ options: Value = [:]
  ) throws(EngineError) -> Value {
    try Schema.object([
      .init("from", .integer, isRequired: false, "The number of the first commit."), .count,
      .init("bytes", .integer, isRequired: false, "About how many bytes of the file to read."),
      .init("at", .string, isRequired: false, "Where an earlier call ended."),
    ]).check(options, "options")
    let count = try options.positive("count", default: 1000)
    let bytes = try options.positive("bytes", default: 1 << 20)
    let place = options["at"]?.string.flatMap(LogScan.Place.init)
    guard options["at"] == nil || place != nil else {
      throw EngineError(
        .invalidArgument, "options/at: it is not what an earlier call returned as \"next\"")
    }
    let from = options["from"]?.integer ?? 0
    return try EngineError.catching {
      let scan = try LogScan(path, from: place)
      var entries: JSONArray = []
      var read = 0
      while entries.count < count, read < bytes {
        guard let line = try scan.next() else {
          return ["entries": .array(entries), "next": .null]
        }
        guard line.kind != .log, line.kind != .base, line.kind != .closed, line.number >= from
        else {
          continue
        }
        read += line.end - line.offset
        var entry: JSONObject = [
          "number": .integer(Int64(line.number)), "time": .integer(line.time),
          line.kind.rawValue: line.isRedacted ? "redacted" : try line.value(),
        ]
        if line.writer > 0 { entry["writer"] = .integer(Int64(line.writer)) }
        entries.append(.object(entry))
      }
      return ["entries": .array(entries), "next": .string("\(scan.place)")]
    }
  }

  /// Returns the last state that a log has, without its reducer: that of its snapshot, or its base.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: An object: the `state`; the `number` of its commit, and its `time`; how many
  ///   `entries` follow, and the number of the `last` one.
  /// - Throws: ``EngineError``: `io`, `corrupt`.
  public static func snapshot(_ path: String) throws(EngineError) -> Value {
    try EngineError.catching {
      let (start, entries, last) = try LogFile.start(of: path)
      return [
        "entries": .integer(Int64(entries)), "last": .integer(Int64(last)),
        "number": .integer(Int64(start.number)), "state": start.data["state"] ?? .null,
        "time": .integer(start.time),
      ]
    }
  }
}

extension Value {
  /// A member of an object of options that is 1 or more.
  fileprivate func positive(
    _ name: String, default number: Int64
  ) throws(EngineError) -> Int64 {
    let number = self[name]?.integer ?? number
    guard number > 0 else {
      throw EngineError(.invalidArgument, "options/\(name): \(number) is not 1 or more")
    }
    return number
  }
}

// MARK: With a reducer

extension Log {
  /// Returns the state after a commit. Repeats the entries from the base to it.
  ///
  /// - Parameters:
  ///   - number: That of the commit.
  ///   - path: The path of the file.
  ///   - domains: Has the domain of the log.
  ///   - reducer: The reducer of the log; `nil` for a log of a domain.
  /// - Throws: ``EngineError``: `notFound` if the log has no such commit, or begins later; what
  ///   opening a store throws.
  public static func state(
    at number: Int, of path: String, _ domains: DomainRegistry? = nil, reducer: Reducer? = nil
  ) throws(EngineError) -> Value {
    let store = try Self.open(
      path, ["readOnly": true, "at": .integer(Int64(number))], domains, reducer)
    defer { store.close() }
    return try store.state()
  }

  /// Writes a log anew, with its present state as its base. The old file is replaced when the new
  /// one is complete and was read back. Stores that have a shared log open go on meanwhile, unless
  /// it becomes another kind.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - options: An object: `keep` says which entries stay, as the option of a store; `shared`,
  ///     whether several stores may write to the new file, which does not change without it.
  ///   - domains: Has the domain of the log.
  ///   - reducer: The reducer of the log; `nil` for a log of a domain.
  /// - Returns: Whether there was something to do.
  /// - Throws: ``EngineError``: `invalidArgument` if a store has a shared log open, and optimistic
  ///   updates are in flight. As opening a store does.
  @discardableResult
  public static func compact(
    _ path: String, _ options: Value = [:], _ domains: DomainRegistry? = nil,
    reducer: Reducer? = nil
  ) throws(EngineError) -> Bool {
    try Schema.object([
      .init("keep", .any, isRequired: false, "Which entries stay."),
      .init(
        "shared", .boolean, isRequired: false, "Whether several stores may write to the new file."),
    ]).check(options, "options")
    let keep = try LogKeep(options["keep"], "options/keep")
    let isShared = options["shared"]?.bool
    var log: Value = isShared == true ? ["shared": true] : [:]
    if isShared == nil, try EngineError.catching({ try LogFile.isShared(path) }) {
      log = ["shared": true, "author": "compaction"]
    }
    let store = try Self.open(path, log, domains, reducer)
    defer { store.close() }
    return try EngineError.catching {
      try store.implementation.rewriteLog(keep, isShared: isShared, redacts: nil) != nil
    }
  }

  /// Replaces the data of entries that must be forgotten by `"redacted"`. First writes the present
  /// state as the base, so that no replay needs them; it may still contain what they brought. The
  /// undo steps of the log end there.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - domains: Has the domain of the log.
  ///   - reducer: The reducer of the log; `nil` for a log of a domain.
  ///   - predicate: Whether an entry with actions, as ``entries(_:_:)`` returns it, must be
  ///     forgotten.
  /// - Returns: How many were redacted.
  /// - Throws: ``EngineError``, as opening a store does; what the predicate throws.
  public static func redact(
    _ path: String, _ domains: DomainRegistry? = nil, reducer: Reducer? = nil,
    where predicate: @escaping (Value) throws -> Bool
  ) throws(EngineError) -> Int {
    let store = try Self.open(path, [:], domains, reducer)
    defer { store.close() }
    return try EngineError.catching {
      try store.implementation.rewriteLog(.all, isShared: nil) { line in
        try predicate([
          "number": .integer(Int64(line.number)), "time": .integer(line.time),
          line.kind.rawValue: try line.value(),
        ])
      } ?? 0
    }
  }

  /// Opens the store of a log, with the options that it has.
  static func open(
    _ path: String, _ options: Value, _ domains: DomainRegistry?, _ reducer: Reducer?
  ) throws(EngineError) -> AnyStore {
    let header = try EngineError.catching {
      guard let header = try LogFile.header(path) else { throw LogError.missing(path) }
      return header
    }
    guard case .object(var log) = options else { throw .noLog }
    log["path"] = .string(path)
    log["version"] = .integer(Int64(header.version))
    var options: JSONObject = ["log": .object(log), "trace": false]
    if header.options["optimistic"] == true { options["optimistic"] = true }
    if let domain = header.domain, let domains {
      return try domains.open(domain, options: .object(options), keepsOptions: true)
    }
    guard let reducer else {
      throw EngineError(
        .invalidArgument, "the log \(quoted(path)) is of a program's own reducer; pass the reducer")
    }
    return try AnyStore(
      state: .null, options: .object(options), reducerOptions: [], keepsOptions: true,
      reducer: reducer)
  }
}

extension AnyStore {
  /// Repeats the whole log of the store from its base, with the reducer and without effects, and
  /// compares the states with those that the store has: the present one, and those of its history.
  /// Dispatches go on meanwhile.
  ///
  /// - Parameter progress: Called from time to time, with the bytes that were read.
  /// - Returns: `{"entries":…,"number":…,"difference":null}`: how many entries there are up to the
  ///   number of the commit that was compared. A difference is an object: the `number` of the first
  ///   commit after which the states differ, and the JSON Patch (`patch`) from the store's state to
  ///   that of the log.
  /// - Throws: ``EngineError``: `invalidArgument` without a log; `reentrant` in a callback;
  ///   `timeout` if it was cancelled; `reducerFailed` with the number of the entry; `io`,
  ///   `corrupt`.
  public func replay(_ progress: LogProgress = { _, _ in true }) throws(EngineError) -> Value {
    let scope = try self.enter(.preview)
    guard !scope.isInsideCallback else { throw .replayInCallback }
    return try EngineError.catching { try self.implementation.replayLog(progress) }
  }
}
