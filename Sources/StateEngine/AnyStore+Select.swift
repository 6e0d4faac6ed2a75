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
  public func select(_ selector: String, _ arguments: Value = [:]) throws(EngineError) -> Value {
    if let output = try self.domainOutput(selector, arguments) {
      return output
    }
    return try self.evaluate(self.defined(selector), arguments).output
  }

  /// The same as canonical JSON text.
  ///
  /// - Parameter arguments: JSON text of an object, or `nil` for none.
  public func select(
    _ selector: String, argumentsJSON arguments: UnsafeRawBufferPointer?
  ) throws(EngineError) -> Text {
    let arguments = try Value(readingArguments: arguments)
    if let output = try self.domainOutput(selector, arguments) {
      return Text.make(output.utf8JSON)
    }
    return try self.evaluate(self.defined(selector), arguments).text
  }

  /// The output of a JMESPath expression over the current state.
  ///
  /// - Parameter arguments: An object with the variables of the expression.
  public func query(_ expression: String, _ arguments: Value = [:]) throws(EngineError) -> Value {
    try self.evaluate(self.compile(expression, for: .select), arguments).output
  }

  /// The same as canonical JSON text.
  ///
  /// - Parameter arguments: JSON text of an object, or `nil` for none.
  public func query(
    _ expression: String, argumentsJSON arguments: UnsafeRawBufferPointer?
  ) throws(EngineError) -> Text {
    let arguments = try Value(readingArguments: arguments)
    return try self.evaluate(self.compile(expression, for: .select), arguments).text
  }

  /// Gives a JMESPath expression a name, by which it is then selected.
  public func define(_ name: String, _ expression: String) throws(EngineError) {
    let compiled = try self.compile(expression, for: .use)
    guard !self.implementation.selectorNames.contains(name),
      self.queries.define(name, compiled)
    else {
      throw EngineError(
        .invalidArgument, "there is a selector \(quoted(name)) already; choose another name")
    }
  }

  /// How often outputs of expressions were asked for, and how often that took an evaluation; how
  /// many observations there are, how often one had to look at an action, and how often an observer
  /// was told; if the domain has effects, how many there were, and how many of them failed.
  public func statistics() throws(EngineError) -> Value {
    try self.refuseReentrancy(.use)
    let effects = self.implementation.effects?.statistics ?? []
    return .object(JSONObject(self.queries.statistics + self.observations.statistics + effects))
  }
}

extension AnyStore {
  private func compile(
    _ expression: String, for operation: ReentrancyError.Operation
  ) throws(EngineError) -> Expression {
    try self.refuseReentrancy(operation)
    return try self.queries.compile(expression)
  }

  private func domainOutput(
    _ selector: String, _ arguments: Value
  ) throws(EngineError) -> Value? {
    try EngineError.catching {
      try self.implementation.snapshot().select(selector, arguments)
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

  private func evaluate(
    _ expression: Expression, _ arguments: Value
  ) throws(EngineError) -> (output: Value, text: Text) {
    try self.queries.evaluate(
      expression, arguments, version: self.implementation.version, state: self.state)
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
