import ImmutableJSON
import StateEngine
import TestSupport
import Testing
import Threading

/// The option `strict`: functions of the program that are not pure.
@Suite struct StrictModeTests {
  @Test(arguments: [false, true]) func anImpureReducerFails(_ isOptimistic: Bool) throws {
    let count = Mutex<Int64>(0)
    let store = try AnyStore(
      state: ["items": [["id": 0]]],
      options: ["strict": true, "optimistic": .bool(isOptimistic)]
    ) { state, action in
      guard action["type"] == "added" else { return ["items": [["id": 1]]] }
      let number = count.withLock { count in
        count += 1
        return count
      }
      return ["items": [["id": Value(integerLiteral: number)]]]
    }
    let error = failure { () throws(EngineError) in try store.dispatch(["type": "added"]) }
    #expect(error?.code == .reducerFailed)
    #expect(
      error?.message
        == "the reducer is not pure: for the action \"added\" it returned 1 at \"/items/0/id\" "
        + "and, called again, 2; use only its arguments, no clock, chance or state of its own")
    #expect(try store.state() == ["items": [["id": 0]]])
    try store.dispatch(["type": "other"])
    #expect(try store.state() == ["items": [["id": 1]]])
  }

  @Test func aReducerThatFailsTheSecondTimeIsNotPure() throws {
    let isFirst = Mutex(true)
    let store = try AnyStore(state: 0, options: ["strict": true]) { state, action in
      let wasFirst = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if !wasFirst { throw EngineError(.reducerFailed, "there is one already") }
      return 1
    }
    let error = failure { () throws(EngineError) in try store.dispatch(["type": "added"]) }
    #expect(error?.message.hasSuffix("called again, failed: there is one already") == true)
    #expect(try store.state() == 0)
  }

  @Test func aReducerThatFailsTheFirstTimeOnlyIsNotPure() throws {
    let isFirst = Mutex(true)
    let store = try AnyStore(state: 0, options: ["strict": true]) { state, action in
      let wasFirst = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if wasFirst { throw EngineError(.reducerFailed, "there is none") }
      return 1
    }
    let error = failure { () throws(EngineError) in try store.dispatch(["type": "added"]) }
    #expect(error?.message.hasSuffix("a state when called again: there is none") == true)
    #expect(try store.state() == 0)
  }

  @Test func anImpureSelectorFails() throws {
    let store = try AnyStore(state: 1, options: ["strict": true]) { state, _ in state }
    let count = Mutex<Int64>(0)
    try store.define("impure", FunctionOptions(inputs: ["@"])) { _, _ in
      Value(
        integerLiteral: count.withLock { count in
          count += 1
          return count
        })
    }
    try store.define("pure", FunctionOptions(inputs: ["@"])) { inputs, _ in inputs[0] }
    #expect(try store.select("pure") == 1)
    let error = failure { () throws(EngineError) in _ = try store.select("impure") }
    #expect(error?.code == .invalidSelector)
    #expect(
      error?.message.contains("it returned 1 and, called again, 2; use only its arguments") == true)
  }

  @Test(
    arguments: [
      (1, "options/strict: expected true or an object"),
      (["slow": 0], "options/strict/slow: 0 is not between"), (["fast": 1], "options/strict"),
    ] as [(Value, String)])
  func aWrongOptionIsRefused(_ option: Value, _ message: String) {
    let error = failure { () throws(EngineError) in
      _ = try AnyStore(state: 0, options: ["strict": option]) { state, _ in state }
    }
    #expect(error?.code == .invalidArgument && error?.message.hasPrefix(message) == true)
  }
}
