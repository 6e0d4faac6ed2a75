import ImmutableJSON

extension Parser {
  /// Parses an operand: the start of an expression, up to its first operator.
  mutating func operand() throws(ExpressionError) -> ParsedExpression {
    switch self.token.kind {
    case .identifier:
      try self.name()
    case .quotedIdentifier:
      try self.field()
    case .variable:
      try self.consumeToken(as: self.variable())
    case .literal:
      try self.consumeToken(as: ParsedExpression(.literal(self.literal())))
    case .rawString:
      try self.consumeToken(as: ParsedExpression(.literal(.string(self.rawString()))))
    case .at:
      try self.consumeToken(as: .current)
    case .not:
      try self.negation()
    case .leftParenthesis:
      try self.parenthesized()
    case .leftBrace:
      try self.hash()
    case .leftBracket:
      try self.bracketOperand()
    case .star, .flatten, .filter:
      try self.projection()
    case .ampersand:
      throw ExpressionError(
        .syntax, "an expression such as &name is only allowed as an argument of a function",
        at: self.token.range.lowerBound)
    case .number:
      throw ExpressionError(
        .syntax, "a number must be a literal in backticks: `\(self.numberText)`",
        at: self.token.range.lowerBound)
    default:
      throw self.expected("an expression")
    }
  }

  /// Parses a field with a quoted name.
  mutating func field() throws(ExpressionError) -> ParsedExpression {
    let name = try self.quotedName()
    if case .leftParenthesis = self.following.kind {
      throw ExpressionError(
        .syntax, "the name of a function must not be quoted", at: self.token.range.lowerBound)
    }
    return try self.consumeToken(as: self.field(name))
  }

  /// The unescaped text of a quoted name.
  func quotedName() throws(ExpressionError) -> String {
    if case .string(let name) = try self.json(self.tokenText, "the name") { return name }
    throw self.expected("a name")
  }

  /// Consumes the current token, which was parsed as `parsed`.
  private mutating func consumeToken(
    as parsed: ParsedExpression
  ) throws(ExpressionError) -> ParsedExpression {
    try self.advance()
    return parsed
  }

  /// Parses a field, a call, or a `let`, which is a keyword only before a variable.
  private mutating func name() throws(ExpressionError) -> ParsedExpression {
    switch self.following.kind {
    case .leftParenthesis: try self.call()
    case .variable where self.tokenText == "let": try self.binding()
    default: try self.consumeToken(as: self.field(self.tokenText))
    }
  }

  /// Parses a negation. It binds tighter than comparisons: `!a.b == c` is `(!(a.b)) == c`.
  private mutating func negation() throws(ExpressionError) -> ParsedExpression {
    try self.advance()
    let parsed = try self.expression(above: Token.Kind.comparisonPower)
    return ParsedExpression(.not(parsed.node), over: [parsed])
  }

  /// Parses parentheses. They end a projection: `(a[*])[0]` is the first element of the list.
  private mutating func parenthesized() throws(ExpressionError) -> ParsedExpression {
    try self.advance()
    let parsed = try self.expression(above: 0)
    try self.take(.rightParenthesis, "\")\"")
    return parsed
  }

  /// Parses an index, a slice, a projection or a list.
  private mutating func bracketOperand() throws(ExpressionError) -> ParsedExpression {
    switch self.following.kind {
    case .number, .colon:
      return try self.index()
    case .star:
      try self.advance()
      guard case .rightBracket = self.following.kind else { return try self.list() }
      return try self.elements()
    default:
      try self.advance()
      return try self.list()
    }
  }
}

// Literals.
extension Parser {
  private func rawString() -> String {
    self.unescaped(UInt8(ascii: "'"))
  }

  private func literal() throws(ExpressionError) -> Value {
    try self.json(self.unescaped(UInt8(ascii: "`")), "the literal")
  }

  /// The text between the quotes, with escaped quotes unescaped.
  private func unescaped(_ quote: UInt8) -> String {
    let text = self.quotedText
    let backslash = UInt8(ascii: "\\")
    guard text.utf8.contains(backslash) else { return text }
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped && byte == quote {
        bytes.removeLast()
      }
      bytes.append(byte)
      isEscaped = !isEscaped && byte == backslash
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func json(_ text: String, _ what: String) throws(ExpressionError) -> Value {
    do throws(JSONParseError) {
      return try Value(json: text)
    } catch {
      let offset = self.token.range.lowerBound
      guard error.code != .limit else {
        throw ExpressionError(.limit, "\(what) is beyond a limit: \(error.message)", at: offset)
      }
      let hint =
        if case .literal = self.token.kind { "; put strings in single quotes" } else { "" }
      throw ExpressionError(.syntax, "\(what) is not JSON: \(error.message)\(hint)", at: offset)
    }
  }
}
