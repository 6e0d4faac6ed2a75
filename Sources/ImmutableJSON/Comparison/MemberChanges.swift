extension JSONObject {
  /// Visits the members that may differ between two objects, in key order.
  ///
  /// Skips shared subtrees, so the cost is proportional to the change, times the height of the
  /// tree.
  ///
  /// - Parameter body: Receives the key and the values of the member in this object and in the
  ///   other; `nil` if an object lacks the member.
  package func forEachChange(
    to other: JSONObject, _ body: (_ key: String, _ old: Value?, _ new: Value?) -> Void
  ) {
    Node.forEachChange(from: self.root, to: other.root, body)
  }
}

extension Node {
  /// Visits the members that may differ between two subtrees for the same range of keys.
  ///
  /// Setting a value keeps the keys of the nodes on its path. So these nodes are compared slot by
  /// slot; a cursor is slower. The recursion is as deep as the tree.
  fileprivate static func forEachChange(
    from old: Node?, to new: Node?, _ body: (_ key: String, _ old: Value?, _ new: Value?) -> Void
  ) {
    guard old !== new else { return }
    guard let old, let new, let keys = old.keys, keys === new.keys, old.isLeaf == new.isLeaf else {
      var pairs = MemberChanges(old, new)
      while let pair = pairs.next() {
        if let old = pair.old, let new = pair.new, old.isIdentical(to: new) { continue }
        body(pair.key, pair.old, pair.new)
      }
      return
    }
    for slot in 0..<keys.count {
      if old.isLeaf {
        let (oldValue, newValue) = (old.value(at: slot), new.value(at: slot))
        guard !oldValue.isIdentical(to: newValue) else { continue }
        body(keys.string(at: slot), oldValue, newValue)
      } else if old.borrowChild(at: slot).toOpaque() != new.borrowChild(at: slot).toOpaque() {
        self.forEachChange(from: old.child(at: slot), to: new.child(at: slot), body)
      }
    }
  }
}

/// Iterates over the members of two objects in key order, and pairs those with equal keys. Skips
/// shared subtrees.
struct MemberChanges {
  private var left: NodeCursor
  private var right: NodeCursor

  init(_ left: Node?, _ right: Node?) {
    self.left = NodeCursor(left)
    self.right = NodeCursor(right)
  }

  /// A member of one object or both.
  struct Pair {
    let old: Value?
    let new: Value?
    fileprivate let keys: KeyBlock?
    fileprivate let slot: Int
  }

  mutating func next() -> Pair? {
    while self.left.skipShared(&self.right) > 0 {}
    switch (self.left.current, self.right.current) {
    case (nil, nil):
      return nil
    case (let (leaf, slot)?, nil):
      return self.removed(leaf, slot)
    case (nil, let (leaf, slot)?):
      return self.added(leaf, slot)
    case (let (leaf, slot)?, let (other, otherSlot)?):
      let order = leaf.compareKey(at: slot, with: other, at: otherSlot)
      if order < 0 { return self.removed(leaf, slot) }
      if order > 0 { return self.added(other, otherSlot) }
      self.left.advance()
      self.right.advance()
      return Pair(
        old: leaf.value(at: slot), new: other.value(at: otherSlot), keys: leaf.keys, slot: slot)
    }
  }

  private mutating func removed(_ leaf: Node, _ slot: Int) -> Pair {
    self.left.advance()
    return Pair(old: leaf.value(at: slot), new: nil, keys: leaf.keys, slot: slot)
  }

  private mutating func added(_ leaf: Node, _ slot: Int) -> Pair {
    self.right.advance()
    return Pair(old: nil, new: leaf.value(at: slot), keys: leaf.keys, slot: slot)
  }
}

extension MemberChanges.Pair {
  /// A copy of the key.
  var key: String {
    self.keys?.string(at: self.slot) ?? ""
  }

  /// Calls `body` with the bytes of the key.
  func withKey(_ body: (UnsafeRawBufferPointer) -> Void) {
    self.keys?.withKey(at: self.slot) { body($0.bytes) }
  }
}
