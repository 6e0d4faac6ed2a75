import ImmutableData
import ImmutableJSON
import StateLog
import Threading

extension AnyStore {
  /// Waits until all commits so far are on the disk, and repairs a log that could not be written:
  /// it writes what is missing. A store without a log has nothing to wait for.
  ///
  /// - Parameter milliseconds: The timeout; negative for none.
  /// - Throws: ``EngineError``: `io` if the log cannot be written; `timeout`; `reentrant` inside a
  ///   callback, which cannot wait; `closed`.
  public func sync(milliseconds: Int32 = -1) throws(EngineError) {
    let scope = try self.enter(.use)
    guard !scope.isInsideCallback else {
      throw EngineError(
        .reentrant, "a callback cannot wait until the log is on the disk; wait outside of callbacks"
      )
    }
    guard let log = self.implementation.log, !self.isReadOnly else { return }
    let deadline = milliseconds < 0 ? nil : Deadline(milliseconds: milliseconds)
    defer { log.notifyOfProblem() }
    try EngineError.catching { try log.storage.sync(until: deadline) }
  }

  /// Brings a store whose log was opened with `readOnly` to what the file has now. It does so by
  /// itself, usually within a millisecond after another store has written, and at most 1 s after
  /// if the system does not report that. Any other store is there already.
  ///
  /// - Throws: ``EngineError``: `corrupt` if the file is damaged, after which the store no longer
  ///   follows it; `reentrant` inside a callback, which cannot wait; `closed`.
  public func refresh() throws(EngineError) {
    let scope = try self.enter(.use)
    guard !scope.isInsideCallback else {
      throw EngineError(
        .reentrant, "a callback cannot wait for a log; observers are called for what is new anyway")
    }
    try self.implementation.follower?.refresh()
  }

  /// The file of the log; `nil` in a store without one.
  package var logFile: LogFile? {
    self.implementation.log?.file
  }

  /// Does a part of what a thread of the log does, if there is no such thread.
  ///
  /// - Returns: Whether there was something to do.
  package func workForLog() -> Bool {
    self.implementation.log?.storage.work() == true
  }

  /// Writes the log anew, with the present state as its base.
  ///
  /// - Returns: Whether it did; not while optimistic updates are in flight.
  package func compactLog(keeping keep: Value?) throws(EngineError) -> Bool {
    let keep = try LogKeep(keep, "keep")
    return try EngineError.catching {
      try self.implementation.rewriteLog(keep, isShared: nil, redacts: nil) != nil
    }
  }

  /// The counters of the log.
  var logStatistics: [(String, Value)] {
    guard let log = self.implementation.log else { return [] }
    let statistics = log.storage.statistics
    let counts = [
      ("entries", statistics.entries), ("bytes", statistics.bytes),
      ("unwrittenBytes", statistics.unwrittenBytes), ("unsyncedBytes", statistics.unsyncedBytes),
      ("writes", statistics.writes), ("syncs", statistics.syncs),
      ("snapshots", statistics.snapshots), ("snapshotBytes", statistics.snapshotBytes),
      ("failedSnapshots", statistics.failedSnapshots), ("cutLines", statistics.cutLines),
      ("cutBytes", statistics.cutBytes), ("compactions", statistics.compactions),
      ("skippedCommits", log.skippedCommits),
    ]
    let problem = log.problem(self.implementation.follower).map(Value.string) ?? .null
    var members =
      counts.map { ($0.0, Value.integer(Int64($0.1))) } + [
        ("problem", problem),
        ("compactionTime", statistics.compactionTime.map(Value.integer) ?? .null),
        ("compactionProblem", statistics.compactionProblem.map(Value.string) ?? .null),
        ("firstEntry", statistics.firstEntry.map { .integer(Int64($0)) } ?? .null),
      ]
    if let source = self.implementation.follower?.source {
      members.append(("watch", .string(source)))
    }
    if !log.missingMembers.isEmpty {
      members.append(("missingMembers", .array(JSONArray(log.missingMembers.map(Value.string)))))
    }
    return [("log", .object(JSONObject(members)))]
  }
}

extension EngineError {
  static var readOnly: EngineError {
    EngineError(
      .invalidArgument,
      "the log of the store was opened with \"readOnly\"; use the store that writes it")
  }
}
