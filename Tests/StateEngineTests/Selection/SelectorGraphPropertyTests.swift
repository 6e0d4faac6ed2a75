import ImmutableJSON
import JMESPath
import StateEngine
import TestSupport
import Testing

/// Compares random graphs of selectors with a model that evaluates everything after each action.
@Suite struct SelectorGraphPropertyTests {
  @Test(arguments: seeds(20))
  func outputsMatchTheModel(_ seed: Int) throws {
    var random = SeededGenerator(seed)
    var model = Model()
    let store = try makeMergeStore(model.state)
    let calls = Recorder<Model.Call>()
    var observers: [String: DeliveryRecorder] = [:]
    for _ in 0..<80 {
      let before = model
      if model.selectors.isEmpty || random.isOne(in: 4) {
        let (name, text) = model.define(&random)
        let refused = failure { () throws(EngineError) in
          try text.define(name, in: store, calls)
        }
        #expect((refused != nil) == model.hasCycle, "\(refused?.message ?? "")")
        if refused != nil { model = before }
        if refused == nil, observers[name] == nil, random.isOne(in: 2) {
          let deliveries = DeliveryRecorder()
          // An observation cannot begin with a failure.
          if (try? store.observe(name) { deliveries.append($0) }) != nil {
            observers[name] = deliveries
          }
        }
      } else {
        let patch = Model.randomPatch(&random)
        model.state = try model.state.merging(patch: patch)
        try store.merge(patch)
      }
      for (name, deliveries) in observers {
        #expect(deliveries.contents.last == model.content(name), "\(name) after \(model)")
        let contents = deliveries.contents
        #expect(zip(contents, contents.dropFirst()).allSatisfy { $0 != $1 })
      }
      for name in model.selectors.keys where random.isOne(in: 3) {
        let output = Result { try store.select(name) }
        switch model.content(name) {
        case .value(let value): #expect(try output.get() == value, "\(name) of \(model)")
        default: #expect(throws: EngineError.self) { try output.get() }
        }
      }
      try Model.requireChangedInputs(calls.all)
    }
    #expect(!calls.all.isEmpty)
  }
}

/// Named selectors and a state. Every output is computed anew.
private struct Model: CustomStringConvertible {
  /// A call of a function with a number of its own.
  struct Call: Hashable {
    let function: Int
    let inputs: [Value]
    let isEach: Bool
    let failed: Bool
  }

  indirect enum Selector {
    case expression(String)
    case function(Function)
  }

  struct Function {
    /// The inputs as they were given, and whether each is a name.
    let inputs: [(text: String, isName: Bool)]
    let isEach: Bool
    let kind: Int
    let number: Int
  }

  var state: Value = ["a": 1, "b": 2, "list": [1, 2, 3], "map": ["x": 1, "y": 2]]
  var selectors: [String: Selector] = [:]
  private var lastNumber = 0

  static let expressions = [
    "a", "b", "list", "map", "length(list)", "list[0]", "map.x", "[a, b]", "@", "list[?@ > `1`]",
    "map.*",
  ]
  private static let collections = ["list", "map", "c0", "f1", "list[?@ > `1`]"]
  static let names = ["c0", "f1", "f2", "f3", "f4", "a"]

  var description: String { "\(self.state) \(self.selectors)" }
}

extension Model {
  static func randomPatch(_ random: inout SeededGenerator) -> Value {
    func number() -> Value { .integer(Int64.random(in: 0...3, using: &random)) }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return ["a": number()]
    case 1: return ["b": number()]
    case 2:
      let count = Int.random(in: 0...5, using: &random)
      return ["list": .array(JSONArray((0..<count).map { _ in number() }))]
    case 3: return ["map": ["x": number()]]
    case 4:
      return ["map": [random.isOne(in: 2) ? "y" : "z": random.isOne(in: 2) ? .null : number()]]
    default: return ["map": .null]
    }
  }

  /// Defines a random selector, which may have a cycle.
  mutating func define(_ random: inout SeededGenerator) -> (String, Selector) {
    let name = Self.names.randomElement(using: &random) ?? ""
    let selector: Selector
    if random.isOne(in: 4) {
      selector = .expression(Self.expressions.randomElement(using: &random) ?? "")
    } else {
      let isEach = random.isOne(in: 3)
      var texts = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in
        (Self.expressions + Self.names.dropLast()).randomElement(using: &random)
      }
      if isEach { texts.insert(Self.collections.randomElement(using: &random) ?? "", at: 0) }
      self.lastNumber += 1
      selector = .function(
        Function(
          inputs: texts.map { ($0, $0 != name && self.selectors[$0] != nil) }, isEach: isEach,
          kind: Int.random(in: 0..<3, using: &random), number: self.lastNumber))
    }
    self.selectors[name] = selector
    return (name, selector)
  }

  var hasCycle: Bool {
    func reaches(_ name: String, _ path: [String]) -> Bool {
      guard !path.contains(name) else { return true }
      guard case .function(let function)? = self.selectors[name] else { return false }
      return function.inputs.contains { $0.isName && reaches($0.text, path + [name]) }
    }
    return self.selectors.keys.contains { reaches($0, []) }
  }

  /// What an observer of a selector was told last.
  func content(_ name: String) -> Delivery.Content {
    do throws(EngineError) {
      return .value(try self.output(name))
    } catch {
      return .failure(error)
    }
  }

  private func output(_ name: String) throws(EngineError) -> Value {
    switch self.selectors[name] {
    case .expression(let text): return try self.evaluate(text)
    case .function(let function):
      var inputs: [Value] = []
      for input in function.inputs {
        inputs.append(try input.isName ? self.output(input.text) : self.evaluate(input.text))
      }
      guard function.isEach else { return try function.result(inputs, name) }
      let others = inputs.dropFirst()
      switch inputs[0] {
      case .null: return .null
      case .array(let elements):
        var results: [Value] = []
        for element in elements {
          let place = ", for element \(results.count)"
          results.append(try function.result([element] + others, name, place))
        }
        return .array(JSONArray(results))
      case .object(let members):
        var results: [(String, Value)] = []
        for (key, member) in members {
          let place = ", for member \"\(key)\""
          results.append((key, try function.result([member] + others, name, place)))
        }
        return .object(JSONObject(results))
      case let other:
        throw EngineError(
          .invalidSelector,
          "the selector \"\(name)\": \"each\" expects an array or an object, not "
            + other.kindWithArticle)
      }
    case nil: throw EngineError(.unknownSelector, name)
    }
  }

  private func evaluate(_ text: String) throws(EngineError) -> Value {
    do {
      return try Expression(text).evaluate(self.state)
    } catch {
      var failure = EngineError(.invalidSelector, error.description)
      (failure.line, failure.column, failure.offset) = (error.line, error.column, error.offset)
      throw failure
    }
  }

  /// Throws unless each function was called with other inputs than last, unless it failed then.
  static func requireChangedInputs(_ calls: [Call]) throws {
    var last: [Int: Call] = [:]
    for call in calls where !call.isEach {
      if let other = last[call.function], !other.failed {
        try #require(other.inputs != call.inputs, "function \(call.function) was called again")
      }
      last[call.function] = call
    }
  }
}

extension Model.Function {
  func result(
    _ inputs: [Value], _ name: String, _ place: String = ""
  ) throws(EngineError) -> Value {
    guard !self.fails(inputs) else {
      throw EngineError(.invalidSelector, "the selector \"\(name)\"\(place): it failed")
    }
    return self.value(inputs)
  }

  /// Fails for some inputs.
  func fails(_ inputs: [Value]) -> Bool {
    self.kind == 2 && inputs[0] == 3
  }

  /// A result that may be equal for different inputs.
  func value(_ inputs: [Value]) -> Value {
    self.kind == 0 ? .array(JSONArray(inputs)) : .integer(Int64(inputs[0].valueCount % 3))
  }
}

extension Model.Selector {
  fileprivate func define(
    _ name: String, in store: AnyStore, _ calls: Recorder<Model.Call>
  ) throws(EngineError) {
    switch self {
    case .expression(let text): try store.define(name, text)
    case .function(let function):
      var texts = function.inputs.map(\.text)
      let each = function.isEach ? texts.removeFirst() : nil
      try store.define(name, FunctionOptions(inputs: texts, each: each)) { inputs, _ in
        let failed = function.fails(inputs)
        calls.append(
          Model.Call(
            function: function.number, inputs: inputs, isEach: function.isEach, failed: failed))
        if failed { throw EngineError(.invalidSelector, "it failed") }
        return function.value(inputs)
      }
    }
  }
}
