import ImmutableJSON

/// A Pratt parser: recursive descent for operands, precedence climbing for operators.
struct Parser {
  private let lexer: Lexer
  private var remaining: Lexer

  /// The current token, and the one after it.
  private(set) var token: Token
  private(set) var following: Token

  /// The free variables, in the order of their first use.
  private(set) var arguments: [String] = []

  /// The byte offset of the first use of each argument.
  private(set) var argumentOffsets: [Int] = []

  private var argumentIndex: [String: Int] = [:]

  /// The variables bound by the enclosing `let`s.
  var bindings = Bindings()

  /// The number of fields.
  private(set) var fieldCount = 0

  private var depth = 0

  /// The number of enclosing expressions that are evaluated on each element of a collection.
  private var elementDepth = 0

  private(set) var siteCount = 0

  /// How often variables bound by a `let` were used.
  private var localUses = 0

  init(_ text: String) throws(ExpressionError) {
    self.lexer = Lexer(text)
    self.remaining = self.lexer
    self.token = try self.remaining.next()
    self.following = try self.remaining.next()
  }

  /// Parses the whole text.
  mutating func parse() throws(ExpressionError) -> Node {
    let parsed = try self.expression(above: 0)
    guard case .end = self.token.kind else {
      throw self.expected("an operator or the end")
    }
    return parsed.node
  }

  /// Parses an expression of operators that bind tighter than `power`.
  mutating func expression(above power: Int) throws(ExpressionError) -> ParsedExpression {
    self.depth += 1
    defer { self.depth -= 1 }
    guard self.depth <= ExpressionLimits.depth else { throw self.tooDeep() }
    var parsed = try self.operand()
    while self.token.kind.power > power {
      try self.infix(&parsed)
      guard parsed.height <= ExpressionLimits.depth else { throw self.tooDeep() }
    }
    if case .assign = self.token.kind {
      throw ExpressionError(
        .syntax, "\"=\" is not an operator; did you mean \"==\"?", at: self.token.range.lowerBound)
    }
    return parsed
  }

  private func tooDeep() -> ExpressionError {
    ExpressionError(
      .limit, "the expression nests deeper than \(ExpressionLimits.depth) levels",
      at: self.token.range.lowerBound)
  }
}

// Sites.
extension Parser {
  /// Begins an expression that is evaluated on each element of a collection.
  ///
  /// - Returns: What ``endEach(_:)`` needs.
  mutating func beginEach() -> Int {
    self.elementDepth += 1
    return self.localUses
  }

  /// Ends an expression that is evaluated on each element.
  ///
  /// - Returns: Whether it uses variables that are bound by a `let`.
  mutating func endEach(_ uses: Int) -> Bool {
    self.elementDepth -= 1
    return self.localUses > uses
  }

  /// The site of a node; `nil` inside an expression that is evaluated on each element.
  mutating func site(readsLocals: Bool) -> Site? {
    guard self.elementDepth == 0 else { return nil }
    self.siteCount += 1
    return Site(index: self.siteCount, readsLocals: readsLocals)
  }
}

// Shared by the extensions of the parser.
extension Parser {
  mutating func advance() throws(ExpressionError) {
    self.token = self.following
    self.following = try self.remaining.next()
  }

  /// The text of the current token.
  var tokenText: String {
    self.lexer.text(self.token.range)
  }

  /// The text of the number that begins with the current token: `1` and, in `1.5`, its fraction.
  var numberText: String {
    self.lexer.number(self.token.range)
  }

  /// The text between the quotes of the current token.
  var quotedText: String {
    let range = self.token.range
    return self.lexer.text(range.lowerBound + 1..<max(range.lowerBound + 1, range.upperBound - 1))
  }

  /// The error for an unexpected current token.
  func expected(_ what: String) -> ExpressionError {
    let found =
      if case .end = self.token.kind { "the end" } else { quoted(self.tokenText) }
    return ExpressionError(
      .syntax, "expected \(what), found \(found)\(self.hint)", at: self.token.range.lowerBound)
  }

  /// What to write instead of an unexpected current token that is an operator of other languages.
  private var hint: String {
    switch self.token.kind {
    case .identifier where self.tokenText == "and": "; write \"&&\""
    case .identifier where self.tokenText == "or": "; write \"||\""
    case .identifier where self.lexer.word(before: self.token) == "not":
      "; write \"!\" instead of \"not\""
    case .assign: self.lexer.hasEqualSign(before: self.token) ? "; write \"==\" or \"!=\"" : ""
    case .star where self.lexer.followsOperand(self.token),
      .number where self.tokenText.hasPrefix("-") && self.lexer.followsOperand(self.token):
      "; JMESPath has no arithmetic"
    default: ""
    }
  }

  mutating func take(_ kind: Token.Kind, _ name: String) throws(ExpressionError) {
    guard self.token.kind == kind else { throw self.expected(name) }
    try self.advance()
  }

  /// Creates a field.
  mutating func field(_ name: String) -> ParsedExpression {
    defer { self.fieldCount += 1 }
    return ParsedExpression(.field(Node.Field(key: ObjectKey(name), index: self.fieldCount)))
  }

  /// Resolves the variable that the current token names.
  mutating func variable() -> ParsedExpression {
    let name = String(self.tokenText.dropFirst())
    if let level = self.bindings[name] {
      self.localUses += 1
      return ParsedExpression(.local(level))
    }
    let index = self.argumentIndex[name] ?? self.arguments.count
    if index == self.arguments.count {
      self.arguments.append(name)
      self.argumentOffsets.append(self.token.range.lowerBound)
      self.argumentIndex[name] = index
    }
    return ParsedExpression(.argument(index))
  }
}
