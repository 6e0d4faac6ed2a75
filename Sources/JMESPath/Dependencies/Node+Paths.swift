/// What is known of variables where an evaluation is followed.
private struct Names {
  /// The values of the arguments that are known and are strings.
  let keys: [String?]

  /// The places of the variables that the `let`s around have bound, from the outermost.
  var locals: [Place?] = []

  init(keys: [String?]) {
    self.keys = keys
  }

  /// The string that a node gives, if it is known without a document.
  func text(of node: Node) -> String? {
    switch node {
    case .literal(.string(let text)): text
    case .argument(let index, offset: _): self.keys[index]
    default: nil
    }
  }
}

extension Node {
  /// The paths that this can read under, in ascending order, none of which lies under another.
  ///
  /// - Parameter keys: The values of the arguments that are known and are strings.
  func paths(with keys: [String?]) -> [Path] {
    let root = Place()
    var names = Names(keys: keys)
    self.trace(root, &names)?.read()
    return root.paths
  }

  /// Follows an evaluation without a document, and notes what it reads.
  ///
  /// - Parameters:
  ///   - current: The place of the current node, or none if it is no part of the document as it
  ///     stands: then all that it was made from is noted already.
  ///   - names: What is known of variables.
  /// - Returns: The same of the result, which is read only when something is done with it: `a.b`
  ///   reads `a.b`, not `a`.
  fileprivate func trace(_ current: Place?, _ names: inout Names) -> Place? {
    switch self {
    case .current: return current
    case .literal, .argument: return nil
    case .local(let level): return names.locals[level]
    case .field(let key): return current?.member(key.text)
    case .index, .slice, .flatten: current?.read()
    case .chain(let steps): return steps.trace(current, &names)
    case .list(let nodes):
      current?.test()
      nodes.read(current, &names)
    case .hash(let members):
      current?.test()
      members.map(\.node).read(current, &names)
    case .elements(let each), .values(let each):
      current?.read()
      each.read(nil, &names)
    case .filter(let condition, let each):
      current?.read()
      condition.read(nil, &names)
      each.read(nil, &names)
    case .not(let node): node.read(current, &names)
    case .and(let nodes), .or(let nodes): nodes.read(current, &names)
    case .comparison(_, let left, let right):
      left.read(current, &names)
      right.read(current, &names)
    case .call(let call) where call.function == .get:
      return call.member(of: current, &names)
    case .call(let call):
      for (index, argument) in call.arguments.enumerated() {
        argument.read(index == call.function.expressionIndex ? nil : current, &names)
      }
    case .bind(let nodes, let body): return body.trace(current, binding: nodes, &names)
    }
    return nil
  }

  private func trace(
    _ current: Place?, binding nodes: [Node], _ names: inout Names
  ) -> Place? {
    var places: [Place?] = []
    for node in nodes {
      places.append(node.trace(current, &names))
    }
    names.locals.append(contentsOf: places)
    defer { names.locals.removeLast(places.count) }
    return self.trace(current, &names)
  }

  private func read(_ current: Place?, _ names: inout Names) {
    self.trace(current, &names)?.read()
  }
}

extension Node.Call {
  /// What `get(a, b)` reads: if `b` is known, what `a.b` reads.
  fileprivate func member(of current: Place?, _ names: inout Names) -> Place? {
    guard let (object, key) = self.pair else { return nil }
    let place = object.trace(current, &names)
    if let key = names.text(of: key) { return place?.member(key) }
    place?.read()
    key.read(current, &names)
    return nil
  }

  private var pair: (Node, Node)? {
    guard let first = self.arguments.first, let last = self.arguments.last else { return nil }
    return (first, last)
  }
}

extension [Node] {
  fileprivate func read(_ current: Place?, _ names: inout Names) {
    for node in self {
      node.trace(current, &names)?.read()
    }
  }

  fileprivate func trace(_ current: Place?, _ names: inout Names) -> Place? {
    var current = current
    for step in self {
      current = step.trace(current, &names)
    }
    return current
  }
}
