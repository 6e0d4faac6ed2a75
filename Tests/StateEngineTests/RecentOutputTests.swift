import ImmutableJSON
import Testing

@testable import StateEngine

/// The outputs that are found by what the caller wrote.
@Suite struct RecentOutputTests {
  private let store: AnyStore

  init() throws {
    self.store = try AnyStore(state: ["a": 1, "b": 2]) { _, action in action["payload"] ?? .null }
    try self.store.define("first", "a")
    try self.store.define("member", "get(@, $key)")
  }

  private func recent(
    _ text: String, isExpression: Bool = false, isWriting: Bool = false
  ) -> Value? {
    Array(text.utf8).withUnsafeBytes { text in
      self.store.recentOutput(
        of: SelectorText(text: text, isExpression: isExpression, isWriting: isWriting))
    }?.value
  }

  @Test func aSelectedOutputIsFound() throws {
    #expect(self.recent("first") == nil)
    _ = try self.store.select("first")
    #expect(self.recent("first") == 1)
    #expect(self.recent("firs") == nil)
    #expect(self.recent("first", isExpression: true) == nil)
    _ = try self.store.query("a")
    #expect(self.recent("a", isExpression: true) == 1)
    #expect(self.recent("a") == nil)
    #expect(try self.store.statistics()["selects"] == 4)
  }

  @Test func aTextIsFoundOnlyIfItsSizeWasCounted() throws {
    _ = try self.store.select("first")
    #expect(self.recent("first", isWriting: true) == nil)
    _ = try self.store.select("first", argumentsJSON: nil)
    #expect(self.recent("first", isWriting: true) == 1)
    #expect(self.recent("first") == 1)
  }

  @Test func anOutputWithArgumentsIsNotFound() throws {
    _ = try self.store.select("member", ["key": "a"])
    #expect(self.recent("member") == nil)
  }

  @Test func anOutputOfAnotherVersionIsNotFound() throws {
    _ = try self.store.select("first")
    try self.store.dispatch(["type": "set", "payload": ["a": 5]])
    #expect(self.recent("first") == nil)
    #expect(try self.store.select("first") == 5)
    #expect(self.recent("first") == 5)
  }

  @Test func theLastEightAreFound() throws {
    for number in 0..<12 {
      _ = try self.store.query("a == `\(number)`")
    }
    for number in 0..<12 {
      let output = self.recent("a == `\(number)`", isExpression: true)
      #expect(output == (number < 4 ? nil : .bool(number == 1)))
    }
  }

  @Test func anEvictedOutputIsNotFound() throws {
    _ = try self.store.select("first")
    // The 257th output evicts all others.
    for number in 0..<256 {
      _ = try self.store.select("member", ["key": .string("k\(number)")])
    }
    #expect(self.recent("first") == nil)
  }
}
