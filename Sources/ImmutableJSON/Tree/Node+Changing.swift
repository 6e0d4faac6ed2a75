extension Node {
  /// Puts a value at a place: in place of what is there or, if nothing is or `isInsertion`, new.
  ///
  /// - Returns: A node that has to stand behind this one, if this became too full.
  static func put(
    _ value: Value, at place: Place, isInsertion: Bool, in node: inout Node
  ) -> Node? {
    guard node.isLeaf else {
      return self.put(value, at: place, isInsertion: isInsertion, below: &node)
    }
    let (slot, isFound) = node.slot(of: place)
    guard !isFound || isInsertion else {
      self.makeUnique(&node)
      node.size.remove(node.value(at: slot).size)
      node.size.add(value.size)
      node.withValues { $0[slot] = value }
      return nil
    }
    self.insert(value, at: slot, in: &node)
    if case .key(let key) = place {
      node.replaceKeys(by: node.keys?.inserting(key, at: slot))
    }
    node.total += 1
    node.size.add(value.size)
    return self.splitIfTooFull(&node)
  }

  private static func put(
    _ value: Value, at place: Place, isInsertion: Bool, below node: inout Node
  ) -> Node? {
    self.makeUnique(&node)
    var place = place
    let slot = node.childSlot(of: &place)
    let behind = node.withChildren { children in
      node.countOut(children[slot])
      let behind = self.put(value, at: place, isInsertion: isInsertion, in: &children[slot])
      node.countIn(children[slot])
      return behind
    }
    guard let behind else { return nil }
    node.countIn(behind)
    self.insert(behind, boundedAt: slot + 1, in: &node)
    return self.splitIfTooFull(&node)
  }

  /// Takes out the value at a place, which has to be there.
  static func remove(at place: Place, in node: inout Node) -> Value? {
    self.makeUnique(&node)
    guard node.isLeaf else {
      var place = place
      let slot = node.childSlot(of: &place)
      let value = node.withChildren { children in
        node.countOut(children[slot])
        let value = self.remove(at: place, in: &children[slot])
        node.countIn(children[slot])
        return value
      }
      self.mendChild(at: slot, in: &node)
      return value
    }
    let (slot, isFound) = node.slot(of: place)
    guard isFound else { return nil }
    let value = node.remove(Value.self, at: slot)
    node.replaceKeys(by: node.keys?.removing(at: slot))
    node.total -= 1
    node.size.remove(value.size)
    return value
  }

  /// A copy in which `change` was made to the value at a place; `nil` if there is none, or `change`
  /// makes `nil` of it.
  ///
  /// The same as putting, for a tree that is held elsewhere for sure: it is searched once, and what
  /// is replaced need not be retained.
  func replacing(at place: Place, _ change: (Value) -> Value?) -> Node? {
    guard self.isLeaf else {
      var place = place
      let slot = self.childSlot(of: &place)
      let old = self.child(at: slot)
      guard let new = old.replacing(at: place, change) else { return nil }
      let copy = self.copy(replacing: slot, by: new)
      copy.size.remove(old.size)
      copy.size.add(new.size)
      return copy
    }
    let (slot, isFound) = self.slot(of: place)
    guard isFound else { return nil }
    let old = self.value(at: slot)
    guard let new = change(old) else { return nil }
    let copy = self.copy(replacing: slot, by: new)
    copy.size.remove(old.size)
    copy.size.add(new.size)
    return copy
  }

  private static func makeUnique(_ node: inout Node) {
    if !isKnownUniquelyReferenced(&node) || node.isPacked {
      node = node.copy()
    }
  }

  /// In a leaf: has other keys, whose text counts.
  private func replaceKeys(by keys: KeyBlock?) {
    self.size.replaceKeys(self.keys, by: keys)
    self.keys = keys
  }

  private func countIn(_ child: Node) {
    self.total += child.total
    self.size.add(child.size)
  }

  private func countOut(_ child: Node) {
    self.total -= child.total
    self.size.remove(child.size)
  }

  /// Puts a child before that in a slot, with its first key as its bound.
  private static func insert(_ child: Node, boundedAt slot: Int, in node: inout Node) {
    self.insert(child, at: slot, in: &node)
    node.keys = node.keys.flatMap { keys in
      child.keys?.withKey(at: 0) { keys.inserting($0, at: slot) }
    }
  }

  /// Gives the second half away, if there is more than a node has.
  private static func splitIfTooFull(_ node: inout Node) -> Node? {
    let count = node.count
    guard count > self.mostParts else { return nil }
    let (front, behind) = (0..<(count / 2), (count / 2)..<count)
    let keys = node.keys
    defer { node = .joining(node.run(front), keys: keys.map { .joining([$0.run(front)]) }) }
    return .joining(node.run(behind), keys: keys.map { .joining([$0.run(behind)]) })
  }

  /// Joins a child that has become small with its neighbour, and divides them anew if that is too
  /// much for one. The node has to be held by nothing else.
  private static func mendChild(at slot: Int, in node: inout Node) {
    guard node.child(at: slot).count < self.mostParts / 4, node.count > 1 else { return }
    let left = max(slot - 1, 0)
    var joined = node.joinChildren(at: left)
    let behind = self.splitIfTooFull(&joined)
    _ = node.remove(Node.self, at: left + 1)
    node.keys = node.keys?.removing(at: left + 1)
    node.withChildren { $0[left] = joined }
    if let behind {
      self.insert(behind, boundedAt: left + 1, in: &node)
    }
  }

  /// The children in a slot and in the next, as one node.
  private func joinChildren(at slot: Int) -> Node {
    let (left, right) = (self.child(at: slot), self.child(at: slot + 1))
    var keys: KeyBlock?
    if let first = left.keys, let second = right.keys {
      // In an inner node, the first key is a bound that may be above what its parent says; the
      // parent's is the one that holds.
      let isLeaf = right.isLeaf
      let bound = isLeaf ? nil : self.keys?.run((slot + 1)..<(slot + 2))
      keys = .joining(
        [first.run(0..<first.count)] + (bound.map { [$0] } ?? [])
          + [second.run((bound == nil ? 0 : 1)..<second.count)])
    }
    return .joining(left.run(0..<left.count), right.run(0..<right.count), keys: keys)
  }
}
