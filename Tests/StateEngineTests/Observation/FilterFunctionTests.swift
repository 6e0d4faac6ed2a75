import ImmutableJSON
import StateEngine
import TestSupport
import Testing

@Suite struct FilterFunctionTests {
  private let store: AnyStore
  private let deliveries = DeliveryRecorder()

  init() throws {
    self.store = try makeMergeStore(["x": 0, "y": 0])
    try self.store.define("x", "x")
  }

  private func observe(
    _ options: Value = [:], _ filter: @escaping @Sendable (Value, Value, Value) -> Bool
  ) throws {
    try self.store.observe("x", [:], ObservationOptions(options), filter: filter) {
      [deliveries] in deliveries.append($0)
    }
  }

  @Test func aRejectedChangeIsDeliveredAfterTheNextActionThatPasses() throws {
    try self.observe { action, old, _ in action["type"] == "keep" && old["y"] == 0 }
    try self.store.merge(["x": 1], type: "skip")
    #expect(self.deliveries.texts == ["0"])
    try self.store.merge(["z": 1], type: "keep")
    #expect(self.deliveries.texts == ["0", "1"])
    try self.store.merge(["x": 2, "y": 1], type: "keep")
    try self.store.merge(["x": 3], type: "keep")
    #expect(self.deliveries.texts == ["0", "1", "2"])
  }

  @Test func itGetsOnlyActionsThatAffectTheOutput() throws {
    let calls = Recorder<String>()
    try self.observe { action, old, new in
      calls.append("\(action["payload"] ?? .null) \(old) \(new)")
      return true
    }
    try self.store.merge(["y": 1])
    try self.store.merge(["x": 1])
    #expect(calls.all == [#"{"x":1} {"x":0,"y":1} {"x":1,"y":1}"#])
  }

  @Test func aBatchPassesIfOneActionDoes() throws {
    let calls = Recorder<String>()
    try self.observe { action, old, new in
      calls.append("\(old["x"] ?? .null) to \(new["x"] ?? .null)")
      return action["type"] == "keep"
    }
    let skip: Value = ["type": "skip", "payload": ["x": 1]]
    try self.store.dispatch(batch: [skip, ["type": "skip", "payload": ["x": 2]]])
    #expect(self.deliveries.texts == ["0"])
    try self.store.dispatch(batch: [skip, ["type": "keep"], skip])
    #expect(self.deliveries.texts == ["0", "1"])
    // Each action is passed with the states before and after it, until one passes.
    #expect(calls.all == ["0 to 1", "1 to 2", "2 to 1", "1 to 1"])
  }

  @Test func ignoredActionsAreNotPassedToIt() throws {
    let types = Recorder<Value>()
    try self.observe(["ignore": ["mouse*"]]) { action, _, _ in
      types.append(action["type"] ?? .null)
      return action["type"] == "keep"
    }
    try self.store.merge(["x": 1], type: "mouseMoved")
    try self.store.dispatch(batch: [
      ["type": "mouseMoved", "payload": ["x": 2]], ["type": "skip"],
    ])
    #expect(types.all == ["skip"])
    #expect(self.deliveries.texts == ["0"])
  }

  @Test func itMustNotDispatch() throws {
    let store = self.store
    let messages = Recorder<String>()
    try self.observe { _, _, _ in
      do throws(EngineError) {
        try store.merge(["x": 9])
      } catch {
        messages.append("\(error.code): \(error.message)")
      }
      return false
    }
    try store.merge(["x": 1])
    #expect(
      messages.all == [
        "reentrant: the filter of an observer dispatched an action; dispatch in the observer "
          + "instead"
      ])
    // The action passes.
    #expect(self.deliveries.texts == ["0", "1"])
  }

  @Test func anOptimisticUpdatePassesEveryFilter() throws {
    let store = try AnyStore(state: ["x": 0], options: ["optimistic": true]) { state, action in
      try state.merging(patch: action["payload"] ?? [:])
    }
    try store.define("x", "x")
    try store.observe("x", filter: { _, _, _ in false }) { [deliveries] in deliveries.append($0) }
    func send(_ payload: Value, _ meta: Value) throws {
      try store.dispatch(["type": "set", "payload": payload, "meta": ["optimistic": meta]])
    }
    try send(["x": 1], ["begin": "k"])
    try store.merge(["x": 2])
    try send([:], ["fail": "k"])
    #expect(self.deliveries.texts == ["0", "1", "2"])
    try store.merge(["x": 3])
    #expect(self.deliveries.texts == ["0", "1", "2"])
  }

  @Test func aStoreOfADomainHasNamedFiltersOnly() throws {
    let store = try AnyStore(ShelfDomain.self)
    let error = failure { () throws(EngineError) in
      try store.observe("selectBooks", ["shelf": "a"], filter: { _, _, _ in true }) { _ in }
    }
    #expect(
      error
        == EngineError(
          .invalidArgument,
          "a filter function needs a store with your own reducer; choose one of the domain with "
            + "the "
            + #"option "filter": "filterAll", "filterShelf""#))
  }
}
