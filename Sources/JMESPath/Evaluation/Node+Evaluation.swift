import ImmutableJSON

extension Node {
  /// Evaluates this node on the current value. The depth of the expression bounds the recursion.
  ///
  /// The caller has already charged for this node, which charges for its children.
  ///
  /// Each case that needs more than a line has its own function, to keep stack frames small.
  func evaluate(_ current: Value, _ scope: Scope) throws(ExpressionError) -> Value {
    switch self {
    case .current: current
    case .literal(let value): value
    case .argument(let index): scope.arguments[index]
    case .local(let level): scope.locals[level]
    case .field(let field): scope.member(field, of: current)
    case .index(let index): current.element(at: index)
    case .slice(let slice): try current.elements(in: slice, scope)
    case .chain(let steps): try steps.evaluateChain(current, scope).value(scope)
    case .list(let nodes): try nodes.evaluateList(current, scope)
    case .hash(let members, let template):
      try members.evaluateHash(template, current, scope)
    case .elements, .values, .filter, .flatten:
      try StepResult.value(current).applying(self, scope).value(scope)
    case .not(let node): .bool(!(try node.evaluateCharged(current, scope).isTrue))
    case .and(let nodes): try nodes.evaluateUntil(false, current, scope)
    case .or(let nodes): try nodes.evaluateUntil(true, current, scope)
    case .comparison(let comparison, let left, let right):
      try comparison.evaluate(left, right, current, scope)
    case .call(let call): try call.evaluate(current, scope)
    case .bind(let values, let body): try body.evaluate(current, binding: values, scope)
    }
  }

  /// As ``evaluate(_:_:)``, but does not create an array for the elements of a projection.
  func result(_ current: Value, _ scope: Scope) throws(ExpressionError) -> StepResult {
    switch self {
    case .chain(let steps): try steps.evaluateChain(current, scope)
    case .elements, .values, .filter, .flatten:
      try StepResult.value(current).applying(self, scope)
    default: .value(try self.evaluate(current, scope))
    }
  }

  /// Charges for this node and evaluates it.
  func evaluateCharged(_ current: Value, _ scope: Scope) throws(ExpressionError) -> Value {
    try scope.charge(1)
    return try self.evaluate(current, scope)
  }

  private func evaluate(
    _ current: Value, binding nodes: [Node], _ scope: Scope
  ) throws(ExpressionError) -> Value {
    let values = try nodes.evaluateAll(current, scope)
    return try scope.binding(values) { () throws(ExpressionError) in
      try self.evaluateCharged(current, scope)
    }
  }
}

extension [Node] {
  fileprivate func evaluateAll(
    _ current: Value, _ scope: Scope
  ) throws(ExpressionError) -> [Value] {
    try scope.charge(self.count)
    var values: [Value] = []
    values.reserveCapacity(self.count)
    for node in self {
      values.append(try node.evaluate(current, scope))
    }
    return values
  }

  fileprivate func evaluateChain(
    _ current: Value, _ scope: Scope
  ) throws(ExpressionError) -> StepResult {
    try scope.charge(self.count)
    var result = StepResult.value(current)
    for node in self {
      result = try result.applying(node, scope)
    }
    return result
  }

  fileprivate func evaluateList(_ current: Value, _ scope: Scope) throws(ExpressionError) -> Value {
    if case .null = current { return .null }
    try scope.chargeCreating(container: self.count)
    return try scope.array(JSONArray(try self.evaluateAll(current, scope)))
  }

  /// The first value whose truth is `isTrue`, otherwise the last.
  fileprivate func evaluateUntil(
    _ isTrue: Bool, _ current: Value, _ scope: Scope
  ) throws(ExpressionError) -> Value {
    try scope.charge(self.count)
    var value = Value.null
    for node in self {
      value = try node.evaluate(current, scope)
      if value.isTrue == isTrue { break }
    }
    return value
  }
}

extension [Node.Member] {
  fileprivate func evaluateHash(
    _ template: ObjectTemplate?, _ current: Value, _ scope: Scope
  ) throws(ExpressionError) -> Value {
    if case .null = current { return .null }
    try scope.chargeCreating(container: 2 * self.count)
    var values: ContiguousArray<Value> = []
    values.reserveCapacity(self.count)
    for member in self {
      values.append(try member.node.evaluateCharged(current, scope))
    }
    let object = template?.object(values) ?? JSONObject(zip(self.map(\.key), values))
    return try scope.object(object)
  }
}

extension Value {
  /// Whether this value is truthy: all values except null, false and empty ones. 0 is truthy.
  var isTrue: Bool {
    switch self {
    case .null: false
    case .bool(let value): value
    case .integer, .real: true
    case .string(let value): !value.isEmpty
    case .array(let elements): !elements.isEmpty
    case .object(let members): members.count > 0
    }
  }
}
