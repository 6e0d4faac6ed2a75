import ImmutableJSON

/// A comparison operator.
enum Comparison {
  case equal
  case notEqual
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual
}

extension Comparison {
  /// Evaluates both operands on the current node and compares them.
  func evaluate(
    _ left: Node, _ right: Node, _ current: Value, _ scope: Scope
  ) throws(ExpressionError) -> Value {
    try scope.charge(2)
    return try self.evaluate(
      left.evaluate(current, scope), right.evaluate(current, scope), scope)
  }

  /// Compares two values. Only numbers are ordered; the order of other values is null.
  private func evaluate(
    _ left: Value, _ right: Value, _ scope: Scope
  ) throws(ExpressionError) -> Value {
    switch self {
    case .equal: .bool(try left.isEqual(to: right, scope))
    case .notEqual: .bool(!(try left.isEqual(to: right, scope)))
    case .less: Self.order(left, right, <, <)
    case .lessOrEqual: Self.order(left, right, <=, <=)
    case .greater: Self.order(left, right, >, >)
    case .greaterOrEqual: Self.order(left, right, >=, >=)
    }
  }

  /// Compares integers, the most frequent case, directly.
  @inline(__always)
  private static func order(
    _ left: Value, _ right: Value, _ integers: (Int64, Int64) -> Bool,
    _ numbers: (Number, Number) -> Bool
  ) -> Value {
    if case (.integer(let left), .integer(let right)) = (left, right) {
      return .bool(integers(left, right))
    }
    guard let left = Number(left), let right = Number(right) else { return .null }
    return .bool(numbers(left, right))
  }
}

extension Value {
  /// Whether both values are equal in JMESPath, where 1 equals 1.0, also in elements and members.
  func isEqual(to other: Value, _ scope: Scope) throws(ExpressionError) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.integer, .real), (.real, .integer), (.real, .real): Number(self) == Number(other)
    case (.string(let left), .string(let right)):
      try scope.areEqual(left, right)
    case (.array, .array), (.object, .object):
      try scope.areEquivalent(self, other)
    default: false
    }
  }
}
