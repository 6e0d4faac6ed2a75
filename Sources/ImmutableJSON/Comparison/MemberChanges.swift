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

  /// Visits one member, unless both objects certainly have the same value there. O(log n).
  ///
  /// - Parameter body: Receives the values of the member in this object and in the other; `nil` if
  ///   an object lacks the member.
  package func withChange(
    of key: String, to other: JSONObject, _ body: (_ old: Value?, _ new: Value?) -> Void
  ) {
    key.withKeyBytes { Node.withChange(of: $0, from: self.root, to: other.root, body) }
  }
}

extension Node {
  /// Follows a key in two trees, until they share a node or have other keys.
  fileprivate static func withChange(
    of key: KeyBytes, from old: Node?, to new: Node?, _ body: (_ old: Value?, _ new: Value?) -> Void
  ) {
    guard old !== new else { return }
    guard let old, let new else {
      return body(old?.value(at: .key(key)), new?.value(at: .key(key)))
    }
    // Retains nothing on the way down: the nodes live as long as the roots, and these as long as
    // this call.
    var (left, right) = (Unmanaged.passUnretained(old), Unmanaged.passUnretained(new))
    while let slot = left._withUnsafeGuaranteedRef({ left in
      right._withUnsafeGuaranteedRef { left.childSlot(of: key, ifSharedBy: $0) }
    }) {
      left = left._withUnsafeGuaranteedRef { $0.borrowChild(at: slot) }
      right = right._withUnsafeGuaranteedRef { $0.borrowChild(at: slot) }
      if left.toOpaque() == right.toOpaque() { return }
    }
    left._withUnsafeGuaranteedRef { left in
      right._withUnsafeGuaranteedRef { right in
        guard left.isLeaf, right.isLeaf, left.hasKeys(of: right) else {
          return body(left.value(at: .key(key)), right.value(at: .key(key)))
        }
        let (slot, isFound) = left.slot(of: .key(key))
        guard isFound, left.sharedValues(with: right, in: slot..<slot + 1) == 0 else { return }
        body(left.value(at: slot), right.value(at: slot))
      }
    }
  }

  /// The slot of the child that contains a key, if this is an inner node with the keys of another.
  private func childSlot(of key: KeyBytes, ifSharedBy other: Node) -> Int? {
    guard !self.isLeaf, !other.isLeaf, self.hasKeys(of: other) else { return nil }
    var position = TreePosition.key(key)
    return self.childSlot(of: &position)
  }

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
    guard old.isLeaf else {
      var slot = old.sharedChildren(with: new, from: 0)
      while slot < keys.count {
        old.borrowChild(at: slot)._withUnsafeGuaranteedRef { old in
          new.borrowChild(at: slot)._withUnsafeGuaranteedRef { new in
            self.forEachChange(from: old, to: new, body)
          }
        }
        slot += 1
        slot += old.sharedChildren(with: new, from: slot)
      }
      return
    }
    var slot = old.sharedValues(with: new, from: 0)
    while slot < keys.count {
      let (oldValue, newValue) = (old.value(at: slot), new.value(at: slot))
      if !oldValue.isIdentical(to: newValue) {
        body(keys.string(at: slot), oldValue, newValue)
      }
      slot += 1
      slot += old.sharedValues(with: new, from: slot)
    }
  }
}

/// Iterates over the members of two objects in key order, and pairs those with equal keys. Skips
/// shared subtrees.
struct MemberChanges {
  private var left: NodeCursor
  private var right: NodeCursor

  /// The number of pairs that were compared: those that ``next()`` returned, and those with one
  /// shared value, in leaves that are not shared.
  private(set) var compared = 0

  init(_ left: Node?, _ right: Node?) {
    self.left = NodeCursor(before: left)
    self.right = NodeCursor(before: right)
  }

  /// A member of one object or both.
  struct Pair {
    let old: Value?
    let new: Value?
    fileprivate let keys: KeyBlock?
    fileprivate let slot: Int
  }

  mutating func next() -> Pair? {
    self.compared += self.left.skipShared(&self.right).compared
    guard !self.left.isAtEnd || !self.right.isAtEnd else { return nil }
    self.compared += 1
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
      self.left.leaveValue()
      self.right.leaveValue()
      return Pair(
        old: leaf.value(at: slot), new: other.value(at: otherSlot), keys: leaf.keys, slot: slot)
    }
  }

  private mutating func removed(_ leaf: Node, _ slot: Int) -> Pair {
    self.left.leaveValue()
    return Pair(old: leaf.value(at: slot), new: nil, keys: leaf.keys, slot: slot)
  }

  private mutating func added(_ leaf: Node, _ slot: Int) -> Pair {
    self.right.leaveValue()
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
