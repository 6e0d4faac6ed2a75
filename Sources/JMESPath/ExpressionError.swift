/// What goes wrong inside; it becomes a ``JMESPathError`` where the text of the expression is known.
struct ExpressionError: Error {
  let code: JMESPathError.Code
  let message: String

  /// The place in the expression, in bytes.
  let offset: Int

  init(_ code: JMESPathError.Code, _ message: String, at offset: Int) {
    self.code = code
    self.message = message
    self.offset = offset
  }
}

extension ExpressionError {
  /// A variable has no value.
  static func undefined(_ name: String, at offset: Int) -> ExpressionError {
    ExpressionError(
      .undefinedVariable,
      "the variable $\(name) is not defined; pass the argument \"\(name)\" or bind it with let",
      at: offset)
  }
}

/// A piece of an expression as messages show it: in quotes, and cut where it is long.
func quoted(_ text: String) -> String {
  let limit = 48
  let start = text.unicodeScalars.prefix(limit)
  let isCut = start.endIndex != text.unicodeScalars.endIndex
  return "\"\(String(String.UnicodeScalarView(start.map(\.printable))))\(isCut ? "…" : "")\""
}

extension Unicode.Scalar {
  /// What takes one column on one line: a control character would not.
  var printable: Unicode.Scalar {
    self.value < 0x20 || self.value == 0x7F ? " " : self
  }
}
