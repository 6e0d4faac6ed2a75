import ImmutableData
import ImmutableJSON

/// A store whose state is a JSON value and whose reducer is the host's.
struct HostStore: Sendable {
  private let store: Store<Timeline<Value, HostAction>, HostAction>
  private let isOptimistic: Bool

  init(
    state: Value, isOptimistic: Bool,
    reducer: @escaping @Sendable (Value, Value) throws -> Value
  ) {
    self.isOptimistic = isOptimistic
    self.store = Store(
      initialState: Timeline(state),
      reducer: isOptimistic
        ? Self.optimistic(reducer) : Timeline.reducer { try reducer($0, $1.json) })
  }

  /// A reducer for which the `meta` of an action says what it means for the changes in flight.
  private static func optimistic(
    _ reducer: @escaping @Sendable (Value, Value) throws -> Value
  ) -> Timeline<Value, HostAction>.Reducer {
    Timeline.reducer { action, _ in
      try Optimism(metaOf: action.json)
    } refusal: {
      $0.refusal
    } reduce: { state, action, _ in
      try reducer(state, action.json)
    }
  }
}

/// An action as it was sent.
struct HostAction: Refusable {
  let json: Value
  var refusal: Refusal?
}

/// A state that is a JSON value.
struct HostSnapshot: Snapshot {
  let state: Value

  func select(_ name: String, _ arguments: Value) throws -> Value? {
    nil
  }

  func reading(of name: String) -> SnapshotReading {
    .unknown
  }

  func value() throws -> Value {
    self.state
  }
}

extension HostStore: AnyStore.Implementation {
  var isReducing: Bool {
    self.store.isReducing
  }

  func refuseReentrancy(_ operation: ReentrancyError.Operation) throws(ReentrancyError) {
    try self.store.refuseReentrancy(operation)
  }

  func dispatch(_ action: Value) throws {
    try self.refuseReentrancy(.dispatch)
    _ = try ActionEnvelope(action, example: "added")
    let isOutcome = self.isOptimistic && action["meta"]?["optimistic"] != nil
    try HostAction(json: action).dispatch(to: self.store, isOptimistic: isOutcome)
  }

  func dispatch(batch actions: JSONArray) throws {
    try self.refuseReentrancy(.dispatch)
    for (index, action) in actions.enumerated() {
      do {
        _ = try ActionEnvelope(action, example: "added")
      } catch {
        throw BatchError(index: index, underlying: error)
      }
    }
    try self.store.dispatch(batch: actions.lazy.map { HostAction(json: $0) })
  }

  func snapshot() throws -> any Snapshot {
    try self.refuseReentrancy(.select)
    return HostSnapshot(state: self.store.state.shown)
  }

  var version: Int {
    self.store.version
  }

  var selectorNames: [String] {
    []
  }

  func hasSelector(_ name: String) -> Bool {
    false
  }

  func argumentNames(of selector: String) -> [String]? {
    nil
  }

  func subscribe(_ body: @escaping @Sendable (StateChange) -> Void) -> Subscription {
    self.store.subscribe { transition in
      body(
        StateChange(
          old: HostSnapshot(state: transition.oldState.shown),
          new: HostSnapshot(state: transition.newState.shown),
          actions: transition.actions.map(\.json), number: transition.number))
    }
  }

  func numberedSnapshot() -> (any Snapshot, number: Int) {
    let (state, number) = self.store.numberedState
    return (HostSnapshot(state: state.shown), number)
  }

  func withNotificationsPaused(_ body: @escaping (any Snapshot, Int) -> Void) {
    self.store.withNotificationsPaused { body(HostSnapshot(state: $0.shown), $1) }
  }

  func makeIndex() -> any ObservationIndex {
    PathIndex()
  }

  func makeReader(_ options: StreamOptions) throws -> any ActionReading {
    try self.refuseReentrancy(.makeStream)
    let reader = self.store.makeReader(capacity: options.capacity, overflow: options.overflow) {
      options.includes($0.action.json)
    }
    return ConvertingReader(reader: reader) { ($0.shown, $1.json) }
  }

  func finishStreams() {
    self.store.finishStreams()
  }

  var overruns: Int {
    self.store.overruns
  }

  var effects: (any EffectRunning)? {
    nil
  }
}
