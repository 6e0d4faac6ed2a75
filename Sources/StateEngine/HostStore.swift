import ImmutableData
import ImmutableJSON

/// A store whose state is a JSON value and whose reducer is the host's.
struct HostStore: Sendable {
  private let store: Store<Value, Value>

  init(state: Value, reducer: @escaping @Sendable (Value, Value) throws -> Value) {
    self.store = Store(initialState: state, reducer: reducer)
  }
}

extension HostStore: AnyStore.Implementation {
  func dispatch(_ action: Value) throws {
    try self.refuseReentrancy(.dispatch)
    _ = try ActionEnvelope(action, example: "added")
    try self.store.dispatch(action: action)
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
    try self.store.dispatch(batch: actions)
  }

  func select(_ name: String, _ arguments: Value) throws -> Value? {
    try self.refuseReentrancy(.select)
    return nil
  }

  var selectorNames: [String] {
    []
  }

  func state() throws -> Value {
    try self.refuseReentrancy(.select)
    return self.store.state
  }

  var version: Int {
    self.store.version
  }

  func refuseReentrancy(_ operation: ReentrancyError.Operation) throws(ReentrancyError) {
    try self.store.refuseReentrancy(operation)
  }
}
