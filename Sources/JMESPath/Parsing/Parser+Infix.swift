extension Parser {
  /// Parses an operator and its right operand, and combines them with the left operand.
  mutating func infix(_ left: inout ParsedExpression) throws(ExpressionError) {
    switch self.token.kind {
    case .pipe:
      try self.advance()
      left.append(try self.expression(above: Token.Kind.pipe.power))
    case .or:
      left = try self.operands(left, of: .or) { .or($0) }
    case .and:
      left = try self.operands(left, of: .and) { .and($0) }
    case .comparison(let comparison):
      try self.advance()
      let right = try self.expression(above: Token.Kind.comparisonPower)
      left = ParsedExpression(.comparison(comparison, left.node, right.node), over: [left, right])
    case .dot:
      if case .star = self.following.kind {
        try self.advance()
        left.append(try self.values(power: Token.Kind.dotPower))
      } else {
        try self.advance()
        left.append(try self.member(above: Token.Kind.dotPower))
      }
    case .flatten, .filter:
      left.append(try self.projection())
    case .leftBracket:
      left.append(try self.bracketOperator())
    default:
      throw self.expected("an operator or the end")
    }
  }

  /// Parses all operands of `a || b || c` into one node.
  private mutating func operands(
    _ first: ParsedExpression, of kind: Token.Kind, _ node: ([Node]) -> Node
  ) throws(ExpressionError) -> ParsedExpression {
    var operands = [first]
    while self.token.kind == kind {
      try self.advance()
      operands.append(try self.expression(above: kind.power))
    }
    return ParsedExpression(node(operands.map(\.node)), over: operands)
  }

  /// Parses the expression after a dot.
  mutating func member(above power: Int) throws(ExpressionError) -> ParsedExpression {
    try self.requireMember()
    switch self.token.kind {
    case .leftBracket:
      try self.advance()
      try self.requireNoIndex()
      return try self.list()
    case .leftBrace:
      return try self.hash()
    default:
      return try self.expression(above: power)
    }
  }

  // Not inlined, because each level of an expression would take more stack.

  /// Refuses what cannot follow a dot.
  @inline(never)
  private func requireMember() throws(ExpressionError) {
    switch self.token.kind {
    case .identifier:
      guard case .variable = self.following.kind else { return }
      throw ExpressionError(
        .syntax, "a let is not allowed after a dot; use a pipe", at: self.token.range.lowerBound)
    case .quotedIdentifier, .star, .leftBracket, .leftBrace: return
    case .flatten: throw self.expected("an expression in the brackets")
    case .number: throw self.dotBeforeIndex()
    default: throw self.expected("a name, \"*\", \"[\" or \"{\" after the dot")
    }
  }

  /// Refuses `a.[0]`.
  @inline(never)
  private func requireNoIndex() throws(ExpressionError) {
    if case .number = self.token.kind, self.numberText == self.tokenText {
      throw self.dotBeforeIndex()
    }
  }

  /// The error for `a.0` and `a.[0]`, at the number.
  private func dotBeforeIndex() -> ExpressionError {
    let index = "[\(self.numberText)]"
    return ExpressionError(
      .syntax,
      "an index must be in brackets, without a dot: \(index), or | \(index) for one of all results "
        + "of a projection",
      at: self.token.range.lowerBound)
  }

  /// Parses an index, a slice or a projection.
  private mutating func bracketOperator() throws(ExpressionError) -> ParsedExpression {
    switch self.following.kind {
    case .number, .colon:
      return try self.index()
    case .star:
      try self.advance()
      return try self.elements()
    default:
      try self.advance()
      throw self.expected("a number, \":\" or \"*\"")
    }
  }
}
