import ImmutableData
import ImmutableJSON
import StateLog
import Synchronization
import Threading

/// A store of any domain: JSON in, JSON out.
///
/// It can be used from any thread. Every error is an ``EngineError``, and leaves the state as it
/// was, with one exception: an outcome ends its optimistic update even if the reducer rejects it.
///
/// After ``close()``, the state can still be read, with ``state()``, `select` and `query`.
/// Functions that would change the store, observe it or wait for it throw ``EngineError``
/// (`closed`).
public final class AnyStore: Sendable {
  /// The typed store inside. It throws any error; `AnyStore` converts it to an ``EngineError``.
  ///
  /// Its functions do not check reentrancy: ``AnyStore/enter(_:)`` has done so.
  protocol Implementation: ObservedStore {
    var model: any StateModel { get }

    func dispatch(_ action: Value, in scope: CallScope) throws
    func dispatch(text: UnsafeRawBufferPointer, in scope: CallScope) throws
    func dispatch(batch actions: JSONArray, in scope: CallScope) throws
    /// - Returns: `false` if the text must be parsed first. Then nothing was dispatched.
    func dispatch(batch text: UnsafeRawBufferPointer, in scope: CallScope) throws -> Bool
    /// Dispatches actions one after the other, and returns their outcomes.
    func dispatch(each actions: [Value], in scope: CallScope) -> [Result<Void, any Error>]
    /// The current state, and the one that actions would make of it.
    func preview(
      _ actions: JSONArray, in scope: CallScope
    ) throws -> (old: any Snapshot, new: any Snapshot)
    func perform(_ operation: HistoryOperation, in scope: CallScope) throws -> Int

    /// The current state without the optimistic updates in flight.
    func state() throws -> Value
    func stateObject(orMake make: (Value) -> AnyObject) throws -> AnyObject
    func confirmedState(in scope: CallScope) throws -> any Snapshot
    /// The number of optimistic updates in flight; `nil` if it has none.
    var optimisticCount: Int? { get }
    /// `nil` in a store without a log.
    var log: JSONCommitLog? { get }
    /// `nil` unless it only reads a log.
    var follower: LogFollower? { get }
    /// Writes the log anew, with the present state as its base.
    ///
    /// - Parameters:
    ///   - isShared: Whether several stores may write to the new file; `nil` if that does not
    ///     change.
    ///   - redacts: Whether an entry must be forgotten; `nil` for none.
    func rewriteLog(
      _ keep: LogKeep, isShared: Bool?, redacts: ((LogLine) throws -> Bool)?
    ) throws -> Int?
    /// Repeats the log from its base, and compares.
    func replayLog(_ progress: LogProgress) throws -> Value
    func exportLog() throws -> DevToolsExport
    /// Adds the changes of the value at a pointer by the commits before a number, newest first.
    func blameLog(
      _ pointer: JSONPointer, before end: Int, count: Int, after entries: JSONArray
    ) throws -> JSONArray

    func makeStream(_ options: StreamOptions) -> CommitStream
    /// Ends the streams that ``makeStream(_:)`` made.
    func finishStreams()
  }

  let implementation: any Implementation
  /// `nil` for a reducer of the program.
  let domainName: String?
  let commits: CommitSequence

  let observations: ObservationRegistry
  let expressions = ExpressionCache()
  let graph: SelectorGraph
  let outputs: OutputCache
  let tracer: Tracer
  let fetcher: Fetcher
  let effectFunctions: EffectFunctions
  let effectFailures: EffectFailures
  /// `nil` in a store of a domain.
  let rules: RuleRunner?
  let domainEffects: EffectRunner?
  let laterDispatches: LaterDispatches
  /// Serves clients that look into the store; `nil` for none.
  let inspector = Mutex<Inspector?>(nil)

  let isClosed = Atomic(false)
  /// Whether it follows a log that another store writes.
  let isReadOnly: Bool

  /// The default budget of an evaluation, in units of work.
  private let budget: Int?

  /// `nil` unless the functions of the program are checked.
  let strict: StrictMode?

  /// Gives a store a JSON interface.
  private init<Model>(
    _ store: TypedStore<Model>, budget: Int?, _ effectFunctions: EffectFunctions,
    _ effectFailures: EffectFailures, _ fetcher: Fetcher, _ tracer: Tracer,
    domain: String? = nil, rules: RuleRunner? = nil, domainEffects: EffectRunner? = nil,
    schema: StoreSchema? = nil, strict: StrictMode? = nil
  ) {
    self.strict = strict
    self.implementation = store
    self.domainName = domain
    self.isReadOnly = store.log?.isReadOnly == true
    self.commits = store.commits
    self.graph = SelectorGraph(
      store.selectors.merging(store.ownSelectors) { domain, _ in domain }, self.expressions, schema)
    self.observations = ObservationRegistry(of: store, self.graph, tracer)
    self.outputs = OutputCache(tracer)
    self.tracer = tracer
    self.fetcher = fetcher
    self.effectFunctions = effectFunctions
    self.effectFailures = effectFailures
    self.rules = rules
    self.domainEffects = domainEffects
    self.budget = budget
    self.laterDispatches = LaterDispatches { actions in
      let scope = CallScope.current
      let outcomes = store.dispatch(each: actions, in: scope)
      return zip(actions, outcomes).map { action, outcome in
        guard case .failure(let error) = outcome else { return nil }
        return tracer.rejecting(action, EngineError(error), in: scope)
      }
    }
    store.follower?.onMarks { [weak self] in self?.updateHistorySelector() }
    store.log?.onProblem { [weak self] in self?.updateSelector(DomainSelector.logName) }
    store.follower?.onFailure { [weak self] error in
      self?.updateSelector(DomainSelector.logName)
      _ = self?.effectFailures.handler.call(error)
    }
  }

  deinit {
    self.end()
    self.effectFailures.close()
    self.implementation.log?.storage.close()
  }
}

extension AnyStore.Implementation {
  /// The selectors of the history and the log.
  fileprivate var ownSelectors: [StringKey: DomainSelector] {
    var selectors: [StringKey: DomainSelector] = [:]
    if self.commits.hasHistory {
      selectors[StringKey(DomainSelector.historyName)] = DomainSelector(history: self.encoding)
    }
    if let log = self.log {
      selectors[StringKey(DomainSelector.logName)] = DomainSelector(log: log, self.follower)
    }
    return selectors
  }
}

// MARK: Opening

extension AnyStore {
  /// Opens a store of a domain.
  ///
  /// - Parameters:
  ///   - domain: The type of the domain.
  ///   - options: An object. Every domain has the options `state`, the initial state, and `budget`,
  ///     the maximum work of evaluating an expression. A domain with optimistic updates also has
  ///     `optimistic`.
  public convenience init<D: Domain>(
    _ domain: D.Type, options: Value? = nil
  ) throws(EngineError) {
    try self.init(domain, options: options, keepsOptions: false)
  }

  /// - Parameter keepsOptions: Whether a log keeps the options that it has.
  convenience init<D: Domain>(
    _ domain: D.Type, options: Value?, keepsOptions: Bool
  ) throws(EngineError) {
    typealias Model = DomainModel<D, DomainAction<D.Action>>
    try Self.requireSystem()
    try D.check()
    var options = options ?? [:]
    if let refusal = D.logRefusal, options["log"] != nil {
      throw EngineError(.invalidArgument, "options/log: the domain \(quoted(D.name)) \(refusal)")
    }
    try Schema.object(D.allOptions).check(options, "options")
    if !keepsOptions { try D.prepareLog(&options) }
    let budget = try options.budgetOption
    let state = try Model.initialState(options)
    let functions = EffectFunctions(listed: D.programEffects.map(\.name))
    let tracer = try Tracer(D.name, options["trace"])
    let strict = try StrictMode.read(options["strict"])
    let (failures, fetcher) = (EffectFailures(tracer), Fetcher(tracer))
    let isReadOnly = try LogOptions(options["log"])?.isReadOnly == true
    let effects = isReadOnly || keepsOptions ? nil : try Model.makeEffects(options, fetcher)
    let store = try TypedStore(
      Model(), state, options, tracer, domain: D.name, keepsOptions: keepsOptions, strict: strict)
    self.init(
      store, budget: budget, functions, failures, fetcher, tracer,
      domain: D.name,
      domainEffects: effects.map { EffectRunner($0, of: store.store, functions, failures) },
      strict: strict)
    if !keepsOptions { try self.beginInspection(options["inspect"]) }
  }

  /// Gives a typed store of a domain a JSON interface, for example for code in C. Both share one
  /// state: the observers, streams and selectors of each see the actions that the other dispatches.
  ///
  /// ```swift
  /// let store = Store(initialState: CounterState(), reducer: CounterReducer.reduce)
  /// let json = try AnyStore(over: store, as: CounterDomain.self)
  /// try store.dispatch(action: .didTapIncrementButton)
  /// try json.select("selectValue")  // 1
  /// try json.dispatch(["type": "didTapIncrementButton"])
  /// store.state.value  // 2
  /// ```
  ///
  /// It retains the typed store, runs the reducer of that store, and starts no effects of the
  /// domain; an ``EffectListener`` does. ``close()`` ends its own observations and streams, not
  /// those of the typed store.
  ///
  /// A stream yields each action as it is encoded, so without a `meta`. The capacity of a stream
  /// that is limited to types of actions counts actions of all types.
  ///
  /// - Parameters:
  ///   - store: A store with states and actions of the domain.
  ///   - domain: The type of the domain.
  ///   - budget: The maximum work of evaluating an expression, in units of work; `nil` for the
  ///     default.
  public convenience init<D: Domain>(
    over store: Store<D.State, D.Action>, as domain: D.Type, budget: Int? = nil
  ) throws(EngineError) {
    try Self.requireSystem()
    try D.check()
    let tracer = try Tracer(D.name, nil)
    self.init(
      TypedStore(DomainModel<D, TypedAction<D.Action>>(), over: store, tracer), budget: budget,
      EffectFunctions(listed: []), EffectFailures(tracer), Fetcher(tracer), tracer, domain: D.name)
    try self.beginInspection(nil)
  }

  /// Creates a store of a JSON value, with a reducer of values.
  ///
  /// - Parameters:
  ///   - state: The initial state.
  ///   - options: An object. If `optimistic` is true, the `meta` of an action can begin or end a
  ///     change in flight. `budget` is the maximum work of evaluating an expression. `schema` says
  ///     what actions, the state, arguments of selectors and effects look like.
  ///   - reducerOptions: Further options that `options` may have, for the caller's reducer.
  ///   - reducer: Gets the state and the whole action. Pure: it must not use its store.
  public convenience init(
    state: Value, options: Value? = nil, reducerOptions: [Schema.Property] = [],
    reducer: @escaping @Sendable (Value, Value) throws -> Value
  ) throws(EngineError) {
    try self.init(
      state: state, options: options, reducerOptions: reducerOptions, keepsOptions: false,
      reducer: reducer)
  }

  package convenience init(
    state: Value, options: Value?, reducerOptions: [Schema.Property] = [],
    keepsOptions: Bool = false, logSystem: LogSystem = LogSystem(),
    reducer: @escaping @Sendable (Value, Value) throws -> Value
  ) throws(EngineError) {
    try self.init(
      state: state, options: options, reducerOptions: reducerOptions, keepsOptions: keepsOptions,
      logSystem: logSystem,
      valueReducer: { state, action in
        state = try reducer(state, action.value)
        return nil
      })
  }

  /// - Parameter keepsOptions: Whether a log keeps the options that it has.
  package convenience init(
    state: Value, options: Value?, reducerOptions: [Schema.Property] = [],
    keepsOptions: Bool = false, logSystem: LogSystem = LogSystem(),
    valueReducer reducer: @escaping ValueReducer
  ) throws(EngineError) {
    try Self.requireSystem()
    let options = options ?? [:]
    try Schema.object(
      [.optimistic, .history, .log, .budget, .depth, .schema, .clock, .strict, .trace, .inspect]
        + reducerOptions
    ).check(options, "options")
    let schema = try options["schema"].map(StoreSchema.init)
    try schema?.check(initial: state)
    let budget = try options.budgetOption
    let isOptimistic = options["optimistic"]?.bool == true
    let tracer = try Tracer("store", options["trace"])
    let strict = try StrictMode.read(options["strict"])
    let store = try TypedStore(
      ValueModel(reducer: reducer, isOptimistic: isOptimistic, schema: schema), state, options,
      tracer,
      keepsOptions: keepsOptions, logSystem: logSystem, strict: strict)
    let (functions, failures) = (EffectFunctions(), EffectFailures(tracer))
    self.init(
      store, budget: budget, functions, failures, Fetcher(tracer), tracer,
      rules: RuleRunner(of: store.store, schema, functions, failures), schema: schema,
      strict: strict)
    if !keepsOptions { try self.beginInspection(options["inspect"]) }
  }

  /// Throws if the system did not provide what every store needs.
  private static func requireSystem() throws(EngineError) {
    guard ForkHandlers.areRegistered, Value.isForkSafe else { throw .noForkHandlers }
  }
}

// MARK: Closing

extension AnyStore {
  /// Ends all observations, streams and effects.
  ///
  /// When this returns, no observer, rule or function of an effect runs or will run. Effects of the
  /// program that are in flight have ended. Inside a callback, this does not wait for calls in
  /// progress. Threads that wait in a stream continue. Effects that have not begun are dropped, and
  /// actions of ``dispatchAsync(_:)``, with `closed`; to wait for them, call
  /// ``settle(milliseconds:)`` first. The state can still be read.
  ///
  /// In a reducer of this store this is an error: the dispatch fails, and the store stays open.
  ///
  /// - Returns: The error if actions could not be written to the log, and no call has thrown it
  ///   yet.
  @discardableResult
  public func close() -> EngineError? {
    guard self.commits.forbid(.use, in: .current) == nil else { return nil }
    self.isClosed.store(true, ordering: .releasing)
    self.end()
    let failure = self.implementation.log?.close()
    // A running effect does not block this for long: its requests were cancelled.
    self.effects?.join()
    self.effectFailures.close()
    self.laterDispatches.join()
    return failure
  }

  /// Closes the store, and writes to standard error what ``close()`` returns.
  package func closeReporting() {
    if let failure = self.close() { TraceOutput.warn(failure.message) }
  }

  private func end() {
    self.implementation.log?.storage.stopWaiting()
    self.implementation.follower?.close()
    self.observations.close()
    self.graph.close()
    self.implementation.finishStreams()
    self.rules?.end()
    self.domainEffects?.end()
    self.laterDispatches.close()
    self.fetcher.close()
    self.effectFunctions.close()
    self.tracer.close()
    self.inspector.withLock { $0.take() }?.close(self.tracer.number)
  }

  /// The effects of the domain or of the rule, if there are any.
  var effects: EffectRunner? {
    self.domainEffects ?? self.rules?.runner
  }
}

// MARK: Dispatching

extension AnyStore {
  /// Dispatches an action: `{"type": "…", "payload": {…}, "meta": {…}}` (a Flux Standard Action).
  ///
  /// Outside callbacks, returns after the observers have been called. Inside a callback, if another
  /// thread is calling observers of this store, that thread calls them for this action too.
  public func dispatch(_ action: Value) throws(EngineError) {
    try self.dispatch(action, in: self.enter(.dispatch))
  }

  /// Dispatches an array of actions atomically: all of them, with no other action in between, or
  /// none.
  ///
  /// The message of an error names the action that failed, except if a reducer used its store.
  public func dispatch(batch actions: Value) throws(EngineError) {
    try self.dispatch(batch: actions, in: self.enter(.dispatch))
  }

  package func dispatch(_ action: Value, in scope: CallScope) throws(EngineError) {
    do {
      try self.implementation.dispatch(action, in: scope)
    } catch {
      throw self.tracer.rejecting(action, EngineError(error), in: scope)
    }
  }

  /// Dispatches an action given as JSON text.
  package func dispatch(
    text: UnsafeRawBufferPointer, in scope: CallScope
  ) throws(EngineError) {
    do {
      try self.implementation.dispatch(text: text, in: scope)
    } catch {
      let error = EngineError(error)
      // What is not JSON is no action.
      guard self.tracer.shows(.rejections), let action = try? Value(reading: text, .action) else {
        throw error
      }
      throw self.tracer.rejecting(action, error, in: scope)
    }
  }

  package func dispatch(batch: Value, in scope: CallScope) throws(EngineError) {
    try self.dispatch(batch, in: scope) { try self.implementation.dispatch(batch: $0, in: scope) }
  }

  /// Dispatches a batch given as the JSON text of an array.
  package func dispatch(
    batchText text: UnsafeRawBufferPointer, in scope: CallScope
  ) throws(EngineError) {
    let result = Result { try self.implementation.dispatch(batch: text, in: scope) }
    if case .success(true) = result { return }
    // For the message of an error, too.
    let batch = try Value(reading: text, .batch)
    guard case .failure(let error) = result else {
      return try self.dispatch(batch: batch, in: scope)
    }
    try self.dispatch(batch, in: scope) { _ in throw error }
  }

  private func dispatch(
    _ batch: Value, in scope: CallScope, _ body: (JSONArray) throws -> Void
  ) throws(EngineError) {
    let actions = try batch.batchedActions
    do throws(EngineError) {
      try Self.namingFailures(in: actions, else: "; the batch was not applied") {
        try body(actions)
      }
    } catch {
      throw self.tracer.rejecting(batch, error, in: scope)
    }
  }

  /// Calls `body`, which reduces actions. The message of an error names the action that failed.
  ///
  /// - Parameter consequence: The end of the message.
  static func namingFailures<Result>(
    in actions: JSONArray, else consequence: String = "", _ body: () throws -> Result
  ) throws(EngineError) -> Result {
    do {
      return try body()
    } catch let error as BatchError {
      var inner = EngineError(error.underlying)
      inner.message =
        "action \(error.index + 1) of \(actions.count): \(inner.message)\(consequence)"
      throw inner
    } catch {
      throw EngineError(error)
    }
  }

  /// Limits how long a dispatch waits for space in streams with the policy `block`; then it throws
  /// ``EngineError`` (`timeout`), and the state does not change. Outcomes of effects always wait.
  ///
  /// - Parameter milliseconds: Negative for no limit, which is the default.
  public func setDispatchTimeout(milliseconds: Int32) throws(EngineError) {
    try self.enter(.use)
    self.commits.spaceTimeout = milliseconds
  }

  /// Returns the current state. O(1) for a store of a JSON value; otherwise the state is encoded.
  public func state() throws(EngineError) -> Value {
    try self.enter(.select, evenIfClosed: true)
    return try EngineError.catching { try self.implementation.state() }
  }

  /// Returns an object that `make` makes of the current state, or has made of it before.
  package func stateObject(orMake make: (Value) -> AnyObject) throws(EngineError) -> AnyObject {
    try self.enter(.select, evenIfClosed: true)
    return try EngineError.catching { try self.implementation.stateObject(orMake: make) }
  }

  /// Returns the current state without the optimistic updates in flight, as if all of them had
  /// failed now: the state to save. Waits for a running reducer, and calls the reducer for the
  /// other actions since the oldest update in flight, at most 1,023.
  ///
  /// - Throws: ``EngineError``: `reentrant` inside a reducer, rule, comparison or filter;
  ///   `reducerFailed` if the reducer was interrupted.
  public func confirmedState() throws(EngineError) -> Value {
    let scope = try self.enter(.confirmedState, evenIfClosed: true)
    return try EngineError.catching {
      try self.implementation.confirmedState(in: scope).value()
    }
  }

  /// The budget of an evaluation.
  func workBudget(_ units: Int?) -> WorkBudget {
    WorkBudget(units ?? self.budget)
  }

  /// Begins a call. Each function checks here, once, whether it may run.
  ///
  /// - Throws: ``EngineError``: `reentrant` if the calling thread is inside a function that must
  ///   not perform the operation; that function then fails. `closed` if the store was closed.
  @discardableResult
  package func enter(
    _ operation: ReentrancyError.Operation, evenIfClosed: Bool = false
  ) throws(EngineError) -> CallScope {
    let scope = CallScope.current
    if scope.isRestricted, let error = self.commits.forbid(operation, in: scope) {
      throw EngineError(error)
    }
    guard evenIfClosed || !self.isClosed.load(ordering: .acquiring) else { throw .closed }
    guard operation != .dispatch || !self.isReadOnly else { throw .readOnly }
    return scope
  }
}

extension Value {
  /// The actions of a batch.
  var batchedActions: JSONArray {
    get throws(EngineError) {
      guard case .array(let actions) = self else {
        throw EngineError(
          .invalidAction, "a batch is an array of actions, not \(self.kindWithArticle)")
      }
      return actions
    }
  }
}
