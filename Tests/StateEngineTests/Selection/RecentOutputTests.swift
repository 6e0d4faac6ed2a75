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
    _ selector: String, isExpression: Bool = false, _ arguments: Value = [:],
    isWriting: Bool = false
  ) -> Value? {
    withUnsafePointer(to: arguments) { self.recent(selector, isExpression, .init($0), isWriting) }
  }

  private func recent(_ selector: String, argumentsJSON: String) -> Value? {
    Array(argumentsJSON.utf8).withUnsafeBytes { self.recent(selector, false, .text($0), true) }
  }

  /// - Parameter replacements: How many selectors were replaced since the cache learned of it.
  private func recent(
    _ selector: String, _ isExpression: Bool, _ arguments: SelectCall.Arguments, _ isWriting: Bool,
    replacements: Int = 0
  ) -> Value? {
    Array(selector.utf8).withUnsafeBytes { selector in
      let call = SelectCall(
        selector, isExpression: isExpression, arguments, isWriting: isWriting)
      let version = self.store.commits.number
      let generation = self.store.graph.generation + replacements
      guard
        case .output(let output)? = self.store.outputs.find(
          call, version: version, generation: generation)
      else { return nil }
      return isWriting ? try? Value(json: "\(output.text)") : output.value
    }
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

  @Test func anOutputIsFoundAsTextOnlyIfItHasOne() throws {
    _ = try self.store.select("first")
    #expect(self.recent("first", isWriting: true) == nil)
    _ = try self.store.select("first", argumentsJSON: nil)
    #expect(self.recent("first", isWriting: true) == 1)
    #expect(self.recent("first") == 1)
  }

  @Test func anOutputIsFoundByItsArguments() throws {
    _ = try self.store.select("member", ["key": "a"])
    #expect(self.recent("member", ["key": "a"]) == 1)
    #expect(self.recent("member", ["key": "b"]) == nil)
    #expect(self.recent("member") == nil)
    #expect(self.recent("member", argumentsJSON: #"{"key":"a"}"#) == nil)
  }

  @Test func anOutputIsFoundByTheTextOfItsArguments() throws {
    let arguments = #"{"key":"b"}"#
    _ = try Array(arguments.utf8).withUnsafeBytes {
      try self.store.select("member", argumentsJSON: $0)
    }
    #expect(self.recent("member", argumentsJSON: arguments) == 2)
    #expect(self.recent("member", argumentsJSON: #"{"key":"a"}"#) == nil)
    #expect(self.recent("member", argumentsJSON: #"{"key": "b"}"#) == nil)
    #expect(self.recent("member") == nil)
  }

  @Test func anOutputOfAnotherVersionIsNotFound() throws {
    _ = try self.store.select("first")
    try self.store.dispatch(["type": "set", "payload": ["a": 5]])
    #expect(self.recent("first") == nil)
    #expect(try self.store.select("first") == 5)
    #expect(self.recent("first") == 5)
  }

  /// Another thread replaces a selector: the cache still has the old outputs for a moment.
  @Test func anOutputOfAReplacedSelectorIsNotFound() throws {
    for isWriting in [false, true] {
      _ = try self.store.select("first", argumentsJSON: nil)
      #expect(self.recent("first", false, .none, isWriting) == 1)
      #expect(self.recent("first", false, .none, isWriting, replacements: 1) == nil)
    }
  }

  @Test func anEvictedOutputIsNotFound() throws {
    _ = try self.store.select("first")
    // The 257th output evicts the oldest.
    for number in 0..<256 {
      _ = try self.store.select("member", ["key": .string("k\(number)")])
    }
    #expect(self.recent("first") == nil)
  }
}
