/// Iterates over the values of a tree.
///
/// Needs no heap memory for a tree of one leaf, as most objects are.
struct NodeCursor {
  private struct Level {
    let node: Node
    var slot: Int
  }

  /// The leaf that contains the next value; `nil` at the end.
  private var leaf: Node?
  private var slot = 0

  /// The inner nodes from the root to the leaf, each with the slot that leads to the leaf.
  private var levels: [Level] = []

  /// Creates a cursor before the first value.
  init(_ root: Node?) {
    if let root {
      self.descend(root)
    }
  }

  /// Creates a cursor before the first value at or after a position.
  init(_ root: Node?, from position: TreePosition) {
    guard var node = root else { return }
    var position = position
    while !node.isLeaf {
      let slot = node.childSlot(of: &position)
      self.levels.append(Level(node: node, slot: slot))
      node = node.child(at: slot)
    }
    self.leaf = node
    self.slot = node.slot(of: position).slot
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

  /// Moves past the next value. Amortized O(1).
  mutating func advance() {
    guard let leaf else { return }
    self.slot += 1
    if self.slot >= leaf.count {
      self.leaveLeaf()
    }
  }

  /// Moves both cursors past the largest shared node that starts at both.
  ///
  /// - Returns: The number of skipped values.
  mutating func skipShared(_ other: inout NodeCursor) -> Int {
    guard self.slot == 0, other.slot == 0, var shared = self.leaf, shared === other.leaf else {
      return 0
    }
    // All leaves have the same depth, so a node that two trees share has the same height in both.
    var height = 0
    while let node = self.start(at: height + 1), node === other.start(at: height + 1) {
      shared = node
      height += 1
    }
    self.leave(height)
    other.leave(height)
    return shared.total
  }

  /// The inner node at a height above the leaves, if the cursor is at its start.
  private func start(at height: Int) -> Node? {
    let index = self.levels.count - height
    guard index >= 0, self.levels[index].slot == 0 else { return nil }
    return self.levels[index].node
  }

  /// Moves past the node at a height.
  private mutating func leave(_ height: Int) {
    self.levels.removeLast(height)
    self.leaveLeaf()
  }

  /// Moves to the leaf after the current one.
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
