/// Builds the tree of a long array incrementally.
final class TreeBuilder {
  /// The nodes that have no parent yet, by level from the leaves.
  private var levels: [ContiguousArray<Node>] = []

  /// When a level has this many pending nodes, the first half of them gets a parent. The other half
  /// stays pending, so that ``finish()`` never creates a parent with few children.
  static var maxPending: Int { 2 * Node.maxParts }
}

extension TreeBuilder {
  /// Appends values as leaves by moving them out of memory.
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
    guard self.levels[level].count == Self.maxPending else { return }
    let parent = Node.inner(keys: nil, self.levels[level].prefix(Node.maxParts))
    self.levels[level].removeFirst(Node.maxParts)
    self.append(parent, level: level + 1)
  }

  /// Returns the root of the tree, and empties the builder.
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
  /// Builds the tree of an array by moving its values out of memory.
  static func build(moving values: UnsafeMutableBufferPointer<Value>) -> Node? {
    guard values.count > self.maxParts else { return .leaf(moving: values) }
    let builder = TreeBuilder()
    builder.append(moving: values)
    return builder.finish()
  }
}
