import ImmutableData
import ImmutableJSON

/// A store with typed states and actions and a JSON interface.
final class TypedStore<Model: StateModel>: Sendable {
  typealias StateTimeline = Timeline<Model.State, Model.Action>
  typealias MakeEffects = (Store<StateTimeline, Model.Action>) -> (any EffectRunning)?

  let selectors: [StringKey: DomainSelector]
  let effects: (any EffectRunning)?

  private let model: Model
  private let store: Store<StateTimeline, Model.Action>
  private let isOptimistic: Bool

  /// - Parameters:
  ///   - isOptimistic: Whether changes are shown while they are in flight.
  ///   - makeEffects: Starts the effects of the store, if it has any.
  init(
    _ model: Model, _ initialState: Model.State, isOptimistic: Bool,
    makeEffects: MakeEffects
  ) {
    let reducer = Self.reducer(model, isOptimistic: isOptimistic)
    self.model = model
    self.isOptimistic = isOptimistic
    self.selectors = model.selectors
    self.store = Store(initialState: Timeline(initialState), reducer: reducer)
    self.effects = makeEffects(self.store)
  }

  private static func reducer(_ model: Model, isOptimistic: Bool) -> StateTimeline.Reducer {
    guard isOptimistic else {
      return Timeline.reducer { state, action in try model.reduce(state, action, .reduce) }
    }
    return Timeline.reducer { action, state in
      try model.optimisticUpdate(of: action, in: state)
    } rejection: {
      $0.rejection
    } reduce: { state, action, kind in
      try model.reduce(state, action, kind)
    }
  }
}

// Calls through the protocol are generic, and look up types at run time. The functions that each
// dispatch and select uses are therefore specialized for JSON values.
extension TypedStore: AnyStore.Implementation {
  @specialized(where Model == ValueModel)
  func refuseReentrancy(_ operation: ReentrancyError.Operation) throws(ReentrancyError) {
    try self.store.refuseReentrancy(operation)
  }

  @specialized(where Model == ValueModel)
  func dispatch(_ action: Value) throws {
    try self.model.decode(action).dispatch(to: self.store, isOptimistic: self.isOptimistic)
  }

  func dispatch(batch actions: JSONArray) throws {
    try self.store.dispatch(
      batch: actions.enumerated().map { index, action in
        do {
          return try self.model.decode(action)
        } catch {
          throw BatchError(index: index, underlying: error)
        }
      })
  }

  @specialized(where Model == ValueModel)
  func snapshot() throws -> any Snapshot {
    try self.refuseReentrancy(.select)
    return Self.snapshot(self.store.state)
  }

  private static func snapshot(_ timeline: StateTimeline) -> Model.StateSnapshot {
    Model.snapshot(of: timeline.shown)
  }

  var version: Int {
    self.store.version
  }

  @specialized(where Model == ValueModel)
  func subscribe(
    _ body: @escaping @Sendable (StateChange, _ steps: () -> [StateChange.Step]) -> Void
  ) -> Subscription {
    self.store.subscribe { [model, isOptimistic] transition in
      let change = StateChange(
        old: Self.snapshot(transition.oldState), new: Self.snapshot(transition.newState),
        number: transition.number)
      body(change) { Self.steps(of: transition, isOptimistic ? model : nil) }
    }
  }

  /// - Parameter model: `nil` in a store without optimistic updates.
  private static func steps(
    of transition: Transition<StateTimeline, Model.Action>, _ model: Model?
  ) -> [StateChange.Step] {
    var steps: [StateChange.Step] = []
    transition.forEachAction { action, old, new in
      let update = try? model?.optimisticUpdate(of: action, in: old.shown)
      steps.append(
        .init(
          action: action, oldState: Self.snapshot(old), newState: Self.snapshot(new),
          isOptimisticUpdate: update != nil))
    }
    return steps
  }

  func numberedSnapshot() -> (any Snapshot, number: Int, version: Int) {
    let (state, number, version) = self.store.numberedState
    return (Self.snapshot(state), number, version)
  }

  func withNotificationsPaused(_ body: @escaping (any Snapshot, Int) -> Void) {
    self.store.withNotificationsPaused { body(Self.snapshot($0), $1) }
  }

  func makeIndex() -> any ObservationIndex {
    self.model.makeIndex()
  }

  func filter(_ name: String, _ arguments: Value) throws(EngineError) -> ActionFilter {
    try self.model.filter(name, arguments)
  }

  func requireFilterFunctionSupport() throws(EngineError) {
    try self.model.requireFilterFunctionSupport()
  }

  func makeReader(_ options: StreamOptions) -> any ActionStreamReader {
    let reader = self.store.makeReader(capacity: options.capacity, overflow: options.overflow) {
      options.includes($0.action.json)
    }
    return ModelStreamReader<Model>(reader: reader)
  }

  func finishStreams() {
    self.store.finishStreams()
  }

  var overruns: Int {
    self.store.overruns
  }
}
