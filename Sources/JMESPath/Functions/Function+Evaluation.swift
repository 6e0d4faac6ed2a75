import ImmutableJSON

extension Function {
  /// Evaluates a call. The parser has checked the number of arguments.
  func evaluate(_ arguments: Arguments) throws(ExpressionError) -> Value {
    switch self {
    case .abs: try arguments.number(0).magnitude.value
    case .avg: try arguments.average()
    case .ceil: try arguments.number(0).roundedUp.value
    case .contains: try arguments.contains()
    case .endsWith: try arguments.endsWith()
    case .floor: try arguments.number(0).roundedDown.value
    case .get: try arguments.get()
    case .join: try arguments.join()
    case .keys: try arguments.keys()
    case .length: try arguments.length()
    case .map: try arguments.map()
    case .max: try arguments.extreme { $1 < $0 }
    case .maxBy: try arguments.extremeBy { $1 < $0 }
    case .merge: try arguments.merge()
    case .min: try arguments.extreme { $0 < $1 }
    case .minBy: try arguments.extremeBy { $0 < $1 }
    case .notNull: try arguments.notNull()
    case .reverse: try arguments.reverse()
    case .sort: try arguments.sort()
    case .sortBy: try arguments.sortBy()
    case .startsWith: try arguments.startsWith()
    case .sum: try arguments.sum()
    case .toArray: try arguments.toArray()
    case .toNumber: try arguments.toNumber()
    case .toString: try arguments.toString()
    case .type: .string(try arguments.value(0).typeName)
    case .values: try arguments.values()
    }
  }
}

extension Value {
  fileprivate var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer, .real: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
