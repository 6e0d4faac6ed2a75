/// A function of the language.
enum Function: String, CaseIterable {
  case abs
  case avg
  case ceil
  case contains
  case endsWith = "ends_with"
  case floor
  case get
  case join
  case keys
  case length
  case map
  case max
  case maxBy = "max_by"
  case merge
  case min
  case minBy = "min_by"
  case notNull = "not_null"
  case reverse
  case sort
  case sortBy = "sort_by"
  case startsWith = "starts_with"
  case sum
  case toArray = "to_array"
  case toNumber = "to_number"
  case toString = "to_string"
  case type
  case values
}

extension Function {
  /// How many arguments it takes at least.
  var arity: Int {
    switch self {
    case .contains, .endsWith, .get, .join, .map, .maxBy, .minBy, .sortBy, .startsWith: 2
    default: 1
    }
  }

  /// Whether it takes any number of arguments beyond its arity.
  var isVariadic: Bool {
    self == .merge || self == .notNull
  }

  /// Which argument is an expression that it evaluates itself, such as `&name`.
  var expressionIndex: Int? {
    switch self {
    case .map: 0
    case .maxBy, .minBy, .sortBy: 1
    default: nil
    }
  }
}
