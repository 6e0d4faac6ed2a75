import ImmutableJSON
import StateEngine
import Testing

/// Names and expressions that are equal in Swift, because Unicode calls them canonically
/// equivalent, and have different bytes.
@Suite struct EquivalentNameTests {
  private let composed = "\u{E9}"
  private let decomposed = "e\u{301}"
  private let store: AnyStore

  init() throws {
    let members: [(String, Value)] = [(self.composed, 1), (self.decomposed, 2)]
    self.store = try AnyStore(state: .object(JSONObject(members))) { state, _ in state }
  }

  @Test func expressions() throws {
    for _ in 0..<2 {
      #expect(try self.store.query("\"\(self.composed)\"") == 1)
      #expect(try self.store.query("\"\(self.decomposed)\"") == 2)
      #expect(try self.store.query("length('\(self.composed)')") == 1)
      #expect(try self.store.query("length('\(self.decomposed)')") == 2)
    }
  }

  @Test func selectors() throws {
    try self.store.define(self.composed, "\"\(self.composed)\"")
    try self.store.define(self.decomposed, "\"\(self.decomposed)\"")
    #expect(try self.store.select(self.composed) == 1)
    #expect(try self.store.select(self.decomposed) == 2)
  }

  @Test func effects() throws {
    let functions = EffectFunctions()
    nonisolated(unsafe) var released: [String] = []
    functions.set(self.composed, release: { released.append("composed") }) { _ in }
    functions.set(self.decomposed, release: { released.append("decomposed") }) { _ in }
    #expect(released == [])
    functions.remove(self.decomposed)
    #expect(released == ["decomposed"])
    functions.remove(self.composed)
    #expect(released == ["decomposed", "composed"])
  }
}
