extension Node {
  /// The paths that this can read under, in ascending order, none of which lies under another.
  var paths: [Path] {
    let root = Place()
    self.trace(root, [])?.read()
    return root.paths
  }

  /// Follows an evaluation without a document, and notes what it reads.
  ///
  /// - Parameters:
  ///   - current: The place of the current node, or none if it is no part of the document as it
  ///     stands: then all that it was made from is noted already.
  ///   - locals: The same of the variables that are bound.
  /// - Returns: The same of the result, which is read only when something is done with it: `a.b`
  ///   reads `a.b`, not `a`.
  fileprivate func trace(_ current: Place?, _ locals: [Place?]) -> Place? {
    switch self {
    case .current: return current
    case .literal, .argument: return nil
    case .local(let level): return locals[level]
    case .field(let key): return current?.member(key.text)
    case .index, .slice, .flatten: current?.read()
    case .chain(let steps): return steps.reduce(current) { $1.trace($0, locals) }
    case .list(let nodes):
      current?.test()
      nodes.read(current, locals)
    case .hash(let members):
      current?.test()
      members.map(\.node).read(current, locals)
    case .elements(let each), .values(let each):
      current?.read()
      each.read(nil, locals)
    case .filter(let condition, let each):
      current?.read()
      condition.read(nil, locals)
      each.read(nil, locals)
    case .not(let node): node.read(current, locals)
    case .and(let nodes), .or(let nodes): nodes.read(current, locals)
    case .comparison(_, let left, let right):
      left.read(current, locals)
      right.read(current, locals)
    case .call(let call):
      for (index, argument) in call.arguments.enumerated() {
        argument.read(index == call.function.expressionIndex ? nil : current, locals)
      }
    case .bind(let nodes, let body):
      return body.trace(current, locals + nodes.map { $0.trace(current, locals) })
    }
    return nil
  }

  private func read(_ current: Place?, _ locals: [Place?]) {
    self.trace(current, locals)?.read()
  }
}

extension [Node] {
  fileprivate func read(_ current: Place?, _ locals: [Place?]) {
    for node in self {
      node.trace(current, locals)?.read()
    }
  }
}
