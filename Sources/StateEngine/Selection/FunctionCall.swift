import ImmutableJSON

/// A function selector with its arguments, and its inputs with theirs.
final class FunctionCall: Sendable {
  let selector: FunctionSelector

  /// All arguments, also those that only inputs take.
  let arguments: JSONObject

  /// The selectors of the domain and the expressions at the end of all paths from this one.
  let leaves: [BoundSelector]

  private let inputs: [BoundSelector]
  private let functionArguments: Value
  private let memo: FunctionMemo

  /// - Throws: ``EngineError`` (`invalidArgument`) unless `arguments` is an object with exactly the
  ///   arguments of the function and of its inputs.
  convenience init(
    _ selector: FunctionSelector, _ arguments: Value, _ budget: WorkBudget
  ) throws(EngineError) {
    guard case .object(let members) = arguments else {
      throw EngineError(
        .invalidArgument, "arguments: expected an object, found \(arguments.kindWithArticle)")
    }
    for (name, _) in members where !selector.argumentNames.contains(name) {
      throw EngineError(
        .invalidArgument,
        "arguments: \(quoted(selector.name)) has no argument \(quoted(name))"
          + suggestion(name, selector.argumentNames))
    }
    if let missing = selector.argumentNames.first(where: { members[$0] == nil }) {
      throw EngineError(
        .invalidArgument,
        "arguments: the argument \(quoted(missing)) of \(quoted(selector.name)) is missing")
    }
    var calls: [ObjectIdentifier: FunctionCall] = [:]
    try self.init(selector, members, budget, &calls)
  }

  /// - Parameter calls: The calls so far. A selector that is an input of several others has one.
  private init(
    _ selector: FunctionSelector, _ arguments: JSONObject, _ budget: WorkBudget,
    _ calls: inout [ObjectIdentifier: FunctionCall]
  ) throws(EngineError) {
    var inputs: [BoundSelector] = []
    for input in selector.inputs {
      let members = Value.object(arguments).members(named: input.argumentNames)
      switch input {
      case .named(_, .function(let selector)):
        let call =
          if let call = calls[ObjectIdentifier(selector)] {
            call
          } else {
            try FunctionCall(selector, members.object, budget, &calls)
          }
        calls[ObjectIdentifier(selector)] = call
        inputs.append(.function(call))
      case .named(_, let selector): inputs.append(try selector.bind(members, budget))
      case .expression(let expression):
        inputs.append(try BoundSelector(expression, members, budget))
      }
    }
    self.selector = selector
    self.arguments = arguments
    self.inputs = inputs
    self.functionArguments =
      Value.object(arguments).members(named: selector.function.options.arguments)
    self.memo = selector.function.memo(for: .object(arguments))
    // All leaves with the same key get the same arguments.
    var keys: Set<BoundSelector.Key> = []
    self.leaves = inputs.flatMap(\.leaves).filter { keys.insert($0.key).inserted }
  }
}

extension Value {
  /// The members of an object; empty for other values.
  var object: JSONObject {
    if case .object(let members) = self { members } else { [:] }
  }
}

extension FunctionCall {
  /// The outputs of one state that were computed so far. A selector that is an input of several
  /// others is evaluated once.
  struct Outputs {
    fileprivate var outputs: [ObjectIdentifier: Value] = [:]
  }

  /// Evaluates the inputs and, if one of them has changed, calls the function.
  func output(
    for snapshot: any Snapshot, _ outputs: inout Outputs
  ) throws(EngineError) -> Value {
    if let output = outputs.outputs[ObjectIdentifier(self)] { return output }
    var inputs: [Value] = []
    inputs.reserveCapacity(self.inputs.count)
    for input in self.inputs {
      inputs.append(try input.output(for: snapshot, &outputs))
    }
    let output = try self.memo.output(for: inputs) { last throws(EngineError) in
      guard self.selector.function.options.each != nil else { return try self.call(inputs) }
      return try self.callForEach(inputs, after: last)
    }
    outputs.outputs[ObjectIdentifier(self)] = output
    return output
  }

  private func call(_ inputs: [Value]) throws(EngineError) -> Value {
    try self.selector.function.call(inputs, self.functionArguments, of: self.selector.name)
  }

  /// Calls the function for each element or member of the first input that has changed; for all of
  /// them if another input has.
  private func callForEach(
    _ inputs: [Value], after last: FunctionMemo.Content?
  ) throws(EngineError) -> Value {
    let others = inputs.dropFirst()
    let last = last?.inputs.dropFirst() == others ? last : nil
    func result(_ element: Value) throws(EngineError) -> Value {
      try self.call([element] + others)
    }
    let output: Value
    switch (inputs.first ?? .null) {
    case .null: return .null
    case .array(let elements):
      var (old, results): (JSONArray, JSONArray) = ([], [])
      if case .array(let elements)? = last?.inputs.first, case .array(let last)? = last?.output {
        (old, results) = (elements, last)
      }
      for (index, old, new) in old.changes(to: elements) {
        switch (old, new) {
        case (let old?, let new?) where old == new: break
        case (_?, let new?): results[index] = try result(new)
        case (nil, let new?): results.insert(try result(new), at: index)
        case (_, nil): _ = results.remove(at: index)
        }
      }
      output = .array(results)
    case .object(let members):
      var (old, results): (JSONObject, JSONObject) = ([:], [:])
      if case .object(let members)? = last?.inputs.first, case .object(let last)? = last?.output {
        (old, results) = (members, last)
      }
      var changes: [(key: String, old: Value?, new: Value?)] = []
      old.forEachChange(to: members) { changes.append(($0, $1, $2)) }
      for (key, old, new) in changes where old == nil || old != new {
        results[key] = if let new { try result(new) } else { nil }
      }
      output = .object(results)
    case let other:
      throw EngineError(
        .invalidSelector,
        "the selector \(quoted(self.selector.name)): \"each\" expects an array or an object, not "
          + other.kindWithArticle)
    }
    do {
      try output.checkLimits()
      return output
    } catch {
      throw EngineError(error)
    }
  }
}
