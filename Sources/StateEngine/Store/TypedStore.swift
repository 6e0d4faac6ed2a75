import ImmutableData
import ImmutableJSON
import Threading

/// A store with typed states and actions and a JSON interface.
final class TypedStore<Model: StateModel>: Sendable {
  let store: Store<Model.State, Model.Action>
  private let typedModel: Model
  /// Whether changes are shown while they are in flight.
  private let isOptimistic: Bool

  /// Gives a store a JSON interface. It must not be optimistic.
  init(_ model: Model, over store: Store<Model.State, Model.Action>, _ tracer: Tracer) {
    self.typedModel = model
    self.isOptimistic = false
    self.store = store
    tracer.begin(store.commits, Self.self)
  }

  /// Creates a store.
  init(
    _ model: Model, _ initialState: Model.State, _ options: Value, _ tracer: Tracer
  ) throws(EngineError) {
    self.typedModel = model
    self.isOptimistic = options["optimistic"]?.bool == true
    let history = try HistoryPolicy(options["history"], of: Self.self, Model.historyPolicy)
    self.store =
      if self.isOptimistic {
        Store(
          initialState: initialState, history: history,
          OptimisticReducer(update: model.optimisticUpdate, reduce: model.reduce))
      } else {
        Store(initialState: initialState, history: history) { state, action in
          try model.reduce(state, action, .reduce)
        }
      }
    tracer.begin(self.store.commits, Self.self)
  }
}

// Calls through the protocol are generic, and look up types at run time. The functions that each
// dispatch and select uses are therefore specialized for JSON values.
extension TypedStore: AnyStore.Implementation {
  var commits: CommitSequence {
    self.store.commits
  }

  var model: any StateModel {
    self.typedModel
  }

  @specialized(where Model == ValueModel)
  func dispatch(_ action: Value, in scope: CallScope) throws {
    try self.store.dispatch(self.typedModel.decode(action), in: scope, hasTimeout: true)
  }

  @specialized(where Model == ValueModel)
  func dispatch(batch actions: JSONArray, in scope: CallScope) throws {
    try self.store.dispatch(batch: self.decode(actions), in: scope, hasTimeout: true)
  }

  func preview(
    _ actions: JSONArray, in scope: CallScope
  ) throws -> (old: any Snapshot, new: any Snapshot) {
    let (old, new) = try self.store.preview(self.decode(actions), in: scope)
    return (Model.snapshot(of: old, nil), Model.snapshot(of: new, nil))
  }

  @specialized(where Model == ValueModel)
  private func decode(_ actions: JSONArray) throws -> [Model.Action] {
    var decoded: [Model.Action] = []
    decoded.reserveCapacity(actions.count)
    for action in actions {
      do {
        decoded.append(try self.typedModel.decode(action))
      } catch {
        throw BatchError(index: decoded.count, underlying: error)
      }
    }
    return decoded
  }

  func perform(_ operation: HistoryOperation, in scope: CallScope) throws -> Int {
    try self.store.perform(operation, in: scope, hasTimeout: true)
  }

  @specialized(where Model == ValueModel)
  func snapshot() -> (state: any Snapshot, number: Int) {
    if self.commits.hasHistory {
      let (state, number, history) = self.store.committedWithHistory
      return (Model.snapshot(of: state, history.map(HistoryView.init)), number)
    }
    let (state, number) = self.store.committed
    return (Model.snapshot(of: state, nil), number)
  }

  func confirmedState(in scope: CallScope) throws -> any Snapshot {
    Model.snapshot(of: try self.store.confirmedState(in: scope), nil)
  }

  func withNotificationsPaused(
    isNested: Bool, _ body: @escaping (any Snapshot, Int) -> Void
  ) {
    self.store.withNotificationsPaused(isNested: isNested) {
      body(Model.snapshot(of: $0, $2.map(HistoryView.init)), $1)
    }
  }

  func finishStreams() {
    self.commits.finishStreams(of: ObjectIdentifier(self))
  }

  func makeStream(_ options: StreamOptions) -> CommitStream {
    self.store.makeCommitStream(
      capacity: options.capacity, overflow: options.overflow, owner: ObjectIdentifier(self),
      isFlushed: options.flush
    ) {
      // No code of a domain runs under the locks. The reader decides about an unknown type.
      guard !options.types.isEmpty else { return true }
      let action = $0.action.map(Model.knownJSON) ?? $0.jump?.json
      return action.map(options.includes) ?? true
    }
  }
}

// MARK: Commits

extension TypedStore {
  fileprivate static func typed(_ commit: AnyCommit) -> Commit<Model.State, Model.Action> {
    commit.typed()
  }

  @specialized(where Model == ValueModel)
  static func oldState(of commit: AnyCommit) -> any Snapshot {
    Model.snapshot(of: Self.typed(commit).oldState, nil)
  }

  @specialized(where Model == ValueModel)
  static func newState(of commit: AnyCommit) -> any Snapshot {
    Model.snapshot(of: Self.typed(commit).newState, HistoryView(after: commit))
  }

  @specialized(where Model == ValueModel)
  static func action(of commit: AnyCommit) throws -> Value {
    guard let action = Self.typed(commit).action else { return commit.jump?.json ?? .null }
    return try Model.json(of: action)
  }

  func isOptimisticUpdate(_ commit: AnyCommit) -> Bool {
    guard self.isOptimistic else { return false }
    let commit = Self.typed(commit)
    guard let action = commit.action else { return false }
    return (try? self.typedModel.optimisticUpdate(of: action, in: commit.oldState)) != nil
  }
}
