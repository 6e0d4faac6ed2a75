/// Builds the tree of a long array from its values, in order.
final class TreeBuilder {
  /// The nodes of each level that have no parent yet, leaves first.
  private var levels: [ContiguousArray<Node>] = []

  /// From how many parts on the first of them make a node. The rest is then never too few.
  static var flush: Int { 2 * Node.mostParts }
}

extension TreeBuilder {
  /// Adds values, which it takes from their memory, as leaves.
  func append(moving values: UnsafeMutableBufferPointer<Value>) {
    for range in Node.ranges(values.count) {
      if let leaf = Node.leaf(moving: .init(rebasing: values[range])) {
        self.append(leaf, level: 0)
      }
    }
  }

  private func append(_ node: Node, level: Int) {
    if level == self.levels.count {
      self.levels.append([])
    }
    self.levels[level].append(node)
    guard self.levels[level].count == Self.flush else { return }
    let parent = Node.inner(keys: nil, self.levels[level].prefix(Node.mostParts))
    self.levels[level].removeFirst(Node.mostParts)
    self.append(parent, level: level + 1)
  }

  /// The root of the tree. The builder is empty then.
  func finish() -> Node? {
    var level = 0
    while level < self.levels.count {
      let nodes = self.levels[level]
      if level == self.levels.count - 1, nodes.count <= 1 { break }
      self.levels[level] = []
      for range in Node.ranges(nodes.count) {
        self.append(.inner(keys: nil, nodes[range]), level: level + 1)
      }
      level += 1
    }
    return self.levels.popLast()?.first
  }
}

extension Node {
  /// A tree of values in order, which it takes from their memory.
  static func build(moving values: UnsafeMutableBufferPointer<Value>) -> Node? {
    guard values.count > self.mostParts else { return .leaf(moving: values) }
    let builder = TreeBuilder()
    builder.append(moving: values)
    return builder.finish()
  }
}
