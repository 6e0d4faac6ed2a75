extension Expression {
  /// Why an evaluation takes time for whole collections even with ``PartialResults``, as a
  /// sentence; `nil` if it takes time for what has changed.
  ///
  /// What is evaluated on an element, such as a projection inside another one, counts as one step.
  public var incrementalObstacle: String? {
    self.root.obstacle
  }
}

extension Node {
  /// The recursion is as deep as the expression nests.
  fileprivate var obstacle: String? {
    switch self {
    case .current, .literal, .argument, .local, .field, .index, .flatten: nil
    case .slice(let slice): slice.step == 1 ? nil : "a slice with a step reads all elements"
    case .chain(let steps): steps.obstacle ?? steps.obstacleOfFlattening
    case .list(let nodes), .and(let nodes), .or(let nodes): nodes.obstacle
    case .hash(let members, _): members.map(\.node).obstacle
    case .not(let node): node.obstacle
    case .comparison(_, let left, let right): [left, right].obstacle
    case .bind(let values, let body): values.obstacle ?? body.obstacle
    case .elements(let each), .values(let each): each.site?.obstacle(of: "a projection")
    case .filter(_, let each): each.site?.obstacle(of: "a filter")
    case .call(let call): call.obstacle
    }
  }
}

extension [Node] {
  fileprivate var obstacle: String? {
    for node in self {
      if let obstacle = node.obstacle { return obstacle }
    }
    return nil
  }

  /// Of `[a, b][]`, the elements are few, but may be whole collections.
  fileprivate var obstacleOfFlattening: String? {
    for (step, next) in zip(self, self.dropFirst()) {
      if case (.list, .flatten) = (step, next) { return "[] after a list joins its elements" }
    }
    return nil
  }
}

extension Site {
  fileprivate func obstacle(of what: String) -> String? {
    self.readsLocals ? "\(what) depends on a variable of a let" : nil
  }
}

extension Node.Call {
  fileprivate var obstacle: String? {
    let name = "\(self.function.rawValue)()"
    if self.function.readsAll { return "\(name) reads all elements" }
    return self.site?.obstacle(of: name)
      ?? self.arguments.indices.filter { $0 != self.function.expressionIndex }
      .map { self.arguments[$0] }.obstacle
  }
}

extension Function {
  /// Whether a call reads all elements of an argument, and their results are not kept.
  fileprivate var readsAll: Bool {
    switch self {
    case .contains, .join, .merge, .toString: true
    default: false
    }
  }
}
