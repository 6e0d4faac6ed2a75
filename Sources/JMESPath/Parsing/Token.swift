/// A token of an expression.
struct Token {
  let kind: Kind

  /// Its bytes in the expression, including the quotes of a string.
  let range: Range<Int>

  enum Kind: Equatable {
    case identifier
    case quotedIdentifier
    case variable
    case number
    case literal
    case rawString
    case dot
    case star
    case flatten
    case filter
    case leftBracket
    case rightBracket
    case leftBrace
    case rightBrace
    case leftParenthesis
    case rightParenthesis
    case comma
    case colon
    case at
    case pipe
    case or
    case and
    case ampersand
    case not
    case assign
    case comparison(Comparison)
    case end
  }
}

extension Token.Kind {
  /// The left binding power; 0 for a token that ends an expression.
  ///
  /// The powers are those of the reference implementation in Python, whose quirks define the
  /// language. For example, the filter in `a.*.b[?c]` applies to the list of all `b`.
  var power: Int {
    switch self {
    case .pipe: 1
    case .or: 2
    case .and: 3
    case .comparison: Self.comparisonPower
    case .flatten: Self.flattenPower
    case .star: Self.starPower
    case .filter: Self.filterPower
    case .dot: Self.dotPower
    case .not: 45
    case .leftBrace: 50
    case .leftBracket: 55
    case .leftParenthesis: 60
    default: 0
    }
  }

  static let comparisonPower = 5
  static let flattenPower = 9
  /// Operators with a lower power end a projection.
  static let projectionStop = 10
  static let starPower = 20
  static let filterPower = 21
  static let dotPower = 40
}
