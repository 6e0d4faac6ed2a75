import ImmutableData
import ImmutableJSON
import Threading

/// A store with typed states and actions and a JSON interface.
final class TypedStore<Model: StateModel>: Sendable {
  typealias ModelStore = Store<Model.State, Model.Action>

  let selectors: [StringKey: DomainSelector]
  let effects: (any EffectRunning)?

  private let model: Model
  private let store: ModelStore
  private let isOptimistic: Bool

  /// - Parameters:
  ///   - isOptimistic: Whether changes are shown while they are in flight.
  ///   - makeEffects: Starts the effects of the store, if it has any.
  init(
    _ model: Model, _ initialState: Model.State, isOptimistic: Bool,
    makeEffects: (ModelStore) -> (any EffectRunning)?
  ) {
    self.model = model
    self.isOptimistic = isOptimistic
    self.selectors = model.selectors
    self.store =
      if isOptimistic {
        Store(
          initialState: initialState,
          OptimisticReducer(update: model.optimisticUpdate, reduce: model.reduce))
      } else {
        Store(initialState: initialState) { state, action in
          try model.reduce(state, action, .reduce)
        }
      }
    self.effects = makeEffects(self.store)
  }
}

// Calls through the protocol are generic, and look up types at run time. The functions that each
// dispatch and select uses are therefore specialized for JSON values.
extension TypedStore: AnyStore.Implementation {
  func forbid(
    _ operation: ReentrancyError.Operation, in scope: CallScope
  ) -> ReentrancyError? {
    self.store.forbid(operation, in: scope)
  }

  @specialized(where Model == ValueModel)
  func dispatch(_ action: Value, in scope: CallScope) throws {
    try self.store.dispatch(self.model.decode(action), in: scope)
  }

  @specialized(where Model == ValueModel)
  func dispatch(batch actions: JSONArray, in scope: CallScope) throws {
    var decoded: [Model.Action] = []
    decoded.reserveCapacity(actions.count)
    for action in actions {
      do {
        decoded.append(try self.model.decode(action))
      } catch {
        throw BatchError(index: decoded.count, underlying: error)
      }
    }
    try self.store.dispatch(batch: decoded, in: scope)
  }

  @specialized(where Model == ValueModel)
  func snapshot() -> (state: any Snapshot, number: Int) {
    let (state, number) = self.store.committed
    return (Model.snapshot(of: state), number)
  }

  var version: Int {
    self.store.version
  }

  func subscribe(
    _ body: @escaping @Sendable (AnyCommit, CallScope) -> Void
  ) -> Subscription {
    self.store.subscribe(.observers, body)
  }

  func withNotificationsPaused(_ body: @escaping (any Snapshot, Int) -> Void) {
    self.store.withNotificationsPaused { body(Model.snapshot(of: $0), $1) }
  }

  func makeIndex() -> any ObservationIndex {
    self.model.makeIndex(Self.self)
  }

  func filter(_ name: String, _ arguments: Value) throws(EngineError) -> CommitFilter {
    try self.model.filter(name, arguments)
  }

  func requireFilterFunctionSupport() throws(EngineError) {
    try self.model.requireFilterFunctionSupport()
  }

  func makeStream(_ options: StreamOptions) -> CommitStream {
    self.store.makeCommitStream(capacity: options.capacity, overflow: options.overflow) {
      // No code of a domain runs under the locks. The reader decides about an unknown type.
      options.types.isEmpty || $0.action.knownJSON.map(options.includes) ?? true
    }
  }

  func finishStreams() {
    self.store.finishStreams()
  }

  var overruns: Int {
    self.store.overruns
  }
}

// MARK: Commits

extension TypedStore {
  fileprivate static func typed(_ commit: AnyCommit) -> Commit<Model.State, Model.Action> {
    unsafeDowncast(commit, to: Commit<Model.State, Model.Action>.self)
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
    try Self.typed(commit).action.json
  }

  func isOptimisticUpdate(_ commit: AnyCommit) -> Bool {
    guard self.isOptimistic else { return false }
    let commit = Self.typed(commit)
    return (try? self.model.optimisticUpdate(of: commit.action, in: commit.oldState)) != nil
  }
}
