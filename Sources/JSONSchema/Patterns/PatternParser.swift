import ImmutableJSON

/// A part of a pattern.
indirect enum PatternNode {
  case character(CharacterClass)
  case start
  case end
  case sequence([PatternNode])
  case choice([PatternNode])
  /// - Parameter max: `nil` for any number.
  case repeated(PatternNode, min: Int, max: Int?)
}

/// A pattern that is not in the subset of ECMA-262 that ``Pattern`` takes.
struct PatternError: Error {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

/// Parses a pattern. The recursion is as deep as its groups nest.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  private var at = 0
  private var depth = 0

  static var maxDepth: Int { 32 }

  init(_ text: String) {
    self.scalars = Array(text.unicodeScalars)
  }
}

extension PatternParser {
  mutating func parse() throws(PatternError) -> PatternNode {
    let node = try self.choice()
    guard self.next == nil else { throw PatternError("there is no \"(\" for a \")\"") }
    return node
  }

  private var next: Unicode.Scalar? {
    self.peek(0)
  }

  private func peek(_ distance: Int) -> Unicode.Scalar? {
    let index = self.at + distance
    return index < self.scalars.count ? self.scalars[index] : nil
  }

  private mutating func take() -> Unicode.Scalar? {
    guard let next else { return nil }
    self.at += 1
    return next
  }

  private mutating func take(_ text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    guard self.scalars[self.at...].starts(with: wanted) else { return false }
    self.at += wanted.count
    return true
  }

  private mutating func choice() throws(PatternError) -> PatternNode {
    var branches = [try self.sequence()]
    while self.take("|") { branches.append(try self.sequence()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var nodes: [PatternNode] = []
    while let next, next != "|", next != ")" {
      let node = try self.atom()
      nodes.append(try self.quantified(node))
    }
    return .sequence(nodes)
  }

  private mutating func atom() throws(PatternError) -> PatternNode {
    switch self.take() {
    case "^": return .start
    case "$": return .end
    case ".": return .character(.any)
    case "(": return try self.group()
    case "[": return .character(try self.bracket())
    case "\\": return .character(try self.escape())
    case let scalar? where "*+?{".unicodeScalars.contains(scalar):
      throw PatternError(
        "there is nothing to repeat before \(quoted(String(scalar))); write \"\\\(scalar)\" for "
          + "the character")
    case let scalar?: return .character(CharacterClass([scalar.value...scalar.value]))
    case nil: return .sequence([])
    }
  }

  private mutating func group() throws(PatternError) -> PatternNode {
    if self.take("?") {
      for form in ["=", "!", "<=", "<!"] where self.take(form) {
        throw PatternError("look-around, here \"(?\(form)\", is not supported")
      }
      if self.take("<") || self.take("P<") {
        while let scalar = self.take(), scalar != ">" {}
      } else if !self.take(":") {
        throw PatternError("groups begin with \"(\", \"(?:\" or \"(?<name>\"")
      }
    }
    guard self.depth < Self.maxDepth else {
      throw PatternError("groups nest deeper than \(Self.maxDepth)")
    }
    self.depth += 1
    defer { self.depth -= 1 }
    let node = try self.choice()
    guard self.take(")") else { throw PatternError("there is no \")\" for a \"(\"") }
    return node
  }
}

// MARK: Quantifiers

extension PatternParser {
  private mutating func quantified(_ node: PatternNode) throws(PatternError) -> PatternNode {
    let bounds: (min: Int, max: Int?)
    switch self.next {
    case "*": bounds = (0, nil)
    case "+": bounds = (1, nil)
    case "?": bounds = (0, 1)
    case "{":
      self.at += 1
      bounds = try self.counts()
      self.at -= 1
    default: return node
    }
    self.at += 1
    // A lazy quantifier matches the same texts.
    _ = self.take("?")
    if let next, "*+?{".unicodeScalars.contains(next) {
      throw PatternError("two quantifiers follow each other; put the first into a group")
    }
    switch node {
    case .start, .end: throw PatternError("an anchor must not be repeated")
    default: return .repeated(node, min: bounds.min, max: bounds.max)
    }
  }

  /// Parses the rest of `{2}`, `{2,}` or `{2,3}`, but the brace at its end.
  private mutating func counts() throws(PatternError) -> (min: Int, max: Int?) {
    let hint = PatternError("a \"{\" begins a count such as {2,3}; write \"\\{\" for the character")
    guard let min = try self.count() else { throw hint }
    var max: Int? = min
    if self.take(",") { max = try self.count() }
    guard self.take("}") else { throw hint }
    if let max, max < min { throw PatternError("the count {\(min),\(max)} is empty") }
    return (min, max)
  }

  private mutating func count() throws(PatternError) -> Int? {
    var count: Int?
    while let next, ("0"..."9").contains(next) {
      let value = (count ?? 0) * 10 + Int(next.value - 0x30)
      guard value <= PatternProgram.maxCount else {
        throw PatternError("a count is greater than \(PatternProgram.maxCount)")
      }
      count = value
      self.at += 1
    }
    return count
  }
}

// MARK: Characters

extension PatternParser {
  /// Parses a bracket expression after its bracket.
  private mutating func bracket() throws(PatternError) -> CharacterClass {
    let isNegated = self.take("^")
    var parts: [CharacterClass] = []
    while let scalar = self.take() {
      if scalar == "]" {
        guard !parts.isEmpty else { throw PatternError("a class between brackets is empty") }
        let union = CharacterClass(union: parts)
        return isNegated ? union.negated : union
      }
      let first = try self.bracketPart(scalar)
      guard self.next == "-", let last = self.peek(1), last != "]" else {
        parts.append(first.class)
        continue
      }
      self.at += 2
      guard let low = first.scalar, let high = try self.bracketPart(last).scalar else {
        throw PatternError("a range between brackets has a class at one end")
      }
      guard low.value <= high.value else {
        throw PatternError("the range \(quoted("\(low)-\(high)")) is empty")
      }
      parts.append(CharacterClass([low.value...high.value]))
    }
    throw PatternError("there is no \"]\" for a \"[\"")
  }

  private mutating func bracketPart(
    _ scalar: Unicode.Scalar
  ) throws(PatternError) -> (class: CharacterClass, scalar: Unicode.Scalar?) {
    guard scalar == "\\" else { return (CharacterClass([scalar.value...scalar.value]), scalar) }
    if let escaped = try self.escapedScalar() {
      return (CharacterClass([escaped.value...escaped.value]), escaped)
    }
    return (try self.escapedClass(), nil)
  }

  /// Parses an escape after its backslash.
  private mutating func escape() throws(PatternError) -> CharacterClass {
    if let escaped = try self.escapedScalar() {
      return CharacterClass([escaped.value...escaped.value])
    }
    return try self.escapedClass()
  }

  private mutating func escapedClass() throws(PatternError) -> CharacterClass {
    guard let letter = self.take() else { throw PatternError("there is nothing after a \"\\\"") }
    if let known = CharacterClass(escape: letter) { return known }
    if letter == "p" || letter == "P" {
      let known = try self.category()
      return letter == "p" ? known : known.negated
    }
    let what = ("1"..."9").contains(letter) || letter == "k" ? "back-reference" : "escape"
    throw PatternError("the \(what) \(quoted("\\\(letter)")) is not supported")
  }

  /// Parses a general category: `{Lu}`, `{L}`, `{gc=Letter}`.
  private mutating func category() throws(PatternError) -> CharacterClass {
    var name = ""
    if self.take("{") {
      while let scalar = self.take(), scalar != "}" { name.unicodeScalars.append(scalar) }
    }
    for prefix in ["gc=", "General_Category="] where name.hasPrefix(prefix) {
      name = String(name.dropFirst(prefix.count))
    }
    guard let categories = Set<Unicode.GeneralCategory>(named: name) else {
      throw PatternError(
        "\(quoted("\\p{\(name)}")) is not supported; \"\\p\" takes a general category such as "
          + "\"\\p{L}\"")
    }
    return CharacterClass(categories)
  }

  /// Parses an escape of one character; `nil` if it is another escape.
  private mutating func escapedScalar() throws(PatternError) -> Unicode.Scalar? {
    guard let letter = self.next else { return nil }
    switch letter {
    case "t": self.at += 1; return "\t"
    case "n": self.at += 1; return "\n"
    case "r": self.at += 1; return "\r"
    case "v": self.at += 1; return "\u{B}"
    case "f": self.at += 1; return "\u{C}"
    case "x":
      self.at += 1
      return try self.scalar(self.digits(2))
    case "u":
      self.at += 1
      return try self.unicodeScalar()
    default:
      guard letter.isASCII, letter.properties.generalCategory.isPunctuation else { return nil }
      self.at += 1
      return letter
    }
  }

  /// Parses the rest of `\u00e9`, `\ud83d\ude00` or `\u{1f600}`.
  private mutating func unicodeScalar() throws(PatternError) -> Unicode.Scalar {
    if self.take("{") {
      var digits = 0
      while self.peek(digits).map({ $0 != "}" }) == true, digits < 7 { digits += 1 }
      let value = try self.digits(digits)
      guard self.take("}") else { throw self.badDigits }
      return try self.scalar(value)
    }
    let unit = try self.digits(4)
    guard (0xD800...0xDBFF).contains(unit), self.take("\\u") else { return try self.scalar(unit) }
    let low = try self.digits(4)
    guard (0xDC00...0xDFFF).contains(low) else { throw self.badDigits }
    return try self.scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF)
  }

  private var badDigits: PatternError {
    PatternError("an escape of a code point looks like \"\\x41\", \"\\u0041\" or \"\\u{41}\"")
  }

  private func scalar(_ value: UInt32) throws(PatternError) -> Unicode.Scalar {
    guard let scalar = Unicode.Scalar(value) else { throw self.badDigits }
    return scalar
  }

  private mutating func digits(_ count: Int) throws(PatternError) -> UInt32 {
    var value: UInt32 = 0
    guard count > 0 else { throw self.badDigits }
    for _ in 0..<count {
      guard let digit = self.take().flatMap({ Character($0).hexDigitValue }) else {
        throw self.badDigits
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}

extension Unicode.GeneralCategory {
  /// Whether ASCII characters of the category stand for themselves after a backslash.
  fileprivate var isPunctuation: Bool {
    switch self {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .spaceSeparator:
      true
    default: false
    }
  }
}
