extension Node {
  /// Replaces the value at a position; inserts it if the position is empty, or if `isInsertion`.
  ///
  /// - Returns: The new right sibling of this node, if it had to be split.
  static func put(
    _ value: Value, at position: TreePosition, isInsertion: Bool, in node: inout Node
  ) -> Node? {
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

  /// Removes and returns the value at a position, which must exist.
  static func remove(at position: TreePosition, in node: inout Node) -> Value? {
    guard node.isLeaf else {
      var position = position
      let slot = node.childSlot(of: &position)
      let value = self.changeChild(at: slot, in: &node) { self.remove(at: position, in: &$0) }
      self.rebalanceChild(at: slot, in: &node)
      return value
    }
    self.makeUnique(&node)
    let (slot, isFound) = node.slot(of: position)
    guard isFound else { return nil }
    let value = node.remove(Value.self, at: slot)
    node.replaceKeys(by: node.keys?.removing(at: slot))
    node.total -= 1
    node.size.remove(value.size)
    return value
  }

  /// Returns a copy with `change` applied to the value at a position; `nil` if there is no value,
  /// or `change` returns `nil`.
  ///
  /// Faster than `put` for a tree that is certainly shared: it searches once, and does not retain
  /// the replaced parts.
  func replacing(at position: TreePosition, _ change: (Value) -> Value?) -> Node? {
    guard self.isLeaf else {
      var position = position
      let slot = self.childSlot(of: &position)
      // Not retained: this node holds the child for the duration of the call.
      return self.borrowChild(at: slot)._withUnsafeGuaranteedRef { old in
        guard let new = old.replacing(at: position, change) else { return nil }
        let copy = self.copy(replacing: slot, by: new)
        copy.size.remove(old.size)
        copy.size.add(new.size)
        return copy
      }
    }
    let (slot, isFound) = self.slot(of: position)
    guard isFound else { return nil }
    let old = self.value(at: slot)
    guard let new = change(old) else { return nil }
    let copy =
      self.packedCopy(replacing: slot, by: new) ?? self.copy(replacing: slot, by: new)
    copy.size.remove(old.size)
    copy.size.add(new.size)
    return copy
  }

  /// Changes the child in a slot, and updates total and size.
  private static func changeChild<Result>(
    at slot: Int, in node: inout Node, _ change: (inout Node) -> Result
  ) -> Result {
    if isKnownUniquelyReferenced(&node) {
      node.ownParts()
      return node.withChildren { children in
        node.subtractCounts(of: children[slot])
        let result = change(&children[slot])
        node.addCounts(of: children[slot])
        return result
      }
    }
    let old = node.child(at: slot)
    var new = old
    let result = change(&new)
    node = node.copy(replacing: slot, by: new)
    node.subtractCounts(of: old)
    node.addCounts(of: new)
    return result
  }

  /// Replaces the value in a slot of a leaf. The caller updates the size.
  private static func replace(at slot: Int, by value: Value, in leaf: inout Node) {
    if leaf.canStore(value), isKnownUniquelyReferenced(&leaf) {
      leaf.store(value, at: slot)
    } else if let packed = leaf.packedCopy(replacing: slot, by: value) {
      leaf = packed
    } else {
      self.makeUnique(&leaf)
      leaf.withValues { $0[slot] = value }
    }
  }

  private static func makeUnique(_ node: inout Node) {
    if !isKnownUniquelyReferenced(&node) || node.isPacked {
      node = node.copy()
    } else {
      node.ownParts()
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
    self.insert(child, at: slot, in: &node)
    node.keys = node.keys.flatMap { keys in
      child.keys?.withKey(at: 0) { keys.inserting($0, at: slot) }
    }
  }

  /// Splits off and returns the second half of a node with too many parts.
  private static func splitIfOverfull(_ node: inout Node) -> Node? {
    let count = node.count
    guard count > self.maxParts else { return nil }
    let (front, sibling) = (0..<(count / 2), (count / 2)..<count)
    let keys = node.keys
    defer { node = .joining(node.run(front), keys: keys.map { .joining([$0.run(front)]) }) }
    return .joining(node.run(sibling), keys: keys.map { .joining([$0.run(sibling)]) })
  }

  /// Merges a small child with its neighbor, and splits the result if it is too large.
  private static func rebalanceChild(at slot: Int, in node: inout Node) {
    guard node.child(at: slot).count < self.maxParts / 4, node.count > 1 else { return }
    self.makeUnique(&node)
    let left = max(slot - 1, 0)
    var joined = node.joinChildren(at: left)
    let sibling = self.splitIfOverfull(&joined)
    _ = node.remove(Node.self, at: left + 1)
    node.keys = node.keys?.removing(at: left + 1)
    node.withChildren { $0[left] = joined }
    if let sibling {
      self.insert(sibling, boundedAt: left + 1, in: &node)
    }
  }

  /// Joins the children in a slot and in the next into one node.
  private func joinChildren(at slot: Int) -> Node {
    let (left, right) = (self.child(at: slot), self.child(at: slot + 1))
    var keys: KeyBlock?
    if let first = left.keys, let second = right.keys {
      // The first key of an inner node may be above the bound in its parent, which is the valid
      // one.
      let isLeaf = right.isLeaf
      let bound = isLeaf ? nil : self.keys?.run((slot + 1)..<(slot + 2))
      keys = .joining(
        [first.run(0..<first.count)] + (bound.map { [$0] } ?? [])
          + [second.run((bound == nil ? 0 : 1)..<second.count)])
    }
    return .joining(left.run(0..<left.count), right.run(0..<right.count), keys: keys)
  }
}

// MARK: Roots

extension Node {
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
