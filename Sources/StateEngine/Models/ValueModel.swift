import ImmutableData
import ImmutableJSON

/// States and actions that are JSON values, with the program's reducer.
struct ValueModel: StateModel {
  let reducer: ValueReducer
  let isOptimistic: Bool
  /// `nil` in a store that takes any actions and states.
  var schema: StoreSchema?

  static func snapshot(of state: Value, _ history: SharedHistoryStatus?) -> ValueSnapshot {
    ValueSnapshot(state: state, history: history)
  }

  static func knownJSON(of state: Value) -> Value? {
    state
  }

  static func state(_ json: Value) -> Value {
    json
  }

  var historyPolicy: HistoryPolicy {
    var policy = HistoryPolicy { first, last in
      !Self.commit(first).oldState.isIdentical(to: Self.commit(last).newState)
    } haveSameType: { first, last in
      Self.commit(first).action?.value["type"] == Self.commit(last).action?.value["type"]
    }
    if let schema {
      policy.check = { state, current in
        guard let state = state as? Value, let current = current as? Value else { return }
        try schema.check(restored: state, since: current)
      }
    }
    policy.differs = { Self.commit($0).oldState != Self.commit($1).newState }
    policy.size = { first, last in
      let (first, last) = (Self.commit(first), Self.commit(last))
      let action = first.action?.value.exclusiveBytes(comparedTo: .null) ?? 0
      return max(action, first.oldState.exclusiveBytes(comparedTo: last.newState))
    }
    return policy
  }

  static func json(of action: ValueAction) -> Value {
    action.value
  }

  static func knownJSON(of action: ValueAction) -> Value? {
    action.value
  }

  /// A commit of a store with this model.
  static func commit(_ commit: AnyCommit) -> Commit<Value, ValueAction> {
    commit.typed()
  }

  var description: JSONObject {
    self.schema?.description ?? [:]
  }

  func decode(reading text: UnsafeRawBufferPointer) throws(EngineError) -> ValueAction {
    if !self.isOptimistic, let short = ShortText.make(text), short.isPlainAction {
      try self.schema?.check(short)
      return .text(short)
    }
    return try self.decode(Value(reading: text, .action))
  }

  func decode(batch text: UnsafeRawBufferPointer) -> [ValueAction]? {
    // The error of an action that does not fit is that of the parsed batch, with its position.
    guard !self.isOptimistic, let actions = ShortText.elements(of: text),
      actions.allSatisfy({ $0.isPlainAction && self.fits($0) })
    else { return nil }
    return actions.map { .text($0) }
  }

  private func fits(_ action: ShortText) -> Bool {
    guard let schema else { return true }
    return (try? schema.check(action)) != nil
  }

  func decode(_ action: Value) throws(EngineError) -> ValueAction {
    let envelope = try self.envelope(action)
    try self.schema?.check(envelope.type, envelope.payload)
    return .value(action)
  }

  func decode(logged action: Value) throws(EngineError) -> ValueAction {
    _ = try self.envelope(action)
    return .logged(action)
  }

  private func envelope(_ action: Value) throws(EngineError) -> ActionEnvelope {
    let envelope = try ActionEnvelope(action, example: "added")
    if !self.isOptimistic, envelope.meta?["optimistic"] != nil {
      throw EngineError(
        .invalidAction,
        "the \"meta\" of the action has a member \"optimistic\", but the store was created without "
          + "the option \"optimistic\"; create it with {\"optimistic\":true}")
    }
    return envelope
  }

  func reduce(_ state: inout Value, _ action: ValueAction) throws -> AnyObject? {
    do {
      let old = state
      if let edits = try self.reducer(&state, action) {
        if let schema, !action.isLogged { try schema.check(edits, of: old) }
        return edits
      }
      guard state.canReplace(old) else {
        throw EngineError(
          .reducerFailed,
          "the reducer returned \(state.kindWithArticle), but the state is \(old.kindWithArticle); "
            + "it must return the whole next state")
      }
      if let schema, !action.isLogged { try schema.check(state, since: old) }
      return nil
    } catch let error as ValueLimitError {
      throw ReducerInterruption(error, isLimit: true)
    } catch let error as EngineError where error.code == .limit {
      throw ReducerInterruption(error, isLimit: true)
    }
  }

  static func edit(_ state: inout Value, _ edits: AnyObject) {
    unsafeDowncast(edits, to: ValueEdits.self).make(in: &state)
  }

  func next(
    _ state: Value, _ action: ValueAction, _ kind: OptimisticUpdate.ReducerKind
  ) throws -> Value {
    var next = state
    if let edits = try self.reduce(&next, action) { Self.edit(&next, edits) }
    return next
  }

  func optimisticUpdate(of action: ValueAction, in state: Value) throws -> OptimisticUpdate? {
    try OptimisticUpdate(metaOf: action.value)
  }

  func filter(_ name: String, _ arguments: Value) throws(EngineError) -> CommitFilter {
    throw EngineError(
      .invalidArgument,
      "options/filter: unknown filter \(quoted(name)): a store with your own reducer has no named "
        + "filters; pass a filter function instead")
  }

  func requireFilterFunctionSupport() {}
}

/// A state that is a JSON value.
struct ValueSnapshot: Snapshot {
  let state: Value
  let history: SharedHistoryStatus?

  func value() -> Value {
    self.state
  }
}

extension Value {
  /// Whether it is a state of the same kind as another one. All numbers are of one kind, and null
  /// is the absence of a state, which any other can replace.
  fileprivate func canReplace(_ state: Value) -> Bool {
    switch (state, self) {
    case (.object, .object), (.array, .array), (.string, .string), (.bool, .bool): true
    case (.integer, .integer), (.integer, .real), (.real, .integer), (.real, .real): true
    case (.null, _): true
    default: false
    }
  }
}

/// A reducer of JSON values. It replaces the state, or leaves it and returns edits of it.
package typealias ValueReducer =
  @Sendable (_ state: inout Value, _ action: ValueAction) throws -> ValueEdits?
