import ImmutableJSON

/// An error of compilation or evaluation, which ``Expression`` converts to a ``JMESPathError``.
struct ExpressionError: Error {
  let code: JMESPathError.Code
  let message: String

  /// The byte offset in the expression.
  let offset: Int

  init(_ code: JMESPathError.Code, _ message: String, at offset: Int) {
    self.code = code
    self.message = message
    self.offset = offset
  }
}

extension ExpressionError {
  /// The error for a variable without a value.
  static func undefined(_ name: String, at offset: Int) -> ExpressionError {
    ExpressionError(
      .undefinedVariable,
      "the variable $\(name) is not defined; pass the argument \"\(name)\" or bind it with let",
      at: offset)
  }

  static func unknownFunction(_ name: String, at offset: Int) -> ExpressionError {
    let similar = similarNameSuggestion(name, Function.allCases.map(\.rawValue)) ?? ""
    return ExpressionError(
      .unknownFunction, "there is no function \(quoted(name))\(similar)", at: offset)
  }
}
