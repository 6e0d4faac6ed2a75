// Slices of the trees of arrays. They share the nodes that are completely in the range.

extension Node {
  /// The values in a range, which must not be empty; the root may have a single child. O(log n).
  func slice(_ range: Range<Int>) -> Node {
    guard range != 0..<self.total else { return self }
    guard !self.isLeaf else { return .joining(self.run(range), keys: nil) }
    var children: [Node] = []
    var start = 0
    self.withChildren { all in
      for child in all {
        let end = start + child.node.total
        let part = range.clamped(to: start..<end)
        if !part.isEmpty {
          children.append(
            child.node.slice((part.lowerBound - start)..<(part.upperBound - start)))
        }
        start = end
      }
    }
    // Only the nodes at the ends were cut.
    children.mergeNeighbors(at: 0)
    children.mergeNeighbors(at: children.count - 2)
    return .inner(keys: nil, children[...])
  }

  /// Whether this node has too few parts to be a child.
  private var isSmall: Bool {
    self.count < Self.maxParts / 4
  }

  /// Merges two neighbors of the same height if one of them is too small, and so on downwards.
  fileprivate static func merging(_ left: Node, _ right: Node) -> SplitNode {
    guard left.isSmall || right.isSmall else { return (left, right) }
    guard !left.isLeaf else {
      var joined = self.joining(
        left.run(0..<left.count), right.run(0..<right.count), keys: nil)
      let sibling = self.splitIfOverfull(&joined)
      return (joined, sibling)
    }
    var children = left.children + right.children
    // Each may have a single child that is too small.
    children.mergeNeighbors(at: left.count - 1)
    guard children.count > self.maxParts else { return (.inner(keys: nil, children[...]), nil) }
    let half = children.count / 2
    return (.inner(keys: nil, children[..<half]), .inner(keys: nil, children[half...]))
  }

  private var children: [Node] {
    self.withChildren { $0.map(\.node) }
  }
}

extension [Node] {
  /// Merges the node at an index with the next one if one of them has too few parts.
  fileprivate mutating func mergeNeighbors(at index: Int) {
    guard index >= 0, index + 1 < self.count else { return }
    let (node, sibling) = Node.merging(self[index], self[index + 1])
    self.replaceSubrange(index...(index + 1), with: [node] + (sibling.map { [$0] } ?? []))
  }
}
