import ImmutableData
import ImmutableJSON
import Threading

extension AnyStore {
  /// Undoes steps of a store with the option `history`. The state is the one before the first
  /// action of the last of these steps.
  ///
  /// An undo is a commit like any other: observers get one change, and streams the action
  /// `@@history/undone`. It has no effects, and asks neither rules nor filters. Undo and redo take
  /// O(n log n) for n optimistic updates in flight; otherwise O(1).
  ///
  /// - Parameter steps: How many; fewer are undone if there are fewer.
  /// - Returns: The number of steps that were undone. If it is 0, nothing was committed.
  /// - Throws: ``EngineError``: `invalidArgument` without the option, or if the domain forbids to
  ///   undo a step; `timeout` as a dispatch; `closed`; `reentrant`.
  @discardableResult
  public func undo(_ steps: Int = 1) throws(EngineError) -> Int {
    try self.perform(.undo(steps))
  }

  /// Redoes steps that were undone. The state is the one after the last action of the last of these
  /// steps. Otherwise as ``undo(_:)``.
  @discardableResult
  public func redo(_ steps: Int = 1) throws(EngineError) -> Int {
    try self.perform(.redo(steps))
  }

  /// Shows the state after a step. Number 0 is the state before the first step, as long as that has
  /// not exceeded a limit. It is a commit even if the state stays the same.
  ///
  /// - Parameter number: The number of the step.
  /// - Throws: ``EngineError``: `notFound` if there is no such step; otherwise as ``undo(_:)``.
  public func travel(to number: Int) throws(EngineError) {
    _ = try self.perform(.travel(to: number))
  }

  /// Makes all actions one step until ``endGroup()`` or ``cancelGroup()``, also those of other
  /// threads. Groups nest. An undo, a redo or a travel ends all groups that are open.
  ///
  /// What could be redone is kept until the outermost group ends, and shown again if it is given
  /// up, or if nothing is left of its changes. It is then no step.
  ///
  /// - Throws: ``EngineError``: `limit` if 256 groups are open; otherwise as ``undo(_:)``.
  public func beginGroup() throws(EngineError) {
    try self.mark(.beginGroup)
  }

  /// Ends the group that was begun last. Does nothing if none is open.
  public func endGroup() throws(EngineError) {
    try self.mark(.endGroup)
  }

  /// Gives up the group that was begun last, and ends it: the state is the one before the group.
  /// Does nothing if none is open.
  ///
  /// It is a commit as an undo is, with the action `@@history/cancelled`, unless nothing was
  /// committed since the group began.
  ///
  /// - Throws: ``EngineError``, as ``undo(_:)``. The group is then still open.
  public func cancelGroup() throws(EngineError) {
    try self.mark(.cancelGroup)
  }

  /// Changes groups, and publishes what can be undone if that changed without a commit.
  private func mark(_ operation: HistoryOperation) throws(EngineError) {
    if try self.perform(operation) > 0 { self.updateHistorySelector() }
  }

  /// Declares that the program has saved what is shown: the member `clean` of the selector
  /// `@@history` is true until a step, and again when undo or redo come back here.
  ///
  /// Observers of the selector have been called when this returns; inside an observer they are
  /// called afterwards, as after a dispatch. It is no commit.
  public func markClean() throws(EngineError) {
    do {
      _ = try self.perform(.markClean)
    } catch {
      // If only the log cannot be written, the position is marked.
      if error.code == .io { self.updateHistorySelector() }
      throw error
    }
    self.updateHistorySelector()
  }

  /// Evaluates the selector of the history after a change that is no commit.
  func updateHistorySelector() {
    self.updateSelector(DomainSelector.historyName)
  }

  /// Evaluates a selector whose output depends on more than the state, and has changed without a
  /// commit.
  func updateSelector(_ name: String) {
    let names = self.graph.invalidate(name)
    self.outputs.removeAll(generation: self.graph.generation)
    self.observations.rebind(names, isNested: false)
  }

  private func perform(_ operation: HistoryOperation) throws(EngineError) -> Int {
    let scope = try self.enter(operation.isJump ? .dispatch : .use)
    guard !self.isReadOnly else { throw .readOnly }
    return try EngineError.catching { try self.implementation.perform(operation, in: scope) }
  }
}

// MARK: Reading

extension AnyStore {
  /// Describes the steps of a store with the option `history`:
  /// `{"present":42,"undo":3,"redo":0,"entries":[…]}`, oldest first. `present` is the number of the
  /// step that is shown.
  ///
  /// - Parameter options: An object: `from`, the index of the first entry, and `count`, the number
  ///   of entries; `actions`, whether an entry has its actions instead of their number; `patches`,
  ///   whether it has what it changed, as a JSON Patch.
  /// - Returns: An object.
  /// - Throws: ``EngineError``: `invalidArgument`; `limit` for a patch; `reentrant` in a reducer.
  public func history(_ options: Value = [:]) throws(EngineError) -> Value {
    try self.enter(.select, evenIfClosed: true)
    try Schema.object([
      .init("from", .integer, isRequired: false, "The index of the first entry."), .count,
      .init("actions", .boolean, isRequired: false, "Whether entries have their actions."),
      .init("patches", .boolean, isRequired: false, "Whether entries have their changes."),
    ]).check(options, "options")
    let range = try options.range()
    guard let history = self.commits.readHistory(range) else { throw .noHistory }
    let encoding = self.implementation.encoding
    let (actions, patches) = (options["actions"]?.bool == true, options["patches"]?.bool == true)
    var entries: JSONArray = []
    var budget = WorkBudget()
    for (index, step) in history.steps.enumerated() {
      entries.append(
        try step.json(
          encoding, isUndone: history.start + index >= history.status.undo, actions: actions,
          patches: patches, history.policy, &budget))
    }
    return [
      "present": .integer(Int64(history.present)), "undo": .integer(Int64(history.status.undo)),
      "redo": .integer(Int64(history.status.redo)), "entries": .array(entries),
    ]
  }
}

extension Schema.Property {
  /// The option that limits how much of a history is read.
  static var count: Schema.Property {
    .init("count", .integer, isRequired: false, "How many entries at most.")
  }
}

extension Value {
  /// The range of indices of options with the members `from` and `count`.
  func range() throws(EngineError) -> Range<Int> {
    let (from, count) = (self["from"]?.integer ?? 0, self["count"]?.integer ?? .max)
    for (name, value) in [("from", from), ("count", count)] where value < 0 {
      throw EngineError(.invalidArgument, "options/\(name): \(value) is not 0 or more")
    }
    let (end, overflows) = from.addingReportingOverflow(count)
    return Int(from)..<Int(overflows ? .max : end)
  }
}

extension HistoryStep {
  fileprivate func json(
    _ encoding: any CommitEncoding.Type, isUndone: Bool, actions: Bool, patches: Bool,
    _ policy: HistoryPolicy, _ budget: inout WorkBudget
  ) throws(EngineError) -> Value {
    let first = try EngineError.catching { try encoding.action(of: self.first) }
    var members: [(String, Value)] = [
      ("number", .integer(Int64(self.number))),
      ("time", .integer(self.first.context?.time ?? 0)),
      ("type", first["type"] ?? .null), ("undone", .bool(isUndone)),
    ]
    if actions {
      let all = try EngineError.catching { try self.commits.map { try encoding.action(of: $0) } }
      members.append(("actions", .array(JSONArray(all))))
    } else {
      members.append(("actions", .integer(Int64(self.count))))
    }
    if patches {
      var (old, new) = try EngineError.catching {
        (
          try encoding.oldState(of: self.first).value(),
          try encoding.newState(of: self.last).value()
        )
      }
      if let restore = policy.restore { new = restore(new, old) as? Value ?? new }
      do {
        members.append(("patch", try old.diff(to: new, &budget)))
      } catch {
        throw EngineError(.limit, "the patch of step \(self.number): \(error.message)")
      }
    }
    return .object(JSONObject(members))
  }
}

// MARK: Errors
