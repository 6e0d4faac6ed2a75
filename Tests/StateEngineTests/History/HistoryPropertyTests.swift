import ImmutableJSON
import Simulation
import StateEngine
import TestSupport
import Testing

/// Compares the history of a store with a model that keeps all actions of each state and reduces
/// them again, for random actions, batches, jumps, groups, limits and optimistic updates.
@Suite struct HistoryPropertyTests {
  /// Each has 200 operations.
  @Test(arguments: seeds(25))
  func theHistoryMatchesTheModel(_ seed: Int) throws {
    var random = SeededGenerator(seed)
    var model = HistoryModel()
    model.limit = [2, 5, 100].randomElement(using: &random) ?? 5
    model.joinsByMeta = random.isOne(in: 2)
    model.hasPath = random.isOne(in: 4)
    let store = try AnyStore(
      state: HistoryModel.initialState,
      options: ["optimistic": true, "history": model.option]
    ) { state, action in try HistoryModel.reduce(state, action) }
    let (states, statuses) = (DeliveryRecorder(), DeliveryRecorder())
    try store.observe(expression: "@", to: states)
    try store.observe("@@history") { statuses.append($0) }
    let stream = try store.makeStream(StreamOptions(["capacity": 1_048_576]))
    for _ in 0..<200 {
      let operation = HistoryModel.Operation.random(&model, &random)
      let result = try operation.perform(on: store)
      let expected = model.perform(operation)
      #expect(result == expected, "\(operation)")
      // A long one is not read each time.
      var hasSameHistory = true
      if model.steps.count < 10 || random.isOne(in: 10) {
        let history = try store.history(["actions": true]).withoutEntryTimes
        hasSameHistory = history == model.history
        #expect(history == model.history, "\(operation)")
      }
      #expect(try store.state() == model.state, "\(operation)")
      #expect(try store.select("@@history") == model.status)
      #expect(states.texts.last == "\(model.state)")
      #expect(statuses.texts.last == "\(model.status)")
      while case .element(let element) = try stream.next(milliseconds: 0) {
        model.streamed -= 1
        _ = try element.action
      }
      #expect(model.streamed == 0)
      guard hasSameHistory, try store.state() == model.state else { return }
    }
  }
}
