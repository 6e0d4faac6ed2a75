import ImmutableData
import ImmutableJSON

/// States that are JSON values, with the program's reducer.
struct ValueModel: StateModel {
  let reducer: @Sendable (_ state: Value, _ action: Value) throws -> Value

  static func snapshot(of state: Value) -> ValueSnapshot {
    ValueSnapshot(state: state)
  }

  /// A commit of a store with this model.
  static func commit(_ commit: AnyCommit) -> Commit<Value, ValueAction> {
    commit.typed()
  }

  var description: JSONObject {
    [:]
  }

  var selectors: [StringKey: DomainSelector] {
    [:]
  }

  func decode(_ action: Value) throws(EngineError) -> ValueAction {
    _ = try ActionEnvelope(action, example: "added")
    return ValueAction(json: action)
  }

  func reduce(
    _ state: Value, _ action: ValueAction, _ kind: OptimisticUpdate.ReducerKind
  ) throws -> Value {
    do {
      return try self.reducer(state, action.json)
    } catch let error as ValueLimitError {
      throw ReducerInterruption(error, isLimit: true)
    } catch let error as EngineError where error.code == .limit {
      throw ReducerInterruption(error, isLimit: true)
    }
  }

  func optimisticUpdate(of action: ValueAction, in state: Value) throws -> OptimisticUpdate? {
    try OptimisticUpdate(metaOf: action.json)
  }

  func makeIndex(_ encoding: any CommitEncoding.Type) -> any ObservationIndex {
    PathIndex()
  }

  func filter(_ name: String, _ arguments: Value) throws(EngineError) -> CommitFilter {
    throw EngineError(
      .invalidArgument,
      "options/filter: unknown filter \(quoted(name)): a store with your own reducer has no named "
        + "filters; pass a filter function instead")
  }

  func requireFilterFunctionSupport() {}
}

/// An action that stays JSON.
struct ValueAction: StoreAction {
  let json: Value

  var knownJSON: Value? {
    self.json
  }
}

/// A state that is a JSON value.
struct ValueSnapshot: Snapshot {
  let state: Value

  func value() -> Value {
    self.state
  }
}
