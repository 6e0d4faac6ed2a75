/// A built-in function.
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
  /// The minimum number of arguments.
  var arity: Int {
    switch self {
    case .contains, .endsWith, .get, .join, .map, .maxBy, .minBy, .sortBy, .startsWith: 2
    default: 1
    }
  }

  /// Whether it accepts more arguments than its arity.
  var isVariadic: Bool {
    self == .merge || self == .notNull
  }

  /// The index of the argument that is an expression, such as `&name`.
  var expressionIndex: Int? {
    switch self {
    case .map: 0
    case .maxBy, .minBy, .sortBy: 1
    default: nil
    }
  }
}
