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
  init(_ model: Model, over store: Store<Model.State, Model.Action>) {
    self.typedModel = model
    self.isOptimistic = false
    self.store = store
  }

  /// Creates a store.
  init(_ model: Model, _ initialState: Model.State, _ options: Value) {
    self.typedModel = model
    self.isOptimistic = options["optimistic"]?.bool == true
    self.store =
      if self.isOptimistic {
        Store(
          initialState: initialState,
          OptimisticReducer(update: model.optimisticUpdate, reduce: model.reduce))
      } else {
        Store(initialState: initialState) { state, action in
          try model.reduce(state, action, .reduce)
        }
      }
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
    var decoded: [Model.Action] = []
    decoded.reserveCapacity(actions.count)
    for action in actions {
      do {
        decoded.append(try self.typedModel.decode(action))
      } catch {
        throw BatchError(index: decoded.count, underlying: error)
      }
    }
    try self.store.dispatch(batch: decoded, in: scope, hasTimeout: true)
  }

  @specialized(where Model == ValueModel)
  func snapshot() -> (state: any Snapshot, number: Int) {
    let (state, number) = self.store.committed
    return (Model.snapshot(of: state), number)
  }

  func confirmedState(in scope: CallScope) throws -> any Snapshot {
    Model.snapshot(of: try self.store.confirmedState(in: scope))
  }

  func withNotificationsPaused(_ body: @escaping (any Snapshot, Int) -> Void) {
    self.store.withNotificationsPaused { body(Model.snapshot(of: $0), $1) }
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
      options.types.isEmpty || Model.knownJSON(of: $0.action).map(options.includes) ?? true
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
    Model.snapshot(of: Self.typed(commit).oldState)
  }

  @specialized(where Model == ValueModel)
  static func newState(of commit: AnyCommit) -> any Snapshot {
    Model.snapshot(of: Self.typed(commit).newState)
  }

  @specialized(where Model == ValueModel)
  static func action(of commit: AnyCommit) throws -> Value {
    try Model.json(of: Self.typed(commit).action)
  }

  func isOptimisticUpdate(_ commit: AnyCommit) -> Bool {
    guard self.isOptimistic else { return false }
    let commit = Self.typed(commit)
    return (try? self.typedModel.optimisticUpdate(of: commit.action, in: commit.oldState)) != nil
  }
}
