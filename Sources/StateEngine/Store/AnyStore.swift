import ImmutableData
import ImmutableJSON

/// A store of any domain: JSON in, JSON out.
///
/// It may be used from any thread, as the ``ImmutableData/Store`` inside. Every error is an
/// ``EngineError``, after which the state is as before; only the outcome of an optimistic change
/// ends that change even if the reducer refuses it.
public final class AnyStore: Sendable {
  /// What is behind the JSON. Throws anything; `AnyStore` makes it an ``EngineError``.
  protocol Implementation: Sendable {
    /// Whether the calling thread is inside the store's reducer.
    var isReducing: Bool { get }
    /// Throws if it is; the dispatch that led there then fails.
    func refuseReentrancy(_ operation: ReentrancyError.Operation) throws(ReentrancyError)

    func dispatch(_ action: Value) throws
    func dispatch(batch actions: JSONArray) throws
    func snapshot() throws -> any Snapshot
    /// The same as long as the state is. Read before the state, it is not ahead of it.
    var version: Int { get }

    /// The selectors of the domain by name.
    var selectors: [String: DomainSelector] { get }

    func subscribe(_ body: @escaping @Sendable (StateChange) -> Void) -> Subscription
    /// The current state, the number of the last change that led there, and its version.
    func numberedSnapshot() -> (any Snapshot, number: Int, version: Int)
    /// The same as ``ImmutableData/Store/withNotificationsPaused(_:)``.
    func withNotificationsPaused(_ body: @escaping (any Snapshot, _ number: Int) -> Void)
    func makeIndex() -> any ObservationIndex

    func makeReader(_ options: StreamOptions) throws -> any ActionReading

    /// What it does besides reducing, if anything.
    var effects: (any EffectRunning)? { get }
    func finishStreams()
    /// How many actions streams took beyond their capacity.
    var overruns: Int { get }
  }

  let implementation: any Implementation

  /// The selectors of the domain by name.
  let selectors: [String: DomainSelector]

  let observations: Observations
  let expressions = Expressions()
  let outputs = OutputCache()
  let fetcher = Fetcher()

  /// The units of work that evaluating an expression may take, unless it is given others.
  private let budget: Int?

  /// Opens a store of a domain.
  ///
  /// - Parameter options: An object. Every domain takes `state`, the initial state, and `budget`,
  ///     the units of work that evaluating an expression may take; one that has optimistic changes
  ///     takes `optimistic`.
  public init(_ domain: (some Domain).Type, options: Value? = nil) throws(EngineError) {
    self.implementation = try Self.implementation(domain, options, self.fetcher)
    self.budget = try options?.budget
    self.selectors = self.implementation.selectors
    self.observations = Observations(of: self.implementation)
  }

  /// Makes a store of a JSON value, with a reducer of values.
  ///
  /// - Parameters:
  ///   - options: An object. With `optimistic`, the `meta` of an action may say that it begins a
  ///     change in flight, or is the outcome of one; `budget` is the units of work that evaluating
  ///     an expression may take.
  ///   - reducer: Gets the state and the whole action. Pure: it may not use its store.
  public init(
    state: Value, options: Value? = nil,
    reducer: @escaping @Sendable (Value, Value) throws -> Value
  ) throws(EngineError) {
    do {
      try Schema.object([.optimistic, .budget]).check(options ?? [:], "options")
    } catch {
      throw EngineError(.invalidArgument, "\(error)")
    }
    self.budget = try options?.budget
    self.implementation = TypedStore(
      ValueModel(reducer: reducer), state, isOptimistic: options?["optimistic"]?.bool == true)
    self.selectors = self.implementation.selectors
    self.observations = Observations(of: self.implementation)
  }

  private static func implementation<D: Domain>(
    _ domain: D.Type, _ options: Value?, _ fetcher: Fetcher
  ) throws(EngineError) -> any Implementation {
    try DomainModel<D>.open(options: options, fetcher: fetcher)
  }

  deinit {
    self.implementation.effects?.end()
    self.fetcher.close()
  }
}

extension AnyStore {
  /// Sends an action: `{"type": "…", "payload": {…}, "meta": {…}}` (a Flux Standard Action).
  ///
  /// Returns when the new state is in place.
  public func dispatch(_ action: Value) throws(EngineError) {
    try EngineError.catching { try self.implementation.dispatch(action) }
  }

  /// Sends an array of actions as one: all of them happen, with no other in between, or none.
  ///
  /// The message of an error says which action failed.
  public func dispatch(batch actions: Value) throws(EngineError) {
    guard case .array(let actions) = actions else {
      throw EngineError(
        .invalidAction, "a batch is an array of actions, not \(actions.kindWithArticle)")
    }
    do {
      try self.implementation.dispatch(batch: actions)
    } catch let error as BatchError {
      var inner = EngineError(error.underlying)
      inner.message =
        "action \(error.index + 1) of \(actions.count): \(inner.message); "
        + "none of the batch happened"
      throw inner
    } catch {
      throw EngineError(error)
    }
  }

  /// The state, as a snapshot. O(1) for a store of a JSON value; otherwise the state is encoded.
  public func state() throws(EngineError) -> Value {
    try EngineError.catching { try self.implementation.snapshot().value() }
  }
}

extension AnyStore {
  /// The budget of an evaluation.
  func workBudget(_ units: Int?) -> WorkBudget {
    WorkBudget(units ?? self.budget)
  }

  /// Throws if the calling thread is inside a reducer that must not do this; its dispatch then
  /// fails.
  package func refuseReentrancy(_ operation: ReentrancyError.Operation) throws(EngineError) {
    try EngineError.catching { try self.implementation.refuseReentrancy(operation) }
  }
}

extension EngineError {
  /// What a dispatch or select threw. What the engine does not know came from the reducer.
  init(_ error: any Error) {
    switch error {
    case let error as EngineError: self = error
    case let interruption as ReducerInterruption: self = interruption.error
    case let error as ReentrancyError: self.init(.reentrant, error.description)
    case is ForkError: self = .inherited
    case let error as ValueLimitError: self.init(error)
    default: self.init(.reducerFailed, "\(error)")
    }
  }
}
