import ImmutableJSON
import Simulation
import StateEngine
import TestSupport
import Testing

/// Compares a store that is closed and opened again, or whose process ends, with the same model as
/// ``HistoryPropertyTests``.
@Suite struct LogPropertyTests {
  @Test(arguments: seeds(20))
  func theLogRestoresTheStateAndTheHistory(_ seed: Int) throws {
    var random = SeededGenerator(seed)
    let folder = try TemporaryFolder()
    var model = HistoryModel()
    model.limit = [2, 5, 100].randomElement(using: &random) ?? 5
    model.joinsByMeta = random.isOne(in: 2)
    model.hasPath = random.isOne(in: 4)
    var path = folder.file("first.log")
    func open() throws -> AnyStore {
      try AnyStore(
        state: HistoryModel.initialState,
        options: [
          "optimistic": true, "log": .string(path),
          "history": model.option,
        ]
      ) { state, action in try HistoryModel.reduce(state, action) }
    }
    var store = try open()
    for step in 0..<200 {
      if random.isOne(in: 15) {
        if random.isOne(in: 2) {
          store.close()
        } else {
          // The process ends here: what was written stays.
          for suffix in ["", ".imd-snapshot"] {
            try folder.copy(path + suffix, to: "\(step).log\(suffix)")
          }
          path = folder.file("\(step).log")
        }
        store = try open()
        model.reopen()
      }
      let operation = HistoryModel.Operation.random(&model, &random)
      let result = try operation.perform(on: store)
      #expect(result == model.perform(operation), "\(operation)")
      #expect(try store.state() == model.state, "\(operation)")
      let status = try store.select("@@history")
      #expect(status == model.status, "\(operation)")
      #expect(
        try store.history(["actions": true]).withoutEntryTimes == model.history, "\(operation)")
      guard try store.state() == model.state else { return }
    }
  }
}
