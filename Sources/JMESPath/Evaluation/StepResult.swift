import ImmutableJSON

/// What one step of a chain hands to the next.
enum StepResult {
  case value(Value)

  /// The elements of an array, which is not made if the next step takes it apart again.
  case elements(ContiguousArray<Value>)

  /// The value, for which an array is made if need be.
  func value(_ scope: Scope) throws(ExpressionError) -> Value {
    switch self {
    case .value(let value): value
    case .elements(let elements): try scope.array(JSONArray(elements))
    }
  }
}

extension StepResult {
  /// What a step makes of this. A projection makes null of what it cannot take apart.
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
  /// What `each` makes of the values, without the nulls. A field, the most common, is looked up in
  /// all at once.
  fileprivate func projected(
    _ each: Node, _ scope: Scope
  ) throws(ExpressionError) -> ContiguousArray<Value> {
    guard case .field(let key) = each else { return try self.evaluated(by: each, scope) }
    try scope.charge(2 * self.underestimatedCount)
    let members = self.members(key)
    try scope.chargeMaking(elements: members.count)
    return members
  }
}

// Of the sequences here, the underestimated count is the count. Charged are the elements and the parts
// of the expression that are evaluated for each, and behind that what was made of them.
extension Sequence<Value> {
  /// What `each` makes of the values, without the nulls.
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
    try scope.chargeMaking(elements: result.count)
    return result
  }

  /// What `each` makes of the values for which the condition is true, without the nulls.
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
    try scope.chargeMaking(elements: result.count)
    return result
  }

  /// The elements of the arrays among the values, and the other values.
  fileprivate func flattened(_ scope: Scope) throws(ExpressionError) -> ContiguousArray<Value> {
    try scope.charge(self.underestimatedCount)
    var result: ContiguousArray<Value> = []
    result.reserveCapacity(self.underestimatedCount)
    for value in self {
      if case .array(let inner) = value {
        try scope.chargeMaking(elements: inner.count)
        result.append(contentsOf: inner)
      } else {
        try scope.chargeMaking(elements: 1)
        result.append(value)
      }
    }
    return result
  }
}
