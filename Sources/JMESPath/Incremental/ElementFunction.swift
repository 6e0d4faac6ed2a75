import ImmutableJSON

/// What a projection, a filter or a function evaluates on each element of a collection, and what
/// this costs.
final class ElementFunction {
  /// The steps of a projection or a filter; `nil` for other nodes.
  private var steps: (condition: Condition?, each: Projected)?

  /// What other nodes evaluate.
  private var each = Node.current

  /// What is computed for each element.
  private(set) var kind = TreeMirror.Kind.outputs

  /// Whether the outputs are in reverse order.
  private(set) var isReversed = false

  /// The units for each element besides those of the nodes, and for each output.
  private(set) var elementUnits: Int
  private(set) var outputUnits = 3

  /// The function of a projection or a filter; `nil` for other nodes.
  static func of(_ node: Node) -> (ElementFunction, Site?)? {
    switch node {
    case .elements(let each), .values(let each):
      (ElementFunction(nil, each, elementUnits: 2), each.site)
    case .filter(let condition, let each):
      (ElementFunction(condition, each, elementUnits: 3), each.site)
    case .flatten(let site): (ElementFunction(), site)
    default: nil
    }
  }

  /// The function of `keys`, `map`, `reverse` or `values`.
  init(_ call: Node.Call) {
    self.elementUnits = call.function == .map ? 2 : 1
    self.isReversed = call.function == .reverse
    self.kind = call.function == .keys ? .outputsOfKeys : .outputs
    if call.function == .map {
      self.each = call.arguments[0]
    }
  }

  private init(_ condition: Condition?, _ each: Projected, elementUnits: Int) {
    self.steps = (condition, each)
    self.elementUnits = elementUnits
  }

  /// The function of `[]`.
  private init() {
    self.kind = .elements
    self.elementUnits = 1
    self.outputUnits = 0
  }
}

extension ElementFunction {
  /// Whether all outputs are the elements, in their order, unless they are dropped.
  var isIdentity: Bool {
    guard case .current = self.steps?.each.node ?? self.each else { return false }
    return self.kind == .outputs && !self.isReversed
  }

  /// The filter that evaluates the function; `nil` if ``append(outputOf:to:_:)`` does.
  func filter(_ scope: Scope) -> Filter? {
    self.steps.map { Filter($0.condition, $0.each, scope) }
  }

  /// Appends the outputs of an element. There is at least one.
  func append(
    outputsOf element: Value, to outputs: inout ContiguousArray<Value>, _ scope: Scope
  ) throws(ExpressionError) {
    let output = try self.each.evaluate(element, scope)
    switch (self.kind, output) {
    // Charges before it adds them: many elements may be the same long array.
    case (.elements, .array(let elements)):
      try scope.chargeCreating(elements: elements.count)
      outputs.append(contentsOf: elements)
    case (.elements, _):
      try scope.chargeCreating(elements: 1)
      outputs.append(output)
    case (.outputsOfKeys, .string(let key)):
      if key.utf8.count > 15 { try scope.chargeCreating(bytes: key.utf8.count) }
      outputs.append(output)
    default: outputs.append(output)
    }
  }
}
