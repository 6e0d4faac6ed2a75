import ImmutableData
import ImmutableJSON

extension AnyStore {
  /// Finds the commits that changed the value at a pointer, newest first:
  /// `[{"number":42,"step":40,"time":1764000000000,"type":"…","before":…,"after":…}]`.
  ///
  /// Searches the steps of a store with the option `history` that have not been undone. Neighbours
  /// of one type in a step count as their first and their last. A member `before` or `after` is
  /// missing if the state had no value at the pointer; `writer` is the number of the store that
  /// dispatched the action to a shared log. O(log n) for each commit; in a store of a
  /// domain, each state is encoded. `step` is the number for ``travel(to:)``.
  ///
  /// - Parameters:
  ///   - pointer: To a part of the state.
  ///   - options: An object: `count`, the maximum number of commits; `log`, whether to go on in the
  ///     log of the store, before the first step of its history, which repeats the log from its
  ///     base. Those commits have no `step`.
  /// - Returns: An array.
  /// - Throws: ``EngineError``: `invalidArgument`; `reentrant` in a reducer; with `log`, as
  ///   ``replay(_:)``.
  public func blame(_ pointer: JSONPointer, _ options: Value = [:]) throws(EngineError) -> Value {
    try self.enter(.select, evenIfClosed: true)
    try Schema.object([
      .count, .init("log", .boolean, isRequired: false, "Whether to go on in the log."),
    ]).check(options, "options")
    let count = try options.range().count
    let readsLog = options["log"]?.bool == true
    let history = self.commits.readHistory(0..<Int.max)
    guard history != nil || readsLog else { throw .noHistory }
    let encoding = self.implementation.encoding
    // Encoded states share nothing.
    let comparesIdentities = self.implementation.model is ValueModel
    var entries: JSONArray = []
    for step in history?.steps.prefix(history?.status.undo ?? 0).reversed() ?? [] {
      for commit in step.commits.reversed() where entries.count < count {
        let entry = try EngineError.catching {
          try commit.change(at: pointer, encoding, in: step, comparesIdentities)
        }
        if let entry { entries.append(entry) }
      }
    }
    if readsLog, entries.count < count {
      let scope = try self.enter(.preview)
      guard !scope.isInsideCallback else { throw .replayInCallback }
      let first = history?.steps.first?.number ?? self.commits.number + 1
      entries = try EngineError.catching {
        try self.implementation.blameLog(
          pointer, before: first, count: count - entries.count, after: entries)
      }
    }
    return .array(entries)
  }
}

extension AnyCommit {
  /// - Parameter comparesIdentities: Whether arrays and objects differ unless they are the same
  ///   instance.
  /// - Returns: `nil` if the value at the pointer is the same before and after.
  fileprivate func change(
    at pointer: JSONPointer, _ encoding: any CommitEncoding.Type, in step: HistoryStep,
    _ comparesIdentities: Bool
  ) throws -> Value? {
    let before = try? encoding.oldState(of: self).value().get(pointer)
    let after = try? encoding.newState(of: self).value().get(pointer)
    if before == nil, after == nil { return nil }
    if let before, let after,
      comparesIdentities ? before.isIdentical(to: after) : before == after
    {
      return nil
    }
    let members: [(String, Value?)] = [
      ("number", .integer(Int64(self.number))), ("step", .integer(Int64(step.number))),
      ("time", .integer((self.context ?? step.first.context)?.time ?? 0)),
      ("writer", self.writer > 0 ? .integer(Int64(self.writer)) : nil),
      ("type", try encoding.action(of: self)["type"]), ("before", before), ("after", after),
    ]
    return .object(JSONObject(members.compactMap { name, value in value.map { (name, $0) } }))
  }
}
