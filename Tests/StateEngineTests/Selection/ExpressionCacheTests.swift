@testable import ImmutableJSON
import StateEngine
import Testing

/// What cached outputs of expressions retain of old states.
@Suite struct ExpressionCacheTests {
  /// A store in which the payload of an action is the next state.
  private let store: AnyStore

  init() throws {
    self.store = try AnyStore(state: .null) { _, action in action["payload"] ?? .null }
  }

  /// Sets the state. The test retains neither it nor its `records`.
  private func enter(_ count: Int, _ note: String = "") throws -> (state: Weak, records: Weak) {
    let records = JSONObject((0..<count).map { ("k\($0)", .integer(Int64($0))) })
    let state: JSONObject = ["note": .string(note), "records": .object(records)]
    try self.store.dispatch(["type": "enter", "payload": .object(state)])
    return (Weak(state), Weak(records))
  }

  private final class Weak {
    private(set) weak var root: Node?

    init(_ object: JSONObject) {
      self.root = object.root
    }

    var isFreed: Bool {
      self.root == nil
    }
  }

  private func evaluations() throws -> Int64? {
    guard case .integer(let count)? = try self.store.statistics()["evaluations"] else { return nil }
    return count
  }

  @Test func aCachedOutputRetainsOnlyWhatItsExpressionReads() throws {
    let old = try self.enter(100, "same")
    #expect(try self.store.query("note") == "same")
    #expect(try self.store.query("[note, records.k7]") == ["same", 7])
    #expect(!old.state.isFreed && !old.records.isFreed)
    let new = try self.enter(200, "same")
    #expect(old.state.isFreed && old.records.isFreed)
    #expect(!new.state.isFreed)
    // Both are still valid.
    #expect(try self.store.query("note") == "same")
    #expect(try self.store.query("[note, records.k7]") == ["same", 7])
    #expect(try self.evaluations() == 2)
  }

  /// If an argument is a key, each output has its own read set.
  @Test func anArgumentDeterminesTheReadSet() throws {
    let records: JSONObject = ["a": 1, "b": 2]
    func select(_ key: String) throws -> Value {
      try self.store.query("get(records, $key)", ["key": .string(key)])
    }
    try self.store.dispatch(["type": "enter", "payload": ["records": .object(records)]])
    #expect(try (select("a"), select("b")) == (1, 2))
    try self.store.dispatch(["type": "enter", "payload": ["records": ["a": 1, "b": 3]]])
    #expect(try (select("a"), select("b")) == (1, 3))
    #expect(try (select("a"), select("b")) == (1, 3))
    #expect(try self.evaluations() == 3)
  }

  @Test func aCachedOutputRetainsWhatItsExpressionReads() throws {
    let old = try self.enter(100)
    #expect(try self.store.query("length(records)") == 100)
    _ = try self.enter(101)
    #expect(old.state.isFreed && !old.records.isFreed)
    #expect(try self.store.query("length(records)") == 101)
    #expect(old.records.isFreed)
  }

  @Test func anOutputOfANewStateEvictsThoseOfOtherArguments() throws {
    let old = try self.enter(100)
    for least: Value in [1, 2, 3] {
      _ = try self.store.query("length(*.* | [?@ > $least])", ["least": least])
    }
    _ = try self.enter(100)
    #expect(!old.state.isFreed)
    _ = try self.store.query("length(*.* | [?@ > $least])", ["least": 4])
    #expect(old.state.isFreed && old.records.isFreed)
    #expect(try self.evaluations() == 4)
  }

  @Test func anEvaluationThatFailsEvictsTheOldOutput() throws {
    let old = try self.enter(100)
    #expect(try self.store.query("sum(values(records))") == 4950)
    try self.store.dispatch(["type": "enter", "payload": ["records": 1]])
    #expect(!old.records.isFreed)
    #expect(throws: EngineError.self) { try self.store.query("sum(values(records))") }
    #expect(old.records.isFreed)
  }

  @Test func outputsAreBoundedInNumber() throws {
    _ = try self.enter(1)
    func ask(_ numbers: Range<Int64>) throws {
      for number in numbers {
        #expect(
          try self.store.query("[$x, note]", ["x": .integer(number)]) == [.integer(number), ""])
      }
    }
    try ask(0..<256)
    try ask(0..<256)
    #expect(try self.evaluations() == 256)
    // One more evicts the oldest.
    try ask(256..<257)
    try ask(100..<257)
    #expect(try self.evaluations() == 257)
    try ask(0..<1)
    #expect(try self.evaluations() == 258)
  }

  @Test func aTypedStateIsEvaluatedOncePerVersion() throws {
    let store = try AnyStore(NotesDomain.self)
    let save = #"{"type":"ui/editor/didSave","payload":{"text":"a","id":"1"}}"#
    for evaluations: Value in [1, 2] {
      try store.dispatch(save)
      for _ in 0..<3 {
        #expect(try store.query("notes | keys(@)") == ["1"])
      }
      #expect(try store.statistics()["evaluations"] == evaluations)
    }
  }
}
