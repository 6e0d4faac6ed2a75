import ImmutableData
import ImmutableJSON
import StateLog
import Threading

/// A store with typed states and actions and a JSON interface.
final class TypedStore<Model: IndexedModel>: Sendable {
  let store: Store<Model.State, Model.Action>
  let typedModel: Model
  /// Whether changes are shown while they are in flight.
  let isOptimistic: Bool
  /// `nil` in a store without a log.
  let log: JSONCommitLog?
  /// `nil` unless it only reads a log.
  let follower: LogFollower?

  /// Gives a store a JSON interface. It must not be optimistic.
  init(_ model: Model, over store: Store<Model.State, Model.Action>, _ tracer: Tracer) {
    self.typedModel = model
    self.isOptimistic = false
    self.log = nil
    self.follower = nil
    self.store = store
    tracer.begin(store.commits, ModelEncoding<Model>.self)
  }

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - initialState: The state of a store without a log or with a new one.
  ///   - domain: The name of the domain; `nil` for a reducer of the program.
  ///   - keepsOptions: Whether a log keeps the options that it has, whatever those of the store
  ///     are.
  init(
    _ model: Model, _ initialState: Model.State, _ options: Value, _ tracer: Tracer,
    domain: String? = nil, keepsOptions: Bool = false, logSystem: LogSystem = LogSystem(),
    strict: StrictMode? = nil
  ) throws(EngineError) {
    self.typedModel = model
    self.isOptimistic = options["optimistic"]?.bool == true
    let clock = StoreClock.of(options)
    var logSystem = logSystem
    if clock.isManual { logSystem.files = SystemFiles(clock: clock) }
    var history = try HistoryPolicy(
      options["history"], of: ModelEncoding<Model>.self, model.historyPolicy)
    let logged = JSONCommitLog.loggedOptions(options)
    var logOptions = try LogOptions(options["log"])
    // Such a store is for the file, not for a program: alone, unless it has a name among others.
    if keepsOptions, let log = logOptions {
      logOptions?.isAlone = !log.isReadOnly && log.author == nil
    }
    self.log = try logOptions.map { (log) throws(EngineError) in
      try JSONCommitLog(log, domain, logged, ModelEncoding<Model>.self, logSystem) {
        () throws(EngineError) in
        try EngineError.catching { try Model.snapshot(of: initialState, nil).value() }
      }
    }
    // A log restores it.
    if self.log != nil { history = nil }
    self.store = Self.makeStore(
      model, initialState, history: history, self.log, clock, strict,
      isOptimistic: self.isOptimistic)
    if let depth = options["depth"]?.integer { self.store.commits.depthLimit = Int(depth) }
    self.follower = try Self.open(
      self.log, logOptions, keepsOptions ? nil : logged, model, self.store)
    tracer.begin(self.store.commits, ModelEncoding<Model>.self)
  }
}

extension TypedStore {
  /// A store that repeats a log with the reducer of this one, while it does not run for this one.
  func makeStore(
    repeating log: JSONCommitLog, _ state: Model.State
  ) -> Store<Model.State, Model.Action> {
    let (model, main) = (self.typedModel, self.store)
    if self.isOptimistic {
      return Store(
        initialState: state, log: log,
        OptimisticReducer(update: model.optimisticUpdate) { state, action, kind in
          try main.whileIdle { try model.next(state, action, kind) }
        })
    }
    return Store(initialState: state, history: nil, log: log, edit: Model.edit) { state, action in
      try main.whileIdle { try model.reduce(&state, action) }
    }
  }

  static func makeStore(
    _ model: Model, _ state: Model.State, history: HistoryPolicy?, _ log: JSONCommitLog?,
    _ clock: StoreClock = .system, _ strict: StrictMode? = nil, isOptimistic: Bool
  ) -> Store<Model.State, Model.Action> {
    if let strict {
      return Self.makeStore(
        model, state, history: history, log, clock, strict, isOptimistic: isOptimistic)
    }
    if isOptimistic {
      return Store(
        initialState: state, history: history, log: log, clock: clock,
        OptimisticReducer(update: model.optimisticUpdate, reduce: model.next))
    }
    return Store(
      initialState: state, history: history, log: log, clock: clock, edit: Model.edit,
      reduce: model.reduce)
  }
}

extension TypedStore {
  /// A store that reduces each action twice, and compares the states.
  private static func makeStore(
    _ model: Model, _ state: Model.State, history: HistoryPolicy?, _ log: JSONCommitLog?,
    _ clock: StoreClock, _ strict: StrictMode, isOptimistic: Bool
  ) -> Store<Model.State, Model.Action> {
    if isOptimistic {
      return Store(
        initialState: state, history: history, log: log, clock: clock,
        OptimisticReducer(update: model.optimisticUpdate) { state, action, kind in
          try Self.reduceTwice(action, strict) { try model.next(state, action, kind) }
        })
    }
    return Store(initialState: state, history: history, log: log, clock: clock) { state, action in
      let old = state
      state = try Self.reduceTwice(action, strict) {
        var next = old
        if let edits = try model.reduce(&next, action) { Model.edit(&next, edits) }
        return next
      }
      return nil
    }
  }

  private static func reduceTwice(
    _ action: Model.Action, _ strict: StrictMode, _ reduce: () throws -> Model.State
  ) throws -> Model.State {
    let first = Result { try strict.timing("the reducer", reduce) }
    let second = Result { try reduce() }
    let difference: String?
    switch (first, second) {
    case (.success(let first), .success(let second)):
      difference = strict.difference(
        try Model.snapshot(of: first, nil).value(), try Model.snapshot(of: second, nil).value())
    case (.success, .failure(let error)):
      difference = "it returned a state and, called again, failed: \(EngineError(error).message)"
    case (.failure(let error), .success):
      difference =
        "it failed, and returned a state when called again: \(EngineError(error).message)"
    case (.failure, .failure): difference = nil
    }
    guard let difference else { return try first.get() }
    let type = (try? Model.json(of: action))?["type"]?.string ?? ""
    throw EngineError(
      .reducerFailed, "the reducer is not pure: for the action \(quoted(type)) \(difference)")
  }
}

// Calls through the protocol are generic, and look up types at run time. The functions that each
// dispatch and select uses are therefore specialized for JSON values.
extension TypedStore: AnyStore.Implementation {
  var commits: CommitSequence {
    self.store.commits
  }

  var encoding: any CommitEncoding.Type {
    ModelEncoding<Model>.self
  }

  var model: any StateModel {
    self.typedModel
  }

  var selectors: [StringKey: DomainSelector] {
    self.typedModel.selectors
  }

  func makeIndex() -> any ObservationIndex {
    self.typedModel.makeIndex()
  }

  @specialized(where Model == ValueModel)
  func dispatch(_ action: Value, in scope: CallScope) throws {
    try self.store.dispatch(self.typedModel.decode(action), in: scope, hasTimeout: true)
  }

  @specialized(where Model == ValueModel)
  func dispatch(text: UnsafeRawBufferPointer, in scope: CallScope) throws {
    let action = try self.typedModel.decode(reading: text)
    let isLogged =
      self.commits.log != nil
      && (ShortText.canMake(text) || Model.knownJSON(of: action)?.fitsInArray == true)
    try self.store.dispatch(
      action, in: scope, hasTimeout: true,
      text: isLogged ? text : UnsafeRawBufferPointer(start: nil, count: 0))
  }

  @specialized(where Model == ValueModel)
  func dispatch(batch actions: JSONArray, in scope: CallScope) throws {
    try self.store.dispatch(batch: self.decode(actions), in: scope, hasTimeout: true)
  }

  @specialized(where Model == ValueModel)
  func dispatch(batch text: UnsafeRawBufferPointer, in scope: CallScope) throws -> Bool {
    guard let actions = self.typedModel.decode(batch: text) else { return false }
    try self.store.dispatch(batch: actions, in: scope, hasTimeout: true)
    return true
  }

  func dispatch(each actions: [Value], in scope: CallScope) -> [Result<Void, any Error>] {
    let decoded = actions.map { action in Result { try self.typedModel.decode(action) } }
    var outcomes = self.store.dispatch(each: decoded.compactMap { try? $0.get() }, in: scope)[...]
    return decoded.map { action in action.flatMap { _ in outcomes.removeFirst() } }
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
      return (Model.snapshot(of: state, history.map(SharedHistoryStatus.init)), number)
    }
    let (state, number) = self.store.committed
    return (Model.snapshot(of: state, nil), number)
  }

  @specialized(where Model == ValueModel)
  func state() throws -> Value {
    try Model.snapshot(of: self.store.committed.state, nil).value()
  }

  @specialized(where Model == ValueModel)
  func stateObject(orMake make: (Value) -> AnyObject) throws -> AnyObject {
    if let object = self.store.object(orMake: { Model.knownJSON(of: $0).map(make) }) {
      return object
    }
    return make(try self.state())
  }

  func confirmedState(in scope: CallScope) throws -> any Snapshot {
    Model.snapshot(of: try self.store.confirmedState(in: scope), nil)
  }

  var optimisticCount: Int? {
    self.store.optimisticCount
  }

  func withNotificationsPaused(
    isNested: Bool, _ body: @escaping (any Snapshot, Int) -> Void
  ) {
    self.store.withNotificationsPaused(isNested: isNested) {
      body(Model.snapshot(of: $0, $2.map(SharedHistoryStatus.init)), $1)
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

  func isOptimisticUpdate(_ commit: AnyCommit) -> Bool {
    guard self.isOptimistic else { return false }
    let commit: Commit<Model.State, Model.Action> = commit.typed()
    guard let action = commit.action else { return false }
    return (try? self.typedModel.optimisticUpdate(of: action, in: commit.oldState)) != nil
  }
}
