extension Value {
  /// What changed from this value to another, as a JSON Patch (RFC 6902).
  ///
  /// Applied to this value the patch gives the other. It is not always the shortest there is, but
  /// never says more than that a changed scalar was replaced, a member added or removed, and
  /// elements inserted or removed where they were. Shared parts are not looked at: the cost is that
  /// of what changed, and a node of each level on the way there.
  public func diff(to other: Value) -> Value {
    var difference = Difference()
    difference.compare(self, other)
    return .array(JSONArray(difference.operations))
  }
}

/// Collects the operations that make one value of another.
private struct Difference {
  var operations: [Value] = []
  private var path = JSONPointer()

  mutating func compare(_ old: Value, _ new: Value) {
    switch (old, new) {
    case (.object(let old), .object(let new)): self.compare(old, new)
    case (.array(let old), .array(let new)): self.compare(old, new)
    default:
      if old != new {
        self.record("replace", new)
      }
    }
  }

  private mutating func compare(_ old: JSONObject, _ new: JSONObject) {
    old.forEachChange(to: new) { key, old, new in
      switch (old, new) {
      case (let old?, let new?): self.within(key) { $0.compare(old, new) }
      case (nil, let new?): self.add(key, new)
      case (_, nil): self.remove(key)
      }
    }
  }

  /// Walks both arrays. Where they differ and one has more elements left, it looks whether the next
  /// few of those are new (or gone) before it takes the element for a changed one.
  private mutating func compare(_ old: JSONArray, _ new: JSONArray) {
    var (left, right) = (NodeCursor(old.root), NodeCursor(new.root))
    var (leftIndex, rightIndex) = (0, 0)
    var surplus = new.count - old.count
    while let (leaf, slot) = left.current, let (other, otherSlot) = right.current {
      let skipped = left.skipShared(&right)
      if skipped > 0 {
        (leftIndex, rightIndex) = (leftIndex + skipped, rightIndex + skipped)
        continue
      }
      let (before, after) = (leaf.value(at: slot), other.value(at: otherSlot))
      if !before.isIdentical(to: after) {
        if let shift = Self.shift(old, leftIndex, new, rightIndex, surplus) {
          for _ in 0..<abs(shift) {
            if shift > 0 {
              self.add(rightIndex.description, new[rightIndex])
              rightIndex += 1
            } else {
              self.remove(rightIndex.description)
              leftIndex += 1
            }
          }
          surplus -= shift
          left = NodeCursor(old.root, from: .index(leftIndex))
          right = NodeCursor(new.root, from: .index(rightIndex))
          continue
        }
        self.within(rightIndex.description) { $0.compare(before, after) }
      }
      left.advance()
      right.advance()
      (leftIndex, rightIndex) = (leftIndex + 1, rightIndex + 1)
    }
    for index in rightIndex..<max(new.count, rightIndex) {
      self.add(index.description, new[index])
    }
    for _ in leftIndex..<max(old.count, leftIndex) {
      self.remove(rightIndex.description)
    }
  }

  /// How many elements were inserted here (or, below 0, removed), if that is what happened.
  private static func shift(
    _ old: JSONArray, _ oldIndex: Int, _ new: JSONArray, _ newIndex: Int, _ surplus: Int
  ) -> Int? {
    let farthest = 16
    for distance in 1...max(min(abs(surplus), farthest), 1) where surplus != 0 {
      if surplus > 0, new.indices.contains(newIndex + distance),
        new[newIndex + distance] == old[oldIndex]
      {
        return distance
      }
      if surplus < 0, old.indices.contains(oldIndex + distance),
        old[oldIndex + distance] == new[newIndex]
      {
        return -distance
      }
    }
    return nil
  }

  private mutating func within(_ token: String, _ body: (inout Difference) -> Void) {
    self.path.tokens.append(token)
    body(&self)
    self.path.tokens.removeLast()
  }

  private mutating func add(_ token: String, _ value: Value) {
    self.within(token) { $0.record("add", value) }
  }

  private mutating func remove(_ token: String) {
    self.within(token) { difference in
      difference.operations.append(
        ["op": "remove", "path": .string(difference.path.description)])
    }
  }

  private mutating func record(_ operation: Value, _ value: Value) {
    self.operations.append(
      ["op": operation, "path": .string(self.path.description), "value": value])
  }
}
