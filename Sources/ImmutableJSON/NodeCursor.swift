/// A place between the values of a tree, which goes on from one to the next.
struct NodeCursor {
  private struct Level {
    let node: Node
    var slot: Int
  }

  /// From the root to the leaf of the next value; empty at the end.
  private var levels: [Level] = []

  /// A cursor before the first value.
  init(_ root: Node?) {
    if let root {
      self.descend(root)
    }
  }

  /// A cursor before the first value at or behind a place.
  init(_ root: Node?, from place: Place) {
    guard var node = root else { return }
    var place = place
    while !node.isLeaf {
      let slot = node.childSlot(of: &place)
      self.levels.append(Level(node: node, slot: slot))
      node = node.child(at: slot)
    }
    self.levels.append(Level(node: node, slot: node.slot(of: place).slot))
    self.ascendIfAtEnd()
  }
}

extension NodeCursor {
  var isAtEnd: Bool {
    self.levels.isEmpty
  }

  /// The leaf of the next value, and its slot there.
  var current: (leaf: Node, slot: Int)? {
    self.levels.last.map { ($0.node, $0.slot) }
  }

  /// Goes on by one value. O(1) amortised.
  mutating func advance() {
    guard !self.levels.isEmpty else { return }
    self.levels[self.levels.count - 1].slot += 1
    self.ascendIfAtEnd()
  }

  /// If the same node begins here and in `other`, goes behind it in both.
  ///
  /// - Returns: How many values were skipped.
  mutating func skipShared(_ other: inout NodeCursor) -> Int {
    // The largest first. Leaves are equally far from the root, so a node that two trees share is
    // on the same level in both, counted from the leaves.
    var height = min(self.heightOfStart, other.heightOfStart)
    while height >= 0 {
      let (left, right) = (self.node(at: height), other.node(at: height))
      if left === right {
        self.leave(height)
        other.leave(height)
        return left.total
      }
      height -= 1
    }
    return 0
  }

  /// The height, counted from the leaves, of the largest node that begins here; -1 if none does.
  private var heightOfStart: Int {
    var height = -1
    for level in self.levels.reversed() {
      guard level.slot == 0 else { break }
      height += 1
    }
    return height
  }

  private func node(at height: Int) -> Node {
    self.levels[self.levels.count - 1 - height].node
  }

  /// Goes behind the node at a height.
  private mutating func leave(_ height: Int) {
    self.levels.removeLast(height + 1)
    guard !self.levels.isEmpty else { return }
    self.levels[self.levels.count - 1].slot += 1
    self.ascendIfAtEnd()
  }

  private mutating func descend(_ root: Node) {
    var node = root
    while !node.isLeaf {
      self.levels.append(Level(node: node, slot: 0))
      node = node.child(at: 0)
    }
    self.levels.append(Level(node: node, slot: 0))
  }

  private mutating func ascendIfAtEnd() {
    while let level = self.levels.last {
      if level.slot < level.node.count {
        if !level.node.isLeaf {
          self.descend(level.node.child(at: level.slot))
        }
        return
      }
      self.levels.removeLast()
      if !self.levels.isEmpty {
        self.levels[self.levels.count - 1].slot += 1
      }
    }
  }
}
