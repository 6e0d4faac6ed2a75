/// The statically known values of variables.
private struct StaticScope {
  /// The values of the arguments, by their index in the nodes; `nil` if unknown or not a string.
  let keys: [String?]

  /// The path nodes of the variables bound by the enclosing `let`s, outermost first.
  var locals: [PathNode?] = []

  init(keys: [String?]) {
    self.keys = keys
  }
}

extension Node {
  /// The paths at or under which this node may read, in ascending order. None lies under another.
  ///
  /// - Parameter keys: The values of the arguments; `nil` for those that are unknown or not
  ///   strings.
  func paths(with keys: [String?]) -> [Path] {
    let root = PathNode()
    var scope = StaticScope(keys: keys)
    self.trace(root, &scope)?.read()
    return root.paths
  }

  /// Evaluates this node symbolically, without a document, and records the paths that it reads.
  ///
  /// - Parameters:
  ///   - current: The path node of the current value; `nil` if the value is computed, and the paths
  ///     it was computed from are already recorded.
  ///   - scope: The statically known values of variables.
  /// - Returns: The path node of the result. It is read only when the result is used: `a.b` reads
  ///   `a.b`, not `a`.
  fileprivate func trace(_ current: PathNode?, _ scope: inout StaticScope) -> PathNode? {
    switch self {
    case .current: return current
    case .literal, .argument: return nil
    case .local(let level): return scope.locals[level]
    case .field(let field): return current?.member(field.key.text)
    case .index, .slice, .flatten: current?.read()
    case .chain(let steps): return steps.trace(current, &scope)
    case .list(let nodes):
      current?.readNullness()
      nodes.read(current, &scope)
    case .hash(let members, _):
      current?.readNullness()
      members.map(\.node).read(current, &scope)
    case .elements(let each), .values(let each):
      current?.read()
      each.node.read(nil, &scope)
    case .filter(let condition, let each):
      current?.read()
      condition.node.read(nil, &scope)
      each.node.read(nil, &scope)
    case .not(let node): node.read(current, &scope)
    case .and(let nodes), .or(let nodes): nodes.read(current, &scope)
    case .comparison(_, let left, let right):
      left.read(current, &scope)
      right.read(current, &scope)
    case .call(let call) where call.function == .get:
      return call.member(of: current, &scope)
    case .call(let call):
      for (index, argument) in call.arguments.enumerated() {
        argument.read(index == call.function.expressionIndex ? nil : current, &scope)
      }
    case .bind(let nodes, let body): return body.trace(current, binding: nodes, &scope)
    }
    return nil
  }

  private func trace(
    _ current: PathNode?, binding nodes: [Node], _ scope: inout StaticScope
  ) -> PathNode? {
    var pathNodes: [PathNode?] = []
    for node in nodes {
      pathNodes.append(node.trace(current, &scope))
    }
    scope.locals.append(contentsOf: pathNodes)
    defer { scope.locals.removeLast(pathNodes.count) }
    return self.trace(current, &scope)
  }

  private func read(_ current: PathNode?, _ scope: inout StaticScope) {
    self.trace(current, &scope)?.read()
  }
}

extension Node.Call {
  /// Traces `get(a, b)`. If `b` is known, it is traced as `a.b`.
  fileprivate func member(of current: PathNode?, _ scope: inout StaticScope) -> PathNode? {
    guard let (object, key) = self.pair else { return nil }
    let pathNode = object.trace(current, &scope)
    if let key = key.staticText(with: scope.keys) { return pathNode?.member(key) }
    pathNode?.read()
    key.read(current, &scope)
    return nil
  }

  private var pair: (Node, Node)? {
    guard let first = self.arguments.first, let last = self.arguments.last else { return nil }
    return (first, last)
  }
}

extension [Node] {
  fileprivate func read(_ current: PathNode?, _ scope: inout StaticScope) {
    for node in self {
      node.trace(current, &scope)?.read()
    }
  }

  fileprivate func trace(_ current: PathNode?, _ scope: inout StaticScope) -> PathNode? {
    var current = current
    for step in self {
      current = step.trace(current, &scope)
    }
    return current
  }
}
