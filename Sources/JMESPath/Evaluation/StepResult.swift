import ImmutableJSON

/// The result of one step of a chain, and the input of the next.
enum StepResult {
  case value(Value)

  /// The elements of an array that is not created unless a later step needs it.
  case elements(ContiguousArray<Value>)

  /// The value. Creates an array of the elements.
  func value(_ scope: Scope) throws(ExpressionError) -> Value {
    switch self {
    case .value(let value): value
    case .elements(let elements): try scope.array(JSONArray(elements))
    }
  }
}

extension StepResult {
  /// Applies the next step. A projection of a value of another kind is null.
  func applying(_ step: Node, _ scope: Scope) throws(ExpressionError) -> StepResult {
    switch (step, self) {
    case (.elements(let each), .value(.array(let array))):
      .elements(try array.values.projected(each, scope))
    case (.elements(let each), .elements(let elements)):
      .elements(try elements.evaluated(by: each, scope))
    case (.values(let each), .value(.object(let object))):
      .elements(try object.values.projected(each, scope))
    case (.filter(let condition, let each), .value(.array(let array))):
      .elements(try array.values.filtered(by: condition, each, scope))
    case (.filter(let condition, let each), .elements(let elements)):
      .elements(try elements.filtered(by: condition, each, scope))
    case (.flatten, .value(.array(let array))):
      .elements(try array.values.flattened(scope))
    case (.flatten, .elements(let elements)):
      .elements(try elements.flattened(scope))
    case (.elements, _), (.values, _), (.filter, _), (.flatten, _):
      .value(.null)
    default:
      .value(try step.evaluate(self.value(scope), scope))
    }
  }
}

extension ValueSequence {
  /// Evaluates `each` on the values, and drops nulls. Looks up a field, the most frequent case, in
  /// all values at once.
  fileprivate func projected(
    _ each: Node, _ scope: Scope
  ) throws(ExpressionError) -> ContiguousArray<Value> {
    guard case .field(let key) = each else { return try self.evaluated(by: each, scope) }
    try scope.charge(2 * self.underestimatedCount)
    let members = self.members(key)
    try scope.chargeCreating(elements: members.count)
    return members
  }
}

// The underestimated count of these sequences is exact. The functions charge in advance for the
// elements and for the nodes evaluated on each, and afterward for the new elements.
extension Sequence<Value> {
  /// Evaluates `each` on the values, and drops nulls.
  fileprivate func evaluated(
    by each: Node, _ scope: Scope
  ) throws(ExpressionError) -> ContiguousArray<Value> {
    try scope.charge(2 * self.underestimatedCount)
    var result: ContiguousArray<Value> = []
    result.reserveCapacity(self.underestimatedCount)
    for value in self {
      let value = try each.evaluate(value, scope)
      if case .null = value { continue }
      result.append(value)
    }
    try scope.chargeCreating(elements: result.count)
    return result
  }

  /// Evaluates `each` on the values that satisfy the condition, and drops nulls.
  fileprivate func filtered(
    by condition: Node, _ each: Node, _ scope: Scope
  ) throws(ExpressionError) -> ContiguousArray<Value> {
    try scope.charge(3 * self.underestimatedCount)
    var result: ContiguousArray<Value> = []
    for value in self where try condition.evaluate(value, scope).isTrue {
      let value = try each.evaluate(value, scope)
      if case .null = value { continue }
      result.append(value)
    }
    try scope.chargeCreating(elements: result.count)
    return result
  }

  /// Flattens the arrays among the values by one level.
  fileprivate func flattened(_ scope: Scope) throws(ExpressionError) -> ContiguousArray<Value> {
    try scope.charge(self.underestimatedCount)
    var result: ContiguousArray<Value> = []
    result.reserveCapacity(self.underestimatedCount)
    for value in self {
      if case .array(let inner) = value {
        try scope.chargeCreating(elements: inner.count)
        result.append(contentsOf: inner)
      } else {
        try scope.chargeCreating(elements: 1)
        result.append(value)
      }
    }
    return result
  }
}
