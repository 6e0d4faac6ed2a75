// Changed copies of trees. Each node on the path to the change is copied, and the copy borrows the
// unchanged parts (`Node+Lineage.swift`).

extension Node {
  /// Returns a copy with `change` applied to the value at a position, or this node if the result is
  /// identical to the value; `nil` if there is no value, or `change` returns `nil`.
  func replacing(at position: TreePosition, _ change: (Value) -> Value?) -> Node? {
    guard self.isLeaf else {
      var position = position
      let slot = self.childSlot(of: &position)
      // Not retained: this node holds the child for the duration of the call.
      return self.enterChild(at: slot)._withUnsafeGuaranteedRef { old in
        old.replacing(at: position, change).map { self.replacingChild(at: slot, old, by: $0) }
      }
    }
    let (slot, isFound) = self.slot(of: position)
    guard isFound else { return nil }
    let old = self.value(at: slot)
    return change(old).map { new in
      new.isUnchanged(from: old) ? self : self.replacingValue(at: slot, old.size, by: new)
    }
  }

  /// Returns a copy with the value at a position replaced, or inserted if the position is empty or
  /// `isInsertion`. Returns this node if it has an identical value there.
  func putting(_ value: Value, at position: TreePosition, isInsertion: Bool) -> SplitNode {
    guard self.isLeaf else {
      var position = position
      let slot = self.childSlot(of: &position)
      return self.enterChild(at: slot)._withUnsafeGuaranteedRef { old in
        let (new, sibling) = old.putting(value, at: position, isInsertion: isInsertion)
        guard let sibling else { return (self.replacingChild(at: slot, old, by: new), nil) }
        return self.splittingChild(at: slot, old, into: new, sibling)
      }
    }
    let (slot, isFound) = self.slot(of: position)
    guard !isFound || isInsertion else {
      let old = self.value(at: slot)
      if value.isUnchanged(from: old) { return (self, nil) }
      return (self.replacingValue(at: slot, old.size, by: value), nil)
    }
    var (keys, size) = (self.keys, self.size)
    if case .key(let key) = position, let old = keys {
      let new = old.inserting(key, at: slot)
      size.replaceKeys(old, by: new)
      keys = new
    }
    size.add(value.size)
    return self.splicing(
      Splice(slot..<slot, value), keys: keys, total: self.total + 1, size: size)
  }

  /// Returns a copy without the value at a position; `nil` if there is no value.
  func removing(at position: TreePosition) -> Node? {
    guard self.isLeaf else {
      var position = position
      let slot = self.childSlot(of: &position)
      return self.enterChild(at: slot)._withUnsafeGuaranteedRef { old in
        guard let new = old.removing(at: position) else { return nil }
        guard self.mustRebalance(new) else { return self.replacingChild(at: slot, old, by: new) }
        var size = self.size
        size.remove(old.size)
        size.add(new.size)
        return self.rebalanced(at: slot, new, total: self.total - 1, size: size)
      }
    }
    let (slot, isFound) = self.slot(of: position)
    guard isFound else { return nil }
    let keys = self.keys?.removing(at: slot)
    var size = self.size
    size.replaceKeys(self.keys, by: keys)
    size.remove(self.size(at: slot))
    return self.splicing(
      Splice<Value>(slot..<(slot + 1)), keys: keys, total: self.total - 1, size: size
    ).node
  }

  @inline(__always)
  private func replacingValue(at slot: Int, _ old: SubtreeSize, by value: Value) -> Node {
    let copy =
      self.packedCopy(replacing: slot, by: value) ?? self.copy(replacing: slot, by: value)
    copy.size.remove(old)
    copy.size.add(value.size)
    return copy
  }

  @inline(__always)
  private func replacingChild(at slot: Int, _ old: Node, by new: Node) -> Node {
    if new === old { return self }
    let copy = self.copy(replacing: slot, by: Child(new))
    copy.total += new.total - old.total
    copy.size.remove(old.size)
    copy.size.add(new.size)
    return copy
  }

  private func splittingChild(
    at slot: Int, _ old: Node, into new: Node, _ sibling: Node
  ) -> SplitNode {
    var size = self.size
    size.remove(old.size)
    size.add(new.size)
    size.add(sibling.size)
    return self.splicing(
      Splice(slot..<(slot + 1), Child(new), Child(sibling)),
      keys: self.keys?.inserting(boundOf: sibling, at: slot + 1),
      total: self.total - old.total + new.total + sibling.total, size: size)
  }

  /// The size of the value in a slot of a leaf.
  func size(at slot: Int) -> SubtreeSize {
    self.kind == .leaf ? self.withValues { $0[slot].size } : self.packedValue(at: slot).size
  }
}

extension Value {
  /// The same as ``isIdentical(to:)``, but decides the frequent cases inline.
  @inline(__always)
  fileprivate func isUnchanged(from old: Value) -> Bool {
    switch (self, old) {
    case (.integer(let new), .integer(let old)): new == old
    case (.object(let new), .object(let old)): new.root === old.root
    default: self.isIdentical(to: old)
    }
  }
}

// MARK: Rebalancing

extension Node {
  /// Whether a child has so few parts that it must be merged with its neighbor.
  func mustRebalance(_ child: Node) -> Bool {
    child.count < Self.maxParts / 4 && self.count > 1
  }

  /// Returns a copy with a small child merged with its neighbor. Splits the result if it is too
  /// large.
  ///
  /// - Parameters:
  ///   - child: The child for `slot`.
  ///   - total, size: Those of the copy.
  func rebalanced(at slot: Int, _ child: Node, total: Int, size: SubtreeSize) -> Node {
    let left = max(slot - 1, 0)
    let neighbors =
      left == slot ? (child, self.child(at: slot + 1)) : (self.child(at: left), child)
    var joined = self.join(neighbors.0, neighbors.1, boundAt: left + 1)
    let sibling = Self.splitIfOverfull(&joined)
    var keys = self.keys?.removing(at: left + 1)
    if let sibling {
      keys = keys?.inserting(boundOf: sibling, at: left + 1)
    }
    return self.splicing(
      Splice(left..<(left + 2), Child(joined), sibling.map(Child.init)), keys: keys, total: total,
      size: size
    ).node
  }

  /// Joins two neighboring children into one node.
  private func join(_ left: Node, _ right: Node, boundAt slot: Int) -> Node {
    var keys: KeyBlock?
    if let first = left.keys, let second = right.keys {
      // The first key of an inner node may be above the bound in its parent, which is the valid
      // one.
      let isLeaf = right.isLeaf
      let bound = isLeaf ? nil : self.keys?.run(slot..<(slot + 1))
      keys = .joining(
        [first.run(0..<first.count)] + (bound.map { [$0] } ?? [])
          + [second.run((bound == nil ? 0 : 1)..<second.count)])
    }
    return .joining(left.run(0..<left.count), right.run(0..<right.count), keys: keys)
  }
}

extension KeyBlock {
  /// Inserts the first key of a node as its bound.
  fileprivate func inserting(boundOf node: Node, at slot: Int) -> KeyBlock {
    node.keys?.withKey(at: 0) { self.inserting($0, at: slot) } ?? self
  }
}
