import ImmutableData
import ImmutableJSON
import JMESPath

extension AnyStore {
  /// Returns the output of a selector for the current state.
  ///
  /// - Parameters:
  ///   - selector: The name of a selector of the domain, or of one defined with ``define(_:_:)``.
  ///   - arguments: An object of the shape that the selector describes, or with the variables of
  ///     its expression.
  ///   - options: The budget.
  public func select(
    _ selector: String, _ arguments: Value = [:], _ options: EvaluationOptions = .init()
  ) throws(EngineError) -> Value {
    try withUnsafePointer(to: arguments) { (arguments) throws(EngineError) in
      try self.output(of: selector, .init(arguments), options).value
    }
  }

  /// Returns the output of a selector as canonical JSON text.
  ///
  /// - Parameters:
  ///   - selector: The name of a selector.
  ///   - arguments: JSON text of an object, or `nil` for none.
  public func select(
    _ selector: String, argumentsJSON arguments: UnsafeRawBufferPointer?
  ) throws(EngineError) -> Text {
    try self.output(of: selector, .init(arguments), isWriting: true).text
  }

  /// Returns the output of a JMESPath expression for the current state.
  ///
  /// - Parameters:
  ///   - expression: An expression without a name.
  ///   - arguments: An object with the variables of the expression.
  ///   - options: The budget.
  public func query(
    _ expression: String, _ arguments: Value = [:], _ options: EvaluationOptions = .init()
  ) throws(EngineError) -> Value {
    try withUnsafePointer(to: arguments) { (arguments) throws(EngineError) in
      try self.output(of: expression, isExpression: true, .init(arguments), options).value
    }
  }

  /// Returns the output of a JMESPath expression as canonical JSON text.
  ///
  /// - Parameters:
  ///   - expression: An expression without a name.
  ///   - arguments: JSON text of an object, or `nil` for none.
  public func query(
    _ expression: String, argumentsJSON arguments: UnsafeRawBufferPointer?
  ) throws(EngineError) -> Text {
    try self.output(of: expression, isExpression: true, .init(arguments), isWriting: true).text
  }

  /// Names a JMESPath expression, so that it can be selected. The name must not be empty.
  public func define(_ name: String, _ expression: String) throws(EngineError) {
    try self.enter(.use)
    let compiled = try self.expressions.compile(expression)
    guard !name.isEmpty else {
      throw EngineError(.invalidArgument, "the name of a selector must not be empty")
    }
    guard self.selectors[StringKey(name)] == nil, self.expressions.define(name, compiled) else {
      throw EngineError(
        .invalidArgument, "there is a selector \(quoted(name)) already; choose another name")
    }
  }

  /// Returns statistics of the store as an object of counts:
  ///
  /// - `selects` that returned an output, and the `evaluations` that they required.
  /// - `observations`; `visits`: how often a change may have affected an observation, including
  ///   those that were ignored or had unchanged dependencies; and `deliveries`.
  /// - `overruns`: the actions that streams accepted beyond their capacity.
  /// - If the domain has effects, or the store a rule: `effects` that started, `failedEffects`, and
  ///   the counters of the domain's effects (``Effects/statistics``).
  public func statistics() throws(EngineError) -> Value {
    try self.enter(.use, evenIfClosed: true)
    let (selects, evaluations) = self.outputs.counts
    return .object(
      JSONObject(
        [("selects", .integer(Int64(selects))), ("evaluations", .integer(Int64(evaluations)))]
          + self.observations.statistics
          + [("overruns", .integer(Int64(self.commits.overruns)))]
          + (self.effects?.statistics ?? [])))
  }
}

extension AnyStore {
  /// Finds a selector by name: one of the domain, or one that was defined.
  ///
  /// - Throws: ``EngineError``: `unknownSelector`; `invalidArgument` if the arguments are not the
  ///   variables of the expression.
  func bind(
    _ name: String, _ arguments: Value, _ budget: WorkBudget
  ) throws(EngineError) -> BoundSelector {
    if let selector = self.selectors[StringKey(name)] {
      return .domain(selector, arguments: arguments)
    }
    if let expression = self.expressions.named(name) {
      return try BoundSelector(expression, arguments, budget)
    }
    throw self.unknownSelector(name)
  }

  private func unknownSelector(_ name: String) -> EngineError {
    let names = self.selectors.keys.map(\.text) + self.expressions.names
    let remedy =
      if let similar = similarNameSuggestion(name, names) {
        similar
      } else if names.isEmpty || name.utf8.contains(where: ".[(|@*{&!`$".utf8.contains) {
        "; query evaluates an expression; to select or observe one, define it as a selector first"
      } else {
        suggestion(name, names)
      }
    return EngineError(.unknownSelector, "unknown selector \(quoted(name))\(remedy)")
  }
}

extension AnyStore {
  /// Returns the output of a call for the current state. A call that was made recently takes no
  /// parsing. The caller has checked re-entrancy.
  package func output(
    of call: SelectCall, _ options: EvaluationOptions = .init()
  ) throws(EngineError) -> CachedOutput {
    let version = self.commits.number
    if let output = self.outputs.recentOutput(of: call, version: version) { return output }
    return try self.output(of: self.bind(call, options), for: call, version)
  }

  private func output(
    of selector: BoundSelector, for call: SelectCall, _ version: Int
  ) throws(EngineError) -> CachedOutput {
    try self.outputs.output(of: selector, for: call, version: version) { () throws(EngineError) in
      self.implementation.snapshot().state
    }
  }

  private func bind(
    _ call: SelectCall, _ options: EvaluationOptions
  ) throws(EngineError) -> BoundSelector {
    let text = try String(name: call.text, call.isExpression ? "expression" : "selector")
    let budget = self.workBudget(options.budget)
    guard call.isExpression else { return try self.bind(text, call.arguments.read(), budget) }
    return try BoundSelector(self.expressions.compile(text), call.arguments.read(), budget)
  }

  private func output(
    of text: String, isExpression: Bool = false, _ arguments: SelectCall.Arguments,
    _ options: EvaluationOptions = .init(), isWriting: Bool = false
  ) throws(EngineError) -> CachedOutput {
    try self.enter(.select, evenIfClosed: true)
    var text = text
    return try EngineError.catching {
      try text.withUTF8 { text in
        let call = SelectCall(
          UnsafeRawBufferPointer(text), isExpression: isExpression, arguments,
          isWriting: isWriting)
        return try self.output(of: call, options)
      }
    }
  }
}
