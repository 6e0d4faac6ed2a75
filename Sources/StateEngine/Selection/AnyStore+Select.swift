import ImmutableData
import ImmutableJSON
import JMESPath

extension AnyStore {
  /// The output of a selector for the current state.
  ///
  /// - Parameters:
  ///   - selector: The name of one of the domain's, or of one that was defined.
  ///   - arguments: An object of the shape that the selector describes, or with the variables of
  ///     its expression.
  public func select(
    _ selector: String, _ arguments: Value = [:], _ options: EvaluationOptions = .init()
  ) throws(EngineError) -> Value {
    try self.output(of: selector, arguments, options, writing: false).value
  }

  /// The same as canonical JSON text.
  ///
  /// - Parameter arguments: JSON text of an object, or `nil` for none.
  public func select(
    _ selector: String, argumentsJSON arguments: UnsafeRawBufferPointer?,
    _ options: EvaluationOptions = .init()
  ) throws(EngineError) -> Text {
    try self.output(of: selector, Value(readingArguments: arguments), options, writing: true).text
  }

  /// The output of a JMESPath expression over the current state.
  ///
  /// - Parameter arguments: An object with the variables of the expression.
  public func query(
    _ expression: String, _ arguments: Value = [:], _ options: EvaluationOptions = .init()
  ) throws(EngineError) -> Value {
    try self.output(
      of: self.compile(expression, for: .select), arguments, options, writing: false
    ).value
  }

  /// The same as canonical JSON text.
  ///
  /// - Parameter arguments: JSON text of an object, or `nil` for none.
  public func query(
    _ expression: String, argumentsJSON arguments: UnsafeRawBufferPointer?,
    _ options: EvaluationOptions = .init()
  ) throws(EngineError) -> Text {
    let arguments = try Value(readingArguments: arguments)
    return try self.output(
      of: self.compile(expression, for: .select), arguments, options, writing: true
    ).text
  }

  /// Gives a JMESPath expression a name, not empty, by which it is then selected.
  public func define(_ name: String, _ expression: String) throws(EngineError) {
    let compiled = try self.compile(expression, for: .use)
    guard !name.isEmpty else {
      throw EngineError(.invalidArgument, "the name of a selector must not be empty")
    }
    guard !self.implementation.selectorNames.contains(name),
      self.queries.define(name, compiled)
    else {
      throw EngineError(
        .invalidArgument, "there is a selector \(quoted(name)) already; choose another name")
    }
  }

  /// How many selects there were, and how many required an evaluation; how many observations there
  /// are, how many actions required re-evaluating one, and how many deliveries there were; how many
  /// actions streams took beyond their capacity; if the domain has effects, how many there were, and
  /// how many of them failed.
  public func statistics() throws(EngineError) -> Value {
    try self.refuseReentrancy(.use)
    let counts = [self.outputs.counts, self.queries.outputs.counts]
    let selects = counts.reduce(0) { $0 + $1.selects }
    let evaluations = counts.reduce(0) { $0 + $1.evaluations }
    return .object(
      JSONObject(
        [("selects", .integer(Int64(selects))), ("evaluations", .integer(Int64(evaluations)))]
          + self.observations.statistics
          + [("overruns", .integer(Int64(self.implementation.overruns)))]
          + (self.implementation.effects?.statistics ?? [])))
  }
}

extension AnyStore {
  private func compile(
    _ expression: String, for operation: ReentrancyError.Operation
  ) throws(EngineError) -> Expression {
    try self.refuseReentrancy(operation)
    return try self.queries.compile(expression)
  }

  private func output(
    of selector: String, _ arguments: Value, _ options: EvaluationOptions, writing: Bool
  ) throws(EngineError) -> Output {
    try self.refuseReentrancy(.select)
    guard self.implementation.hasSelector(selector) else {
      return try self.output(of: self.defined(selector), arguments, options, writing: writing)
    }
    return try self.outputs.output(
      of: DomainSelection(reader: selector, arguments: arguments), writing: writing,
      version: self.implementation.version
    ) { () throws(EngineError) in
      try EngineError.catching(self.implementation.snapshot)
    }
  }

  func defined(_ selector: String) throws(EngineError) -> Expression {
    guard let expression = self.queries.named(selector) else {
      let names = self.implementation.selectorNames + self.queries.names
      throw EngineError(
        .unknownSelector, "unknown selector \(quoted(selector))\(suggestion(selector, names))")
    }
    return expression
  }

  private func output(
    of expression: Expression, _ arguments: Value, _ options: EvaluationOptions, writing: Bool
  ) throws(EngineError) -> Output {
    let selection = try ExpressionSelection(
      expression, arguments, self.workBudget(options.budget))
    return try self.queries.outputs.output(
      of: selection, writing: writing, version: self.implementation.version, state: self.state)
  }
}

extension Value {
  fileprivate init(readingArguments text: UnsafeRawBufferPointer?) throws(EngineError) {
    guard let text else {
      self = [:]
      return
    }
    self = try Value(reading: text, .arguments)
  }
}
