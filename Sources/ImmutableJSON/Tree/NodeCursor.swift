/// Iterates over the values of a tree.
///
/// Retains the root only: the nodes below it live as long as it does.
struct NodeCursor {
  private struct Level {
    let node: Unmanaged<Node>
    var slot: Int
  }

  private let root: Node?

  /// The number of inner nodes above each leaf.
  private let height: Int

  /// The leaf that contains the next value; `nil` at the end, and before a subtree.
  private var leaf: Unmanaged<Node>?
  private var slot = 0

  /// The subtree that begins with the next value, if the cursor has not entered it.
  private var subtree: Unmanaged<Node>?

  /// The inner nodes from the root to the leaf or the subtree, each with the slot that leads there.
  private var levels: [Level] = []

  /// Creates a cursor before the first value.
  init(_ root: Node?) {
    self.init(before: root)
    self.enterLeaf()
  }

  /// Creates a cursor before the first value at or after a position.
  init(_ root: Node?, from position: TreePosition) {
    self.init(before: root)
    guard var node = root else { return }
    self.subtree = nil
    var position = position
    while !node.isLeaf {
      let slot = node.childSlot(of: &position)
      self.levels.append(Level(node: .passUnretained(node), slot: slot))
      node = node.child(at: slot)
    }
    self.leaf = .passUnretained(node)
    self.slot = node.slot(of: position).slot
    if self.slot >= node.count {
      self.leaveNode()
      self.enterLeaf()
    }
  }

  /// Creates a cursor before a tree that it has not entered, for ``skipShared(_:countingNodes:)``.
  init(before root: Node?) {
    self.root = root
    self.subtree = root.map { .passUnretained($0) }
    self.height = root?.height ?? 0
  }
}

extension NodeCursor {
  var isAtEnd: Bool {
    self.leaf == nil && self.subtree == nil
  }

  /// The leaf of the next value, and its slot there.
  var current: (leaf: Node, slot: Int)? {
    self.leaf.map { leaf in (self.read(leaf) { $0 }, self.slot) }
  }

  /// Moves past the next value. Amortized O(1).
  mutating func advance() {
    self.leaveValue()
    self.enterLeaf()
  }

  /// Moves past the next value, but stops before a subtree that follows. Then call
  /// ``skipShared(_:countingNodes:)`` before ``current``.
  mutating func leaveValue() {
    self.enterLeaf()
    self.skip(1)
  }
}

extension NodeCursor {
  /// Calls `body` with a node of the tree.
  private func read<Result>(_ node: Unmanaged<Node>, _ body: (Node) -> Result) -> Result {
    // The compiler may otherwise release the root after its last use.
    withExtendedLifetime(self.root) {
      node._withUnsafeGuaranteedRef(body)
    }
  }

  /// Moves past values of the current leaf.
  private mutating func skip(_ count: Int) {
    guard let leaf else { return }
    self.slot += count
    if self.slot >= self.read(leaf, { $0.count }) {
      self.leaveNode()
    }
  }

  /// Moves to the value after the current leaf or subtree.
  private mutating func leaveNode() {
    self.leaf = nil
    self.subtree = nil
    self.slot = 0
    while let last = self.levels.indices.last {
      self.levels[last].slot += 1
      let level = self.levels[last]
      self.subtree = self.read(level.node) { node in
        level.slot < node.count ? node.borrowChild(at: level.slot) : nil
      }
      guard self.subtree == nil else { return }
      self.levels.removeLast()
    }
  }

  /// Enters the root of the subtree.
  private mutating func enterNode() {
    guard let node = self.subtree else { return }
    if self.read(node, { $0.isLeaf }) {
      self.subtree = nil
      self.leaf = node
    } else {
      self.levels.append(Level(node: node, slot: 0))
      self.subtree = self.read(node) { $0.borrowChild(at: 0) }
    }
  }

  /// Enters the first leaf of the subtree, if the cursor is before one.
  private mutating func enterLeaf() {
    while self.subtree != nil {
      self.enterNode()
    }
  }
}

// MARK: Two trees

extension NodeCursor {
  /// The numbers of values that two cursors have skipped.
  struct SkippedValues {
    /// Those in shared nodes; 0 if they are not counted.
    var inNodes = 0

    /// Those that were compared one by one.
    var compared = 0
  }

  /// Moves both cursors past all nodes and values that they share, to values that may differ.
  ///
  /// Compares nodes from the root downwards, by their addresses. So the memory of a shared node is
  /// not touched, unless its values are counted.
  @discardableResult
  mutating func skipShared(
    _ other: inout NodeCursor, countingNodes: Bool = false
  ) -> SkippedValues {
    var skipped = SkippedValues()
    repeat {
      if self.isAtNode, other.isAtNode {
        skipped.inNodes += self.skipSharedNodes(&other, countingValues: countingNodes)
      }
      self.enterLeaf()
      other.enterLeaf()
    } while self.skipSharedValues(&other, &skipped.compared)
    return skipped
  }

  /// Whether a node begins with the next value.
  private var isAtNode: Bool {
    self.subtree != nil || self.slot == 0 && self.leaf != nil
  }

  private mutating func skipSharedNodes(
    _ other: inout NodeCursor, countingValues: Bool
  ) -> Int {
    self.leaveStart()
    other.leaveStart()
    var skipped = 0
    while let left = self.subtree, let right = other.subtree {
      guard left.toOpaque() != right.toOpaque() else {
        skipped += countingValues ? self.read(left) { $0.total } : 0
        self.leaveNode()
        other.leaveNode()
        continue
      }
      let height = self.height - self.levels.count
      let otherHeight = other.height - other.levels.count
      if height == 0, otherHeight == 0 { break }
      if height >= otherHeight { self.enterNode() }
      if otherHeight >= height { other.enterNode() }
    }
    return skipped
  }

  /// Moves from the start of a leaf to the start of the largest subtree that begins there.
  private mutating func leaveStart() {
    guard let leaf else { return }
    self.subtree = leaf
    self.leaf = nil
    while let last = self.levels.last, last.slot == 0 {
      self.subtree = last.node
      self.levels.removeLast()
    }
  }

  /// Moves both cursors past the next values that both leaves have in the same slots.
  ///
  /// - Returns: Whether there are any.
  private mutating func skipSharedValues(_ other: inout NodeCursor, _ skipped: inout Int) -> Bool {
    guard let leaf, let otherLeaf = other.leaf, self.slot == other.slot else { return false }
    let count = self.read(leaf) { leaf in
      other.read(otherLeaf) { leaf.sharedValues(with: $0, from: self.slot) }
    }
    guard count > 0 else { return false }
    skipped += count
    self.skip(count)
    other.skip(count)
    return true
  }
}

extension Node {
  /// The number of inner nodes above each leaf. O(log n).
  var height: Int {
    var height = 0
    var node = Unmanaged.passUnretained(self)
    while !node._withUnsafeGuaranteedRef({ $0.isLeaf }) {
      node = node._withUnsafeGuaranteedRef { $0.borrowChild(at: 0) }
      height += 1
    }
    return height
  }
}
