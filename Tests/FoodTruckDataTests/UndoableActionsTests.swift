import FoodTruckData
import ImmutableJSON
import StateEngine
import TestSupport
import Testing

/// A store with history: the truth is in a model.
@Suite struct UndoableActionsTests {
  @Test func noActionCanBeUndone() throws {
    let store = try AnyStore(FoodTruckDomain.self, options: ["history": true])
    for action in [
      receivedDonuts(donut(1)), received(order("a")), tapStatus("a"),
      received(order("a", "preparing")),
    ] {
      try store.dispatch(action)
    }
    // A tap leaves the state as it is, so it is no step.
    let history = try store.history()
    #expect(history["undo"] == 3)
    #expect(
      history.stepTypes == [
        "data/modelListener/didReceiveDonuts", "data/modelListener/didReceiveOrders",
        "data/modelListener/didReceiveOrders",
      ])
    let reason =
      "the orders and the menu belong to a model, which an old state does not change; change the "
      + "model back, and let it publish them"
    #expect(
      throws: EngineError(.invalidArgument, "step 4 cannot be undone or redone: \(reason)")
    ) {
      try store.undo()
    }
    let statuses = try store.select("selectOrdersStatuses", ["orderIDs": ["a"]])
    #expect(statuses == ["a": "preparing"])
  }
}
