/// A position between the values of a tree, which moves from one value to the next.
///
/// A tree of one leaf, as most objects are, needs no memory besides.
struct NodeCursor {
  private struct Level {
    let node: Node
    var slot: Int
  }

  /// The leaf of the next value; `nil` at the end.
  private var leaf: Node?
  private var slot = 0

  /// The inner nodes above the leaf, from the root, each with the slot that leads to the leaf.
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
    self.leaf = node
    self.slot = node.slot(of: place).slot
    if self.slot >= node.count {
      self.leaveLeaf()
    }
  }
}

extension NodeCursor {
  var isAtEnd: Bool {
    self.leaf == nil
  }

  /// The leaf of the next value, and its slot there.
  var current: (leaf: Node, slot: Int)? {
    self.leaf.map { ($0, self.slot) }
  }

  /// Moves behind the next value. O(1) amortised.
  mutating func advance() {
    guard let leaf else { return }
    self.slot += 1
    if self.slot >= leaf.count {
      self.leaveLeaf()
    }
  }

  /// If the same node begins here and in `other`, moves behind it in both.
  ///
  /// - Returns: How many values were skipped.
  mutating func skipShared(_ other: inout NodeCursor) -> Int {
    guard self.slot == 0, other.slot == 0, var shared = self.leaf, shared === other.leaf else {
      return 0
    }
    // The largest. Leaves are equally far from the root, so a node that two trees share is on the
    // same level in both, counted from the leaves.
    var height = 0
    while let node = self.start(at: height + 1), node === other.start(at: height + 1) {
      shared = node
      height += 1
    }
    self.leave(height)
    other.leave(height)
    return shared.total
  }

  /// The inner node at a height, counted from the leaves, if the cursor is at its begin.
  private func start(at height: Int) -> Node? {
    let index = self.levels.count - height
    guard index >= 0, self.levels[index].slot == 0 else { return nil }
    return self.levels[index].node
  }

  /// Moves behind the node at a height.
  private mutating func leave(_ height: Int) {
    self.levels.removeLast(height)
    self.leaveLeaf()
  }

  /// Moves on to the next node behind the last level's slot.
  private mutating func leaveLeaf() {
    self.leaf = nil
    self.slot = 0
    while let last = self.levels.indices.last {
      self.levels[last].slot += 1
      let level = self.levels[last]
      if level.slot < level.node.count {
        return self.descend(level.node.child(at: level.slot))
      }
      self.levels.removeLast()
    }
  }

  private mutating func descend(_ root: Node) {
    var node = root
    while !node.isLeaf {
      self.levels.append(Level(node: node, slot: 0))
      node = node.child(at: 0)
    }
    self.leaf = node
    self.slot = 0
  }
}
