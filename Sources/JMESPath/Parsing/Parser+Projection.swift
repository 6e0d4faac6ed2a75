import ImmutableJSON

// A projection applies the expression after it to each element. It extends to the next operator
// that binds weaker: a pipe, an infix operator, or a flatten.
extension Parser {
  /// Parses a projection that starts with a token of its own.
  mutating func projection() throws(ExpressionError) -> ParsedExpression {
    switch self.token.kind {
    case .star:
      try self.values(power: Token.Kind.starPower)
    case .flatten:
      try self.flatten()
    default:
      try self.filter()
    }
  }

  /// `*`
  mutating func values(power: Int) throws(ExpressionError) -> ParsedExpression {
    try self.advance()
    let (each, site) = try self.projected(at: power)
    return ParsedExpression(.values(each: Projected(each.node, at: site)), over: [each])
  }

  /// Parses `[*]`, at the star.
  mutating func elements() throws(ExpressionError) -> ParsedExpression {
    try self.take(.star, "\"*\"")
    try self.take(.rightBracket, "\"]\"")
    return try self.elements(power: Token.Kind.starPower)
  }

  /// Parses `[1]` or `[1:2:3]`, at the bracket.
  mutating func index() throws(ExpressionError) -> ParsedExpression {
    try self.advance()
    let start = try self.number()
    if let start, case .rightBracket = self.token.kind {
      try self.advance()
      return ParsedExpression(.index(start))
    }
    var parsed = ParsedExpression(.slice(try self.slice(from: start)))
    parsed.append(try self.elements(power: Token.Kind.starPower))
    return parsed
  }

  private mutating func flatten() throws(ExpressionError) -> ParsedExpression {
    try self.advance()
    var parsed = ParsedExpression(.flatten(self.site(readsLocals: false)))
    parsed.append(try self.elements(power: Token.Kind.flattenPower))
    return parsed
  }

  private mutating func filter() throws(ExpressionError) -> ParsedExpression {
    try self.advance()
    let uses = self.beginEach()
    let condition = try self.expression(above: 0)
    try self.take(.rightBracket, "\"]\"")
    let each = try self.projected(above: Token.Kind.filterPower)
    let site = self.site(readsLocals: self.endEach(uses))
    return ParsedExpression(
      .filter(by: Condition(condition.node), each: Projected(each.node, at: site)),
      over: [condition, each])
  }

  private mutating func elements(power: Int) throws(ExpressionError) -> ParsedExpression {
    let (each, site) = try self.projected(at: power)
    return ParsedExpression(.elements(each: Projected(each.node, at: site)), over: [each])
  }

  private mutating func projected(
    at power: Int
  ) throws(ExpressionError) -> (ParsedExpression, Site?) {
    let uses = self.beginEach()
    let each = try self.projected(above: power)
    return (each, self.site(readsLocals: self.endEach(uses)))
  }

  /// Parses the expression that a projection applies to each element.
  private mutating func projected(above power: Int) throws(ExpressionError) -> ParsedExpression {
    guard self.token.kind.power >= Token.Kind.projectionStop else { return .current }
    switch self.token.kind {
    case .leftBracket, .filter:
      return try self.expression(above: power)
    case .dot:
      try self.advance()
      return try self.member(above: power)
    default:
      throw self.expected("an operator or the end")
    }
  }
}

// Numbers in brackets.
extension Parser {
  /// Parses the rest of a slice, after its first number.
  private mutating func slice(from start: Int?) throws(ExpressionError) -> Node.Slice {
    try self.take(.colon, "\":\" or \"]\"")
    let stop = try self.number()
    var step: Int?
    var offset = 0
    if case .colon = self.token.kind {
      try self.advance()
      offset = self.token.range.lowerBound
      step = try self.number()
      try self.take(.rightBracket, step == nil ? "a number or \"]\"" : "\"]\"")
    } else {
      try self.take(.rightBracket, stop == nil ? "a number, \":\" or \"]\"" : "\":\" or \"]\"")
    }
    guard step != 0 else {
      throw ExpressionError(.invalidValue, "the step of a slice cannot be 0", at: offset)
    }
    return Node.Slice(start: start, stop: stop, step: step ?? 1)
  }

  private mutating func number() throws(ExpressionError) -> Int? {
    guard case .number = self.token.kind else { return nil }
    guard let number = Int(self.tokenText) else {
      throw ExpressionError(
        .limit, "the number \(quoted(self.tokenText)) does not fit in 64 bits",
        at: self.token.range.lowerBound)
    }
    try self.advance()
    return number
  }
}
