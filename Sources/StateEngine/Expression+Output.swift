import ImmutableJSON
import JMESPath

extension Expression {
  /// Throws unless `arguments` is an object of exactly the variables of this expression.
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
    do {
      try self.requireVariables(in: arguments)
    } catch {
      throw EngineError(error)
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
    if let error = output.exceededLimit {
      throw EngineError(.limit, "\(error); select less")
    }
    return output
  }
}

extension EngineError {
  init(_ error: JMESPathError) {
    // What is missing then is an argument.
    let isCallers = error.code == .undefinedVariable
    self.init(isCallers ? .invalidArgument : .invalidSelector, error.description)
    self.line = error.line
    self.column = error.column
    self.offset = error.offset
  }
}
