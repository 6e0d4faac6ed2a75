extension JSONObject {
  /// Visits the members that are not known without a look to be the same in another object, in
  /// order of their keys. Shared parts are skipped: the cost is that of what changed, and a node of
  /// each level on the way there.
  ///
  /// - Parameter body: Gets the key, and the values of the member in this object and in the other;
  ///   `nil` where it has none.
  package func forEachChange(
    to other: JSONObject, _ body: (_ key: String, _ old: Value?, _ new: Value?) -> Void
  ) {
    var (left, right) = (NodeCursor(self.root), NodeCursor(other.root))
    while true {
      switch (left.current, right.current) {
      case (nil, nil):
        return
      case (let (leaf, slot)?, nil):
        body(leaf.key(at: slot), leaf.value(at: slot), nil)
        left.advance()
      case (nil, let (leaf, slot)?):
        body(leaf.key(at: slot), nil, leaf.value(at: slot))
        right.advance()
      case (let (leaf, slot)?, let (other, otherSlot)?):
        if left.skipShared(&right) > 0 { continue }
        let order = leaf.compareKey(at: slot, with: other, at: otherSlot)
        if order == 0, !leaf.value(at: slot).isIdentical(to: other.value(at: otherSlot)) {
          body(leaf.key(at: slot), leaf.value(at: slot), other.value(at: otherSlot))
        } else if order < 0 {
          body(leaf.key(at: slot), leaf.value(at: slot), nil)
        } else if order > 0 {
          body(other.key(at: otherSlot), nil, other.value(at: otherSlot))
        }
        if order <= 0 { left.advance() }
        if order >= 0 { right.advance() }
      }
    }
  }
}

extension Node {
  /// In a leaf of an object: the key of a slot, copied.
  fileprivate func key(at slot: Int) -> String {
    self.keys?.string(at: slot) ?? ""
  }
}
