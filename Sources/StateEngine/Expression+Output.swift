import ImmutableJSON
import JMESPath

extension Expression {
  /// Throws unless `arguments` is an object of variables that this expression has.
  func check(_ arguments: Value) throws(EngineError) -> JSONObject {
    guard case .object(let arguments) = arguments else {
      throw EngineError(
        .invalidArgument, "arguments: expected an object, found \(arguments.kindWithArticle)")
    }
    for (name, _) in arguments where !self.variables.contains(name) {
      throw EngineError(
        .invalidArgument,
        "arguments: the expression has no $\(name)\(suggestion(name, self.variables))")
    }
    return arguments
  }

  /// What this expression makes of a state, if it is within the limits of a value.
  func output(of state: Value, _ arguments: JSONObject) throws(EngineError) -> Value {
    let output: Value
    do {
      output = try self.evaluate(state, arguments: arguments)
    } catch {
      throw EngineError(error)
    }
    guard !output.isBeyondLimits else {
      throw EngineError(
        .limit,
        "the output nests deeper than \(Value.maximumDepth) or has more than "
          + "\(Value.maximumWeight) values; select less")
    }
    return output
  }
}

extension EngineError {
  init(_ error: JMESPathError) {
    // What is missing then is an argument.
    let isCallers = error.code == .undefinedVariable
    self.init(isCallers ? .invalidArgument : .invalidSelector, error.description)
    self.line = 1
    self.column = error.position + 1
    self.offset = error.position
  }
}
