import ImmutableJSON
import JMESPath

extension Expression {
  /// Returns the arguments as an object.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` unless they are exactly the variables of this
  ///   expression.
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
}

extension EngineError {
  init(_ error: JMESPathError) {
    self.init(error.code.engineCode, error.description)
    self.line = error.line
    self.column = error.column
    self.offset = error.offset
  }
}

extension JMESPathError.Code {
  fileprivate var engineCode: EngineError.Code {
    switch self {
    // A variable that is not defined is a missing argument.
    case .undefinedVariable: .invalidArgument
    case .limit: .limit
    case .syntax, .unknownFunction, .invalidArity, .invalidType, .invalidValue: .invalidSelector
    }
  }
}
