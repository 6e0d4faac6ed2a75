import ImmutableJSON

/// Splits the text of an expression into tokens.
struct Lexer {
  let bytes: [UInt8]
  private var offset = 0

  init(_ text: String) {
    self.bytes = Array(text.utf8)
  }

  /// Returns the next token; `end` at the end of the text and after it.
  mutating func next() throws(ExpressionError) -> Token {
    while let byte = self.byte(at: self.offset), byte.isSpace {
      self.offset += 1
    }
    let start = self.offset
    let kind = try self.kind()
    return Token(kind: kind, range: start..<self.offset)
  }

  /// The text of a range of bytes, such as that of a token.
  func text(_ range: Range<Int>) -> String {
    let range = range.clamped(to: self.bytes.indices)
    return String(decoding: self.bytes[range], as: UTF8.self)
  }

  /// The text of a number, with the fraction that may follow the range of its integer.
  func number(_ range: Range<Int>) -> String {
    let rest = self.bytes.dropFirst(range.upperBound)
    let fraction = rest.dropFirst().prefix { $0.isDigit }
    let hasFraction = rest.first == UInt8(ascii: ".") && !fraction.isEmpty
    return self.text(range.lowerBound..<(hasFraction ? fraction.endIndex : range.upperBound))
  }

  /// The word before a token and any space; "" if something else is there.
  func word(before token: Token) -> String {
    let before = self.bytesBackwards(from: token)
    return String(decoding: before.prefix(while: \.continuesName).reversed(), as: UTF8.self)
  }

  /// Whether the token could be an infix operator: an operand can end before it.
  func followsOperand(_ token: Token) -> Bool {
    self.bytesBackwards(from: token).first.map {
      $0.continuesName || ")]}@\"'`".utf8.contains($0)
    } == true
  }

  /// The bytes before a token and any space, in reverse order.
  private func bytesBackwards(from token: Token) -> Slice<ReversedCollection<ArraySlice<UInt8>>> {
    self.bytes.prefix(token.range.lowerBound).reversed().drop(while: \.isSpace)
  }

  /// Whether the byte before a token is "=".
  func hasEqualSign(before token: Token) -> Bool {
    self.byte(at: token.range.lowerBound - 1) == UInt8(ascii: "=")
  }

  private func byte(at offset: Int) -> UInt8? {
    self.bytes.indices.contains(offset) ? self.bytes[offset] : nil
  }

  private mutating func kind() throws(ExpressionError) -> Token.Kind {
    guard let byte = self.byte(at: self.offset) else { return .end }
    let start = self.offset
    self.offset += 1
    switch byte {
    case UInt8(ascii: "."): return .dot
    case UInt8(ascii: "*"): return .star
    case UInt8(ascii: "]"): return .rightBracket
    case UInt8(ascii: "{"): return .leftBrace
    case UInt8(ascii: "}"): return .rightBrace
    case UInt8(ascii: "("): return .leftParenthesis
    case UInt8(ascii: ")"): return .rightParenthesis
    case UInt8(ascii: ","): return .comma
    case UInt8(ascii: ":"): return .colon
    case UInt8(ascii: "@"): return .at
    case UInt8(ascii: "["):
      return self.take("]") ? .flatten : self.take("?") ? .filter : .leftBracket
    case UInt8(ascii: "|"): return self.take("|") ? .or : .pipe
    case UInt8(ascii: "&"): return self.take("&") ? .and : .ampersand
    case UInt8(ascii: "="): return self.take("=") ? .comparison(.equal) : .assign
    case UInt8(ascii: "!"): return self.take("=") ? .comparison(.notEqual) : .not
    case UInt8(ascii: "<"): return .comparison(self.take("=") ? .lessOrEqual : .less)
    case UInt8(ascii: ">"): return .comparison(self.take("=") ? .greaterOrEqual : .greater)
    case UInt8(ascii: "\""):
      try self.takeThrough(byte, "name", from: start)
      return .quotedIdentifier
    case UInt8(ascii: "'"):
      try self.takeThrough(byte, "string", from: start)
      return .rawString
    case UInt8(ascii: "`"):
      try self.takeThrough(byte, "literal", from: start)
      return .literal
    case UInt8(ascii: "$"):
      try self.takeVariable(from: start)
      return .variable
    case UInt8(ascii: "-"):
      if let error = self.hyphenatedName(at: start) { throw error }
      guard self.byte(at: self.offset)?.isDigit == true else {
        throw ExpressionError(
          .syntax,
          "\"-\" must be followed by the digits of a number; JMESPath has no arithmetic",
          at: start)
      }
      self.takeWhile(\.isDigit)
      return .number
    case let byte where byte.isDigit:
      self.takeWhile(\.isDigit)
      return .number
    case let byte where byte.startsName:
      self.takeWhile(\.continuesName)
      return .identifier
    default:
      throw self.unexpectedCharacter(at: start)
    }
  }

  private mutating func take(_ expected: Unicode.Scalar) -> Bool {
    guard self.byte(at: self.offset) == UInt8(ascii: expected) else { return false }
    self.offset += 1
    return true
  }

  private mutating func takeWhile(_ isTaken: (UInt8) -> Bool) {
    while let byte = self.byte(at: self.offset), isTaken(byte) {
      self.offset += 1
    }
  }

  /// Scans to the closing quote. A backslash escapes the next character.
  private mutating func takeThrough(
    _ quote: UInt8, _ kind: String, from start: Int
  ) throws(ExpressionError) {
    while let byte = self.byte(at: self.offset) {
      self.offset += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == quote { return }
    }
    let quote = Unicode.Scalar(quote)
    throw ExpressionError(
      .syntax, "the \(kind) that begins here has no closing \(quote)", at: start)
  }

  private mutating func takeVariable(from start: Int) throws(ExpressionError) {
    guard self.byte(at: self.offset)?.startsName == true else {
      let isRoot = self.byte(at: self.offset).map(".[".utf8.contains) == true
      let hint = isRoot ? "; the root is @: write items instead of $.items" : ""
      throw ExpressionError(
        .syntax, "\"$\" must be followed by the name of a variable\(hint)", at: start)
    }
    self.takeWhile(\.continuesName)
  }

  /// The error for a hyphen in a name, such as `my-key`.
  private func hyphenatedName(at hyphen: Int) -> ExpressionError? {
    let isName = { (byte: UInt8) in byte.continuesName || byte == UInt8(ascii: "-") }
    let first = self.bytes[..<hyphen].reversed().prefix(while: \.continuesName)
    let start = hyphen - first.count
    guard let letter = self.byte(at: start), letter.startsName,
      let next = self.byte(at: hyphen + 1), isName(next)
    else { return nil }
    let end = self.bytes[hyphen...].firstIndex { !isName($0) } ?? self.bytes.count
    let name = self.text(start..<end)
    if self.byte(at: end) == UInt8(ascii: "(") {
      return .unknownFunction(name, at: start)
    }
    guard self.byte(at: start - 1) != UInt8(ascii: "$") else {
      return ExpressionError(
        .syntax, "the name of a variable cannot contain \"-\": $\(name)", at: start - 1)
    }
    return ExpressionError(
      .syntax, "a name that contains \"-\" must be in double quotes: \(quoted(name))", at: start)
  }

  private func unexpectedCharacter(at start: Int) -> ExpressionError {
    let rest = self.bytes[start...].prefix(4)
    let scalar = String(decoding: rest, as: UTF8.self).unicodeScalars.prefix(1)
    let isShown = scalar.first?.isPrintable == true
    let code = scalar.first.map { String($0.value, radix: 16, uppercase: true) } ?? ""
    let name = isShown ? quoted(String(scalar)) : "U+\(code)"
    if let scalar = scalar.first, "+/%".unicodeScalars.contains(scalar) {
      return ExpressionError(
        .syntax, "unexpected character \(name); JMESPath has no arithmetic", at: start)
    }
    return ExpressionError(
      .syntax, "unexpected character \(name); a name that contains it must be in double quotes",
      at: start)
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool {
    self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D
  }

  fileprivate var isDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }

  fileprivate var startsName: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) || self == UInt8(ascii: "_")
  }

  fileprivate var continuesName: Bool {
    self.startsName || self.isDigit
  }
}
