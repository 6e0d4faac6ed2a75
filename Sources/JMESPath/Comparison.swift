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
  /// Whether it holds. Only numbers have an order: of others it is null.
  func evaluate(_ left: Value, _ right: Value, _ scope: Scope) throws(Fault) -> Value {
    switch self {
    case .equal: .bool(try left.isEqual(to: right, scope))
    case .notEqual: .bool(!(try left.isEqual(to: right, scope)))
    case .less: Self.order(left, right, <, <)
    case .lessOrEqual: Self.order(left, right, <=, <=)
    case .greater: Self.order(left, right, >, >)
    case .greaterOrEqual: Self.order(left, right, >=, >=)
    }
  }

  /// The order of integers, which most numbers are, is asked for without a detour.
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
  /// Whether both are the same to the language, where 1 and 1.0 are, in elements and members too.
  func isEqual(to other: Value, _ scope: Scope) throws(Fault) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)): try left.isEqual(to: right, scope)
    case (.object(let left), .object(let right)): try left.isEqual(to: right, scope)
    case (.integer, .integer), (.integer, .real), (.real, .integer), (.real, .real):
      Number(self) == Number(other)
    default: false
    }
  }
}

extension JSONArray {
  fileprivate func isEqual(to other: JSONArray, _ scope: Scope) throws(Fault) -> Bool {
    if self.isIdentical(to: other) { return true }
    guard self.count == other.count else { return false }
    try scope.charge(self.count)
    for (left, right) in zip(self, other) {
      guard try left.isEqual(to: right, scope) else { return false }
    }
    return true
  }
}

extension JSONObject {
  fileprivate func isEqual(to other: JSONObject, _ scope: Scope) throws(Fault) -> Bool {
    if self.isIdentical(to: other) { return true }
    guard self.count == other.count else { return false }
    try scope.charge(self.count)
    // Both have their members in the order of the keys.
    for (left, right) in zip(self, other) {
      guard left.key.utf8.elementsEqual(right.key.utf8),
        try left.value.isEqual(to: right.value, scope)
      else { return false }
    }
    return true
  }
}
