import CounterData
import ImmutableJSON
import StateEngine
import Testing

/// The state and the statistics of a closed store can be read. Nothing else works.
@Suite struct ClosedStoreTests {
  private let store: AnyStore

  init() throws {
    self.store = try AnyStore(CounterDomain.self, options: ["state": ["value": 7]])
    try self.store.define("selectDouble", "value")
    self.store.close()
  }

  private static let action: Value = ["type": "didTapIncrementButton"]

  private static let operations: [(String, @Sendable (AnyStore) throws(EngineError) -> Void)] = [
    ("dispatch", { store throws(EngineError) in try store.dispatch(Self.action) }),
    ("batch", { store throws(EngineError) in try store.dispatch(batch: [Self.action]) }),
    ("define", { store throws(EngineError) in try store.define("a", "value") }),
    ("observe", { store throws(EngineError) in try store.observe("selectValue") { _ in } }),
    ("poll", { store throws(EngineError) in _ = try store.poll() }),
    ("descriptor", { store throws(EngineError) in _ = try store.descriptor }),
    ("makeStream", { store throws(EngineError) in _ = try store.makeStream() }),
    ("setFetch", { store throws(EngineError) in try store.setFetch { _ in } }),
    ("removeFetch", { store throws(EngineError) in try store.removeFetch() }),
    ("settle", { store throws(EngineError) in try store.settle() }),
    ("backup", { store throws(EngineError) in try store.backup(to: "/nonexistent") }),
  ]

  @Test(arguments: Self.operations.indices)
  func anOperationThrows(_ index: Int) {
    let (name, operation) = Self.operations[index]
    let error = failure { () throws(EngineError) in try operation(self.store) }
    #expect(error == EngineError(.closed, "the store was closed; open another one"), "\(name)")
  }

  @Test func theStateCanBeRead() throws {
    #expect(try self.store.state() == ["value": 7])
    #expect(try self.store.select("selectValue") == 7)
    #expect(try self.store.select("selectDouble") == 7)
    #expect(try self.store.query("value") == 7)
    #expect(try self.store.statistics()["selects"] == 3)
  }
}
