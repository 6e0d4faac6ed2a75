import ImmutableData
import ImmutableJSON

/// A store of one domain, typed inside and JSON outside.
struct DomainStore<D: Domain>: Sendable {
  private let store: Store<Timeline<D.State, SentAction<D.Action>>, SentAction<D.Action>>
  private let isOptimistic: Bool
  private let reader: ActionReader<D.Action>
  private let selectors: [String: SelectorDescription<D.State>]
  private let runner: EffectRunner<D>?

  init(options: Value?, fetcher: Fetcher) throws(EngineError) {
    self.isOptimistic = options?["optimistic"]?.bool == true
    let reducer = D.reducer(isOptimistic: self.isOptimistic)
    self.store = Store(initialState: Timeline(try Self.initialState(options)), reducer: reducer)
    self.reader = ActionReader(D.actions)
    self.selectors = Dictionary(D.selectors.map { ($0.name, $0) }) { first, _ in first }
    let effects = try EngineError.catching { try D.makeEffects(options ?? [:], fetcher) }
    self.runner = effects.map { [store, isOptimistic] in
      EffectRunner($0, of: store, isOptimistic: isOptimistic, reducer)
    }
  }

  private static func initialState(_ options: Value?) throws(EngineError) -> D.State {
    guard let options else { return D.initialState }
    do {
      try Schema.object(D.allOptions).check(options, "options")
      return try options["state"]?.decode() ?? D.initialState
    } catch {
      throw EngineError(.invalidArgument, reason(error))
    }
  }
}

/// An action for the reducer, with the JSON that it came as for everyone who is told of it.
struct SentAction<Action: Sendable>: Refusable {
  let action: Action
  let json: Value
  var refusal: Refusal?
}

/// A state of a domain, with the selectors that the domain has for it.
struct DomainSnapshot<State: Encodable & Sendable>: Snapshot {
  let state: State
  let selectors: [String: SelectorDescription<State>]

  func select(_ name: String, _ arguments: Value) throws -> Value? {
    guard let selector = self.selectors[name] else { return nil }
    do {
      try Schema.object(selector.arguments).check(arguments, "arguments")
      return try selector.select(self.state, arguments)
    } catch let error as ValueLimitError {
      throw EngineError(.limit, "\(quoted(name)): \(error)")
    } catch {
      throw EngineError(.invalidArgument, "\(quoted(name)): \(reason(error))")
    }
  }

  func reading(of name: String) -> SnapshotReading {
    guard let parts = self.selectors[name]?.reads?.map({ $0.reading(of: self.state) }) else {
      return .unknown
    }
    return SnapshotReading { snapshot in
      guard let state = (snapshot as? Self)?.state else { return false }
      return parts.allSatisfy { $0(state) }
    }
  }

  func value() throws -> Value {
    try Value(encoding: self.state)
  }
}

extension DomainStore: AnyStore.Implementation {
  var isReducing: Bool {
    self.store.isReducing
  }

  func refuseReentrancy(_ operation: ReentrancyError.Operation) throws(ReentrancyError) {
    try self.store.refuseReentrancy(operation)
  }

  func dispatch(_ action: Value) throws {
    try self.refuseReentrancy(.dispatch)
    try self.sent(action).dispatch(to: self.store, isOptimistic: self.isOptimistic)
  }

  func dispatch(batch actions: JSONArray) throws {
    try self.refuseReentrancy(.dispatch)
    try self.store.dispatch(
      batch: actions.enumerated().map { index, action in
        do {
          return try self.sent(action)
        } catch {
          throw BatchError(index: index, underlying: error)
        }
      })
  }

  private func sent(_ action: Value) throws(EngineError) -> SentAction<D.Action> {
    SentAction(action: try self.reader.action(from: action), json: action)
  }

  func snapshot() throws -> any Snapshot {
    try self.refuseReentrancy(.select)
    return DomainSnapshot(state: self.store.state.shown, selectors: self.selectors)
  }

  var version: Int {
    self.store.version
  }

  var selectorNames: [String] {
    Array(self.selectors.keys)
  }

  func hasSelector(_ name: String) -> Bool {
    self.selectors[name] != nil
  }

  func argumentNames(of selector: String) -> [String]? {
    self.selectors[selector]?.arguments.map(\.name)
  }

  func subscribe(_ body: @escaping @Sendable (StateChange) -> Void) -> Subscription {
    self.store.subscribe { [selectors] transition in
      body(
        StateChange(
          old: DomainSnapshot(state: transition.oldState.shown, selectors: selectors),
          new: DomainSnapshot(state: transition.newState.shown, selectors: selectors),
          actions: transition.actions.map(\.json), number: transition.number))
    }
  }

  func numberedSnapshot() -> (any Snapshot, number: Int) {
    let (state, number) = self.store.numberedState
    return (DomainSnapshot(state: state.shown, selectors: self.selectors), number)
  }

  func withNotificationsPaused(_ body: @escaping (any Snapshot, Int) -> Void) {
    self.store.withNotificationsPaused { [selectors] timeline, number in
      body(DomainSnapshot(state: timeline.shown, selectors: selectors), number)
    }
  }

  func makeIndex() -> any ObservationIndex {
    PartIndex<D.State>(selectors: self.selectors)
  }

  func makeReader(_ options: StreamOptions) throws -> any ActionReading {
    try self.refuseReentrancy(.makeStream)
    let reader = self.store.makeReader(capacity: options.capacity, overflow: options.overflow) {
      options.includes($0.action.json)
    }
    return ConvertingReader(reader: reader) { (try Value(encoding: $0.shown), $1.json) }
  }

  func finishStreams() {
    self.store.finishStreams()
  }

  var overruns: Int {
    self.store.overruns
  }

  var effects: (any EffectRunning)? {
    self.runner
  }
}
