import ImmutableData
import ImmutableJSON

/// A store of one domain, typed inside and JSON outside.
struct DomainStore<D: Domain>: Sendable {
  private let store: Store<D.State, D.Action>
  private let reader: ActionReader<D.Action>
  private let selectors: [String: SelectorDescription<D.State>]

  init(options: Value?) throws(EngineError) {
    self.store = Store(initialState: try Self.initialState(options), reducer: D.reduce)
    self.reader = ActionReader(D.actions)
    self.selectors = Dictionary(D.selectors.map { ($0.name, $0) }) { first, _ in first }
  }

  private static func initialState(_ options: Value?) throws(EngineError) -> D.State {
    guard let options else { return D.initialState }
    do {
      try Schema.object(D.options).check(options, "options")
      return try options["state"]?.decode() ?? D.initialState
    } catch {
      throw EngineError(.invalidArgument, reason(error))
    }
  }
}

extension DomainStore: AnyStore.Implementation {
  func dispatch(_ action: Value) throws {
    try self.refuseReentrancy(.dispatch)
    try self.store.dispatch(action: self.reader.action(from: action))
  }

  func dispatch(batch actions: JSONArray) throws {
    try self.refuseReentrancy(.dispatch)
    try self.store.dispatch(
      batch: actions.enumerated().map { index, action in
        do {
          return try self.reader.action(from: action)
        } catch {
          throw BatchError(index: index, underlying: error)
        }
      })
  }

  func select(_ name: String, _ arguments: Value) throws -> Value? {
    try self.refuseReentrancy(.select)
    guard let selector = self.selectors[name] else { return nil }
    do {
      try Schema.object(selector.arguments).check(arguments, "arguments")
      return try selector.select(self.store.state, arguments)
    } catch {
      throw EngineError(.invalidArgument, "\(quoted(name)): \(reason(error))")
    }
  }

  var selectorNames: [String] {
    Array(self.selectors.keys)
  }

  func state() throws -> Value {
    try self.refuseReentrancy(.select)
    return try Value(encoding: self.store.state)
  }

  var version: Int {
    self.store.version
  }

  func refuseReentrancy(_ operation: ReentrancyError.Operation) throws(ReentrancyError) {
    try self.store.refuseReentrancy(operation)
  }
}
