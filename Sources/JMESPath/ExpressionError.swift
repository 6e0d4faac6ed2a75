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
}

/// A part of an expression for messages: in quotes, truncated if it is long.
func quoted(_ text: String) -> String {
  let limit = 48
  let start = text.unicodeScalars.prefix(limit)
  let isTruncated = start.endIndex != text.unicodeScalars.endIndex
  return "\"\(String(String.UnicodeScalarView(start.map(\.printable))))\(isTruncated ? "…" : "")\""
}

extension Unicode.Scalar {
  /// This character, or a space for a control character, so that it takes one column.
  var printable: Unicode.Scalar {
    self.value < 0x20 || self.value == 0x7F ? " " : self
  }
}
