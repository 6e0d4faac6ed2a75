import ImmutableJSON

// Expressions that consist of several others: lists, hashes, calls and bindings.
extension Parser {
  /// Parses `[a, b]`, after the bracket.
  mutating func list() throws(ExpressionError) -> ParsedExpression {
    var elements: [ParsedExpression] = []
    repeat {
      elements.append(try self.expression(above: 0))
    } while try self.takeComma()
    try self.take(.rightBracket, "\",\" or \"]\"")
    return ParsedExpression(.list(elements.map(\.node)), over: elements)
  }

  /// Parses `{a: b, "c": d}`, at the brace.
  mutating func hash() throws(ExpressionError) -> ParsedExpression {
    try self.advance()
    var members: [Node.Member] = []
    var values: [ParsedExpression] = []
    repeat {
      let key =
        switch self.token.kind {
        case .identifier: self.tokenText
        case .quotedIdentifier: try self.quotedName()
        default: throw self.expected("a name")
        }
      if let error = ObjectKeyError(key) {
        throw ExpressionError(.invalidValue, error.description, at: self.token.range.lowerBound)
      }
      try self.advance()
      try self.take(.colon, "\":\"")
      let value = try self.expression(above: 0)
      members.append(Node.Member(key: key, node: value.node))
      values.append(value)
    } while try self.takeComma()
    try self.take(.rightBrace, "\",\" or \"}\"")
    return ParsedExpression(.hash(members, ObjectTemplate(members.map(\.key))), over: values)
  }

  /// Parses `name(a, &b)`, at the name.
  mutating func call() throws(ExpressionError) -> ParsedExpression {
    let name = self.token
    let function = try self.function()
    try self.advance()
    try self.advance()
    var arguments = ParsedArguments()
    var readsLocals = false
    if case .rightParenthesis = self.token.kind {
      try self.advance()
    } else {
      repeat {
        let offset = self.token.range.lowerBound
        let isExpression = self.token.kind == .ampersand
        if isExpression {
          try self.advance()
          let uses = self.beginEach()
          arguments.append(try self.expression(above: 0), isExpression, at: offset)
          readsLocals = self.endEach(uses) || readsLocals
        } else {
          arguments.append(try self.expression(above: 0), isExpression, at: offset)
        }
      } while try self.takeComma()
      try self.take(.rightParenthesis, "\",\" or \")\"")
    }
    let site = self.site(readsLocals: readsLocals)
    return try arguments.call(of: function, site, at: name.range.lowerBound)
  }

  /// Parses `let $x = a, $y = b in c`, at the `let`.
  mutating func binding() throws(ExpressionError) -> ParsedExpression {
    try self.advance()
    var names: [String] = []
    var values: [ParsedExpression] = []
    repeat {
      guard case .variable = self.token.kind else { throw self.expected("a $variable") }
      names.append(String(self.tokenText.dropFirst()))
      try self.advance()
      try self.take(.assign, "\"=\"")
      values.append(try self.expression(above: 0))
    } while try self.takeComma()
    guard case .identifier = self.token.kind, self.tokenText == "in" else {
      throw self.expected("\",\" or \"in\"")
    }
    try self.advance()
    for name in names {
      self.bindings.bind(name)
    }
    let body = try self.expression(above: 0)
    self.bindings.unbind(names)
    return ParsedExpression(.bind(values.map(\.node), in: body.node), over: values + [body])
  }

  private mutating func takeComma() throws(ExpressionError) -> Bool {
    guard case .comma = self.token.kind else { return false }
    try self.advance()
    return true
  }

  private func function() throws(ExpressionError) -> Function {
    let name = self.tokenText
    if let function = Function(rawValue: name) { return function }
    throw .unknownFunction(name, at: self.token.range.lowerBound)
  }
}
