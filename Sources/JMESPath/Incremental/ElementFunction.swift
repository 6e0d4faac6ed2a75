import ImmutableJSON

/// What a projection, a filter or a function evaluates on each element of a collection, and what
/// this costs.
struct ElementFunction {
  private var condition: Node?
  private var each = Node.current
  private var dropsNulls = true

  /// What is computed for each element.
  private(set) var kind = TreeMirror.Kind.outputs

  /// Whether the outputs are in reverse order.
  private(set) var isReversed = false

  /// The units for each element besides those of the nodes, and for each output.
  private(set) var elementUnits: Int
  private(set) var outputUnits: Int

  /// The function of a projection or a filter; `nil` for other nodes.
  static func of(_ node: Node) -> (ElementFunction, Site?)? {
    switch node {
    case .elements(let each), .values(let each):
      (ElementFunction(each: each.node, elementUnits: 2), each.site)
    case .filter(let condition, let each):
      (ElementFunction(condition: condition.node, each: each.node, elementUnits: 3), each.site)
    case .flatten(let site):
      (ElementFunction(each: .current, elementUnits: 1, kind: .elements), site)
    default: nil
    }
  }

  /// The function of `keys`, `map`, `reverse` or `values`.
  init(_ call: Node.Call) {
    self.elementUnits = call.function == .map ? 2 : 1
    self.outputUnits = 3
    self.dropsNulls = false
    self.isReversed = call.function == .reverse
    self.kind = call.function == .keys ? .outputsOfKeys : .outputs
    if call.function == .map {
      self.each = call.arguments[0]
    }
  }

  private init(
    condition: Node? = nil, each: Node, elementUnits: Int, kind: TreeMirror.Kind = .outputs
  ) {
    self.dropsNulls = kind == .outputs
    self.kind = kind
    self.outputUnits = kind == .elements ? 0 : 3
    self.condition = condition
    self.each = each
    self.elementUnits = elementUnits
  }
}

extension ElementFunction {
  /// Whether all outputs are the elements, in their order, unless they are dropped.
  var isIdentity: Bool {
    if case .current = self.each { self.kind == .outputs && !self.isReversed } else { false }
  }

  /// Appends the outputs of an element, and returns whether it has some.
  func append(
    outputsOf element: Value, to outputs: inout ContiguousArray<Value>, _ scope: Scope
  ) throws(ExpressionError) -> Bool {
    if let condition = self.condition, !(try condition.evaluate(element, scope).isTrue) {
      return false
    }
    let output = try self.each.evaluate(element, scope)
    switch (self.kind, output) {
    case (.outputs, .null) where self.dropsNulls: return false
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
    return true
  }
}
