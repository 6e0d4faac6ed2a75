import ImmutableJSON
import StateEngine
import TestSupport
import Testing

/// Selectors that are functions of the program.
@Suite struct FunctionSelectorTests {
  private let store: AnyStore
  private let calls = Recorder<[Value]>()
  private let deliveries = DeliveryRecorder()

  init() throws {
    self.store = try makeMergeStore([
      "items": [1, 2, 3], "rate": 2, "unused": 0, "records": ["a": ["n": 1], "b": ["n": 2]],
    ])
  }

  /// Defines a function that returns an array of its inputs, and its arguments if it has any.
  private func define(
    _ name: String, _ inputs: [String], each: String? = nil, arguments: [String] = [],
    release: @escaping @Sendable () -> Void = {}
  ) throws(EngineError) {
    let options = FunctionOptions(inputs: inputs, each: each, arguments: arguments)
    try self.store.define(name, options, release: release) { [calls] inputs, arguments in
      calls.append(inputs)
      return .array(JSONArray(inputs + (arguments == [:] ? [] : [arguments])))
    }
  }

  private func observe(_ name: String, _ arguments: Value = [:]) throws {
    try self.store.observe(name, arguments) { [deliveries] in deliveries.append($0) }
  }

  @Test func isCalledOnlyWhenAnInputChanged() throws {
    try self.define("f", ["length(items)", "rate"])
    #expect(try self.store.select("f") == [3, 2])
    #expect(try self.store.select("f") == [3, 2])
    try self.store.merge(["unused": 1])
    #expect(try self.store.select("f") == [3, 2])
    // It reads another value, but the input is equal.
    try self.store.merge(["items": [4, 5, 6]])
    #expect(try self.store.select("f") == [3, 2])
    #expect(self.calls.all.count == 1)
    try self.store.merge(["rate": 3])
    #expect(try self.store.select("f") == [3, 3])
    #expect(self.calls.all == [[3, 2], [3, 3]])
  }

  @Test func theStateIsTheInputByDefault() throws {
    try self.store.define("f", FunctionOptions()) { inputs, _ in inputs[0]["rate"] ?? .null }
    #expect(try self.store.select("f") == 2)
  }

  @Test func observersGetChangedOutputs() throws {
    try self.store.define("f", FunctionOptions(inputs: ["rate"])) { [calls] inputs, _ in
      calls.append(inputs)
      return .integer(inputs[0].number / 10)
    }
    try self.observe("f")
    for rate: Value in [3, 15, 16] { try self.store.merge(["rate": rate]) }
    try self.store.merge(["unused": 5])
    #expect(self.deliveries.texts == ["0", "1"])
    // Observers and selects share the last output.
    #expect(try self.store.select("f") == 1)
    #expect(self.calls.all == [[2], [3], [15], [16]])
  }

  @Test func anInputIsASelectorIfOneIsDefined() throws {
    try self.store.define("items", "reverse(items)")
    try self.define("f", ["items", "rate"])
    #expect(try self.store.select("f") == [[3, 2, 1], 2])
    try self.define("rate", ["rate"])
    // It was an expression when the function was defined.
    #expect(try self.store.select("f") == [[3, 2, 1], 2])
    try self.define("g", ["rate", "f"])
    #expect(try self.store.select("g") == [[2], [[3, 2, 1], 2]])
  }

  @Test func argumentsAreThoseOfTheFunctionAndItsInputs() throws {
    try self.store.define("item", "items[?@ == $x] | [0]")
    try self.define("f", ["item", "items[0] == $y"], arguments: ["z"])
    #expect(
      try self.store.select("f", ["x": 2, "y": 1, "z": 7]) == [2, true, ["z": 7]])
    for (arguments, message): (Value, String) in [
      (["x": 2, "z": 7], #"arguments: the argument "y" of "f" is missing"#),
      (
        ["x": 2, "y": 1, "z": 7, "zz": 8],
        #"arguments: "f" has no argument "zz"; did you mean "z"?"#
      ),
      ([], "arguments: expected an object, found an array"),
    ] {
      let error = failure { () throws(EngineError) in _ = try self.store.select("f", arguments) }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message == message)
    }
  }

  @Test func aSharedInputIsEvaluatedOnce() throws {
    try self.define("f0", ["rate"])
    for index in 1...40 { try self.define("f\(index)", ["f\(index - 1)", "f\(index - 1)"]) }
    _ = try self.store.define("size", FunctionOptions(inputs: ["f1"])) { inputs, _ in inputs[0] }
    #expect(try self.store.select("size") == [[2], [2]])
    #expect(self.calls.all.count == 2)
  }

  @Test func eachIsCalledForChangedElements() throws {
    try self.store.define(
      "f", FunctionOptions(inputs: ["rate"], each: "items")
    ) { [calls] inputs, _ in
      calls.append(inputs)
      return .integer(inputs[0].number * inputs[1].number)
    }
    func expect(_ patch: Value, _ output: Value, _ inputs: [[Value]]) throws {
      let count = self.calls.all.count
      try self.store.merge(patch)
      #expect(try self.store.select("f") == output)
      #expect(Array(self.calls.all.dropFirst(count)) == inputs)
    }
    try expect([:], [2, 4, 6], [[1, 2], [2, 2], [3, 2]])
    try expect(["items": [1, 5, 3]], [2, 10, 6], [[5, 2]])
    try expect(["items": [1, 5, 3, 4]], [2, 10, 6, 8], [[4, 2]])
    try expect(["items": [5, 3, 4]], [10, 6, 8], [])
    try expect(["items": [9, 5, 3, 4]], [18, 10, 6, 8], [[9, 2]])
    try expect(["rate": 1], [9, 5, 3, 4], [[9, 1], [5, 1], [3, 1], [4, 1]])
    try expect(["items": .null], .null, [])
    try expect(["items": ["a": 1]], ["a": 1], [[1, 1]])
    try expect(["items": ["a": .null, "b": 2]], ["b": 2], [[2, 1]])
    try self.store.merge(["items": 7])
    let error = failure { () throws(EngineError) in _ = try self.store.select("f") }
    #expect(error?.code == .invalidSelector)
    #expect(
      error?.message
        == #"the selector "f": "each" expects an array or an object, not an integer"#)
  }

  @Test(arguments: [
    ([(true, 0), (false, 100)], 1), ([(false, 0), (true, 99)], 1),
    ([(false, 0), (false, 0), (true, 98)], 1), ([(true, 0), (false, 70)], 1),
    ([(true, 0), (true, 30), (true, 60)], 3), ([(true, 30), (false, 70), (false, 80)], 1),
  ])
  func eachFindsWhatWasInsertedAndRemoved(
    _ changes: [(isInsertion: Bool, index: Int)], _ expected: Int
  ) throws {
    var items = (0..<100).map { Value.integer($0) }
    try self.store.merge(["items": .array(JSONArray(items))])
    try self.define("f", [], each: "items")
    _ = try self.store.select("f")
    for (isInsertion, index) in changes {
      if isInsertion { items.insert(-1, at: index) } else { items.remove(at: index) }
    }
    let count = self.calls.all.count
    try self.store.merge(["items": .array(JSONArray(items))])
    #expect(try self.store.select("f") == .array(JSONArray(items.map { [$0] })))
    #expect(self.calls.all.count == count + expected)
  }

  @Test func eachIsNotCalledForElementsThatMoved() throws {
    var items = (0..<100).map { Value.integer($0) }
    try self.store.merge(["items": .array(JSONArray(items))])
    try self.define("f", [], each: "items")
    _ = try self.store.select("f")
    let count = self.calls.all.count
    items.append(items.remove(at: 3))
    items.insert(items.remove(at: 90), at: 20)
    items.swapAt(40, 70)
    try self.store.merge(["items": .array(JSONArray(items))])
    #expect(try self.store.select("f") == .array(JSONArray(items.map { [$0] })))
    #expect(self.calls.all.count == count)
  }

  @Test func eachIsCalledForChangedMembers() throws {
    try self.define("f", [], each: "records")
    #expect(try self.store.select("f") == ["a": [["n": 1]], "b": [["n": 2]]])
    try self.store.merge(["records": ["b": ["n": 3], "c": ["n": 4]]])
    #expect(
      try self.store.select("f") == ["a": [["n": 1]], "b": [["n": 3]], "c": [["n": 4]]])
    #expect(self.calls.all == [[["n": 1]], [["n": 2]], [["n": 3]], [["n": 4]]])
  }

  @Test(arguments: [
    ("items", #"the selector "f", for element 1: not two"#),
    ("records", #"the selector "f", for member "b": not two"#),
  ])
  func anErrorNamesTheElement(_ each: String, _ message: String) throws {
    try self.store.define("f", FunctionOptions(each: each)) { inputs, _ in
      let number = inputs[0]["n"] ?? inputs[0]
      guard number != 2 else { throw EngineError(.invalidSelector, "not two") }
      return number
    }
    let error = failure { () throws(EngineError) in _ = try self.store.select("f") }
    #expect(error?.message == message)
  }

  @Test func aSelectorInAnExpressionIsAMistake() throws {
    try self.define("total", ["rate"])
    #expect(
      try self.store.mistakes(in: "sum(total)") == [
        #"the state has no member "total""#,
        #""total" is a selector, but an expression reads only the state: define a function that "#
          + "has it as an input",
      ])
  }

  @Test func errorsReachCallersAndObservers() throws {
    struct Broken: Error, CustomStringConvertible {
      let description = "it broke"
    }
    try self.store.define("f", FunctionOptions(inputs: ["rate"])) { inputs, _ in
      if inputs[0] == 0 { throw Broken() }
      return inputs[0]
    }
    try self.define("g", ["f"])
    try self.observe("g")
    try self.store.merge(["rate": 0])
    try self.store.merge(["rate": 1])
    #expect(self.deliveries.texts == ["[2]", "invalidSelector", "[1]"])
    try self.store.merge(["rate": 0])
    let error = failure { () throws(EngineError) in _ = try self.store.select("g") }
    #expect(error?.code == .invalidSelector)
    #expect(error?.message == #"the selector "f": it broke"#)
  }

  @Test(arguments: [
    ("select", "a selector selected from its own store; name what it needs as an input"),
    ("dispatch", "a selector dispatched an action; dispatch in an observer instead"),
    ("define", "a selector used its own store; name what it needs as an input"),
    ("observe", "a selector used its own store; name what it needs as an input"),
  ])
  func mustNotUseItsStore(_ operation: String, _ message: String) throws {
    let store = self.store
    try store.define("f", FunctionOptions(inputs: ["rate"])) { [weak store] _, _ in
      switch operation {
      case "select": _ = try? store?.select("g")
      case "dispatch": try? store?.merge(["rate": 7])
      case "define": try? store?.define("h", "rate")
      default: _ = try? store?.observe("g") { _ in }
      }
      return 1
    }
    try store.define("g", "rate")
    try store.define("failing", FunctionOptions()) { [weak store] _, _ in try store?.state() ?? 0 }
    let error = failure { () throws(EngineError) in _ = try store.select("f") }
    #expect(error?.code == .reentrant)
    #expect(error?.message == #"the selector "f": "# + message)
    let failing = failure { () throws(EngineError) in _ = try store.select("failing") }
    #expect(failing?.code == .reentrant)
    #expect(try store.state()["rate"] == 2)
  }

  @Test func mayUseAnotherStore() throws {
    let other = try makeMergeStore(["rate": 9])
    try self.store.define("f", FunctionOptions()) { _, _ in try other.query("rate") }
    #expect(try self.store.select("f") == 9)
  }

  @Test func redefinitionCallsObservers() throws {
    try self.define("a", ["rate"])
    try self.define("b", ["a"])
    try self.store.define("c", "rate")
    try self.observe("b")
    try self.observe("c")
    try self.define("unrelated", ["rate"])
    #expect(self.deliveries.texts == ["[[2]]", "2"])
    try self.define("a", ["items"])
    #expect(self.deliveries.texts == ["[[2]]", "2", "[[[1,2,3]]]"])
    try self.store.define("c", "items[0]")
    #expect(self.deliveries.texts == ["[[2]]", "2", "[[[1,2,3]]]", "1"])
    try self.store.merge(["items": [7], "rate": 3])
    #expect(self.deliveries.texts.suffix(2) == ["[[[7]]]", "7"])
    #expect(try self.store.select("b") == [[[7]]])
    // The function of "b" is not called if its input is the same.
    let count = self.calls.all.count
    try self.store.define("a", "[items]")
    #expect(try self.store.select("b") == [[[7]]])
    #expect(self.calls.all.count == count)
    #expect(self.deliveries.all.count == 6)
  }

  @Test func redefinitionWithOtherArguments() throws {
    try self.define("a", ["rate"])
    try self.define("b", ["a"])
    try self.observe("b")
    try self.define("a", ["rate"], arguments: ["x"])
    try self.store.merge(["rate": 3])
    try self.define("a", ["rate"])
    #expect(self.deliveries.texts == ["[[2]]", "invalidArgument", "[[3]]"])
  }

  @Test func replacedFunctionsAreReleased() throws {
    let released = Recorder<String>()
    try self.define("f", ["rate"]) { released.append("first") }
    try self.observe("f")
    try self.define("f", ["rate"]) { released.append("second") }
    #expect(released.all == ["first"])
    #expect(
      failure { () throws(EngineError) in
        try self.define("f", ["rate["]) { released.append("invalid") }
      }?.code == .invalidSelector)
    #expect(try self.store.select("f") == [2])
    self.store.close()
    #expect(released.all == ["first", "second"])
    #expect(
      failure { () throws(EngineError) in
        try self.define("g", ["rate"]) { released.append("closed") }
      }?.code == .closed)
    #expect(released.all == ["first", "second"])
  }

  @Test func aCycleIsRefused() throws {
    try self.define("a", ["rate"])
    try self.define("b", ["a"])
    try self.define("c", ["items", "b"])
    let error = failure { () throws(EngineError) in try self.define("a", ["c"]) }
    #expect(error?.code == .invalidArgument)
    #expect(
      error?.message
        == #"the selector would be its own input: "a" needs "c" needs "b" needs "a"; nothing was "#
        + "changed")
    #expect(try self.store.select("c") == [[1, 2, 3], [[2]]])
    // Its own name is an expression.
    try self.define("rate", ["rate"])
    try self.define("rate", ["rate"])
    #expect(try self.store.select("rate") == [2])
  }

  @Test func nestingIsBounded() throws {
    try self.define("f1", ["rate"])
    for index in 2...64 { try self.define("f\(index)", ["f\(index - 1)"]) }
    let deep = failure { () throws(EngineError) in try self.define("f65", ["f64"]) }
    #expect(deep?.code == .limit)
    #expect(
      deep?.message == #"the selector "f65": its inputs nest deeper than 64 functions"#)
    try self.define("g", ["rate"])
    let deeper = failure { () throws(EngineError) in try self.define("f1", ["g"]) }
    #expect(deeper?.code == .limit)
    #expect(try self.store.select("f3") == [[[2]]])
  }

  @Test func manyArgumentsStayBounded() throws {
    try self.define("f", ["rate"], arguments: ["x"])
    for x in 0..<Int64(1000) { try self.observe("f", ["x": .integer(x)]) }
    for x in 1000..<Int64(3000) { _ = try self.store.select("f", ["x": .integer(x)]) }
    let count = self.calls.all.count
    try self.store.merge(["rate": 3])
    // Each observation has an output of its own.
    #expect(self.calls.all.count == count + 1000)
  }

  @Test func description() throws {
    try self.store.define("e", "items[?@ == $x]")
    try self.define("f", ["e", "rate"], each: "records", arguments: ["y"])
    #expect(
      "\(try self.store.description())"
        == #"{"selectors":[{"arguments":{"additionalProperties":false,"properties":{"x":{}},"#
        + #""required":["x"],"type":"object"},"expression":"items[?@ == $x]","incremental":true,"#
        + #""name":"e"},"#
        + #"{"arguments":{"additionalProperties":false,"properties":{"x":{},"y":{}},"#
        + #""required":["x","y"],"type":"object"},"each":"records","inputs":["e","rate"],"#
        + #""name":"f"}]}"#)
  }
}

extension Value {
  fileprivate var number: Int64 {
    if case .integer(let number) = self { number } else { 0 }
  }
}
