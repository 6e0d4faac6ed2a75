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
      let members = Value.object(arguments).members(named: input.selector.argumentNames)
      switch input.selector {
      case .function(let selector):
        let call =
          if let call = calls[ObjectIdentifier(selector)] {
            call
          } else {
            try FunctionCall(selector, members.object, budget, &calls)
          }
        calls[ObjectIdentifier(selector)] = call
        inputs.append(.function(call))
      case let selector: inputs.append(try selector.bind(members, budget))
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
    private var outputs: [ObjectIdentifier: Value] = [:]

    /// The output of an input.
    mutating func output(
      of call: FunctionCall, for snapshot: any Snapshot
    ) throws(EngineError) -> Value {
      if let output = self.outputs[ObjectIdentifier(call)] { return output }
      let output = try call.output(for: snapshot, &self)
      self.outputs[ObjectIdentifier(call)] = output
      return output
    }
  }

  /// Evaluates the inputs and, if one of them has changed, calls the function.
  func output(
    for snapshot: any Snapshot, _ outputs: inout Outputs
  ) throws(EngineError) -> Value {
    var inputs: [Value] = []
    inputs.reserveCapacity(self.inputs.count)
    for index in self.inputs.indices {
      inputs.append(try self.inputs[index].output(for: snapshot, &outputs))
    }
    let isForEach = self.selector.function.options.each != nil
    return try self.memo.output(
      for: inputs, isForEach: isForEach,
      use: { self.selector.function.use(self.memo, inputs, self.functionArguments, $0) }
    ) { last throws(EngineError) in
      if isForEach { return try self.callForEach(inputs, after: last) }
      let output = try self.call(inputs)
      return last?.instance(of: output) ?? output
    }
  }

  /// - Parameter place: Where the element is that the function gets, for messages.
  private func call(
    _ inputs: [Value], _ place: @autoclosure () -> String = ""
  ) throws(EngineError) -> Value {
    try self.selector.function.call(
      inputs, self.functionArguments, "the selector \(quoted(self.selector.name))\(place())")
  }

  /// Calls the function for each element or member of the first input that has changed; for all of
  /// them if another input has.
  ///
  /// - Returns: The last instance if the output is equal.
  private func callForEach(
    _ inputs: [Value], after content: FunctionMemo.Content?
  ) throws(EngineError) -> Value {
    let others = inputs.dropFirst()
    let last = content?.inputs.dropFirst() == others ? content : nil
    func result(_ element: Value, at index: Int) throws(EngineError) -> Value {
      try self.call([element] + others, ", for element \(index)")
    }
    func result(_ member: Value, for key: String) throws(EngineError) -> Value {
      try self.call([member] + others, ", for member \(quoted(key))")
    }
    let output: Value
    switch (inputs.first ?? .null, last?.inputs.first, last?.output) {
    case (.null, _, _): return .null
    case (.array(let elements), .array(let old)?, .array(var results)?):
      for change in old.changes(to: elements) {
        let index = change.index
        switch change.kind {
        case .changed(_, let new):
          let result = try result(new, at: change.newIndex)
          if results[index] != result { results[index] = result }
        case .added(let new): results.insert(try result(new, at: change.newIndex), at: index)
        case .removed: _ = results.remove(at: index)
        case .moved(let from): results.insert(results.remove(at: from), at: index)
        }
      }
      output = .array(results)
    case (.object(let members), .object(let old)?, .object(var results)?):
      var changes: [(key: String, old: Value?, new: Value?)] = []
      old.forEachChange(to: members) { changes.append(($0, $1, $2)) }
      for (key, old, new) in changes where old == nil || old != new {
        let result: Value? = if let new { try result(new, for: key) } else { nil }
        if results[key] != result { results[key] = result }
      }
      output = .object(results)
    case (.array(let elements), _, _):
      var results: JSONArray = []
      for element in elements { results.append(try result(element, at: results.count)) }
      output = content?.instance(of: .array(results)) ?? .array(results)
    case (.object(let members), _, _):
      var results: JSONObject = [:]
      for (key, member) in members { results[key] = try result(member, for: key) }
      output = content?.instance(of: .object(results)) ?? .object(results)
    case (let other, _, _):
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
