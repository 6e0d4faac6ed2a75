import ImmutableJSON

/// The result of one step of a chain, and the input of the next.
enum StepResult {
  case value(Value)

  /// The elements of an array that is not created unless a later step needs it.
  case elements(Elements)

  /// The value. Creates an array of the elements.
  func value(_ scope: Scope) throws(ExpressionError) -> Value {
    switch self {
    case .value(let value): value
    case .elements(.kept(let list)): try list.array(scope)
    case .elements(.all(let values)): try scope.array(values.array ?? JSONArray(values))
    case .elements(let elements): try scope.array(JSONArray(elements.values))
    }
  }
}

extension StepResult {
  /// Applies the next step. A projection of a value of another kind is null.
  func applying(_ step: Node, _ scope: Scope) throws(ExpressionError) -> StepResult {
    if let results = scope.results, let result = try results.applying(step, to: self, scope) {
      return result
    }
    return switch (step, self) {
    case (.elements(let each), .value(.array(let array))):
      .elements(try Elements.all(array.values).projected(each, scope))
    case (.elements(let each), .elements(let elements)):
      .elements(try elements.projected(each, scope))
    case (.values(let each), .value(.object(let object))):
      .elements(try Elements.all(object.values).projected(each, scope))
    case (.filter(let condition, let each), .value(.array(let array))):
      .elements(try Elements.all(array.values).filtered(by: condition, each, scope))
    case (.filter(let condition, let each), .elements(let elements)):
      .elements(try elements.filtered(by: condition, each, scope))
    case (.flatten, .value(.array(let array))):
      .elements(try Elements.all(array.values).flattened(scope))
    case (.flatten, .elements(let elements)):
      .elements(try elements.flattened(scope))
    case (.elements, _), (.values, _), (.filter, _), (.flatten, _):
      .value(.null)
    default:
      .value(try step.evaluate(self.value(scope), scope))
    }
  }
}
