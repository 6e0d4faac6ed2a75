// Changes of trees in place. A shared node is replaced by a changed copy (`Node+Copying.swift`).

extension Node {
  /// Replaces the value at a position; inserts it if the position is empty, or if `isInsertion`.
  ///
  /// - Returns: The new right sibling of this node, if it had to be split.
  static func put(
    _ value: Value, at position: TreePosition, isInsertion: Bool, in node: inout Node
  ) -> Node? {
    guard isKnownUniquelyReferenced(&node) else {
      let sibling: Node?
      (node, sibling) = node.putting(value, at: position, isInsertion: isInsertion)
      return sibling
    }
    guard node.isLeaf else {
      return self.put(value, at: position, isInsertion: isInsertion, below: &node)
    }
    let (slot, isFound) = node.slot(of: position)
    guard !isFound || isInsertion else {
      let old = node.value(at: slot).size
      self.replace(at: slot, by: value, in: &node)
      node.size.remove(old)
      node.size.add(value.size)
      return nil
    }
    self.insert(value, at: slot, in: &node)
    if case .key(let key) = position {
      node.replaceKeys(by: node.keys?.inserting(key, at: slot))
    }
    node.total += 1
    node.size.add(value.size)
    return self.splitIfOverfull(&node)
  }

  private static func put(
    _ value: Value, at position: TreePosition, isInsertion: Bool, below node: inout Node
  ) -> Node? {
    var position = position
    let slot = node.childSlot(of: &position)
    let sibling = self.changeChild(at: slot, in: &node) { child in
      self.put(value, at: position, isInsertion: isInsertion, in: &child)
    }
    guard let sibling else { return nil }
    node.addCounts(of: sibling)
    self.insert(sibling, boundedAt: slot + 1, in: &node)
    return self.splitIfOverfull(&node)
  }

  /// Removes the value at a position.
  ///
  /// - Returns: Whether there was one.
  static func remove(at position: TreePosition, in node: inout Node) -> Bool {
    guard isKnownUniquelyReferenced(&node), !node.isPacked else {
      guard let copy = node.removing(at: position) else { return false }
      node = copy
      return true
    }
    guard node.isLeaf else {
      var position = position
      let slot = node.childSlot(of: &position)
      let isFound = self.changeChild(at: slot, in: &node) { self.remove(at: position, in: &$0) }
      if node.mustRebalance(node.child(at: slot)) {
        node = node.rebalanced(at: slot, node.child(at: slot), total: node.total, size: node.size)
      }
      return isFound
    }
    let (slot, isFound) = node.slot(of: position)
    guard isFound else { return false }
    node.ownParts()
    let value = node.remove(Value.self, at: slot)
    node.replaceKeys(by: node.keys?.removing(at: slot))
    node.total -= 1
    node.size.remove(value.size)
    return true
  }

  /// Changes the child in a slot of a node that is referenced once, and updates total and size.
  private static func changeChild<Result>(
    at slot: Int, in node: inout Node, _ change: (inout Node) -> Result
  ) -> Result {
    node.ownParts()
    return node.withChildren { children in
      node.subtractCounts(of: children[slot].node)
      let result = change(&children[slot].node)
      node.addCounts(of: children[slot].node)
      return result
    }
  }

  /// Replaces the value in a slot of a leaf that is referenced once. The caller updates the size.
  static func replace(at slot: Int, by value: Value, in leaf: inout Node) {
    if leaf.canStore(value) {
      leaf.store(value, at: slot)
    } else if leaf.isPacked {
      leaf = leaf.packedCopy(replacing: slot, by: value) ?? leaf.copy(replacing: slot, by: value)
    } else {
      leaf.ownParts()
      leaf.withValues { $0[slot] = value }
    }
  }

  /// Replaces the keys of a leaf, and updates its size.
  private func replaceKeys(by keys: KeyBlock?) {
    self.size.replaceKeys(self.keys, by: keys)
    self.keys = keys
  }

  private func addCounts(of child: Node) {
    self.total += child.total
    self.size.add(child.size)
  }

  private func subtractCounts(of child: Node) {
    self.total -= child.total
    self.size.remove(child.size)
  }

  /// Inserts a child before a slot, with its first key as its bound.
  private static func insert(_ child: Node, boundedAt slot: Int, in node: inout Node) {
    self.insert(Child(child), at: slot, in: &node)
    node.keys = node.keys.flatMap { keys in
      child.keys?.withKey(at: 0) { keys.inserting($0, at: slot) }
    }
  }

  /// Splits off and returns the second half of a node with too many parts.
  static func splitIfOverfull(_ node: inout Node) -> Node? {
    let count = node.count
    guard count > self.maxParts else { return nil }
    let (front, sibling) = (0..<(count / 2), (count / 2)..<count)
    let keys = node.keys
    defer { node = .joining(node.run(front), keys: keys?.part(front)) }
    return .joining(node.run(sibling), keys: keys?.part(sibling))
  }
}

// MARK: Roots

extension Node {
  /// The root of a tree after a change: the changed node or, if it had to be split, a node above.
  static func top(_ node: SplitNode) -> Node {
    node.sibling.map { self.root(above: node.node, $0) } ?? node.node
  }

  /// Creates a root above two nodes.
  static func root(above left: Node, _ right: Node) -> Node {
    var keys: KeyBlock?
    if let first = left.keys, let second = right.keys {
      keys = .joining([first.run(0..<1), second.run(0..<1)])
    }
    return .inner(keys: keys, [left, right])
  }

  /// The tree without roots that have a single child; `nil` if it is empty.
  var collapsed: Node? {
    var node = self
    while !node.isLeaf, node.count == 1 {
      node = node.child(at: 0)
    }
    return node.total == 0 ? nil : node
  }
}
