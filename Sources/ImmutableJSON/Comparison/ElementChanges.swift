extension JSONArray {
  /// Returns the elements that may differ between two arrays, in ascending order. Skips shared
  /// subtrees. If a few elements were inserted or removed in some places, the others are not among
  /// the changes.
  ///
  /// An index is one of this array with all preceding changes applied. `old` is `nil` for an added
  /// element; `new` is `nil` for a removed one.
  package func changes(to other: JSONArray) -> [(index: Int, old: Value?, new: Value?)] {
    var result: [(index: Int, old: Value?, new: Value?)] = []
    var changes = ElementChanges(self, other, findsMoves: true)
    var (comparison, budget) = (ValueComparison(.exact), WorkBudget(.max))
    // The budget is not exceeded.
    while let change = (try? changes.next(&comparison, &budget)) ?? nil {
      switch change.kind {
      case .changed(let old, let new): result.append((change.index, old, new))
      case .added(let new): result.append((change.index, nil, new))
      case .removed: result.append((change.index, nil, nil))
      }
    }
    return result
  }
}

/// Iterates over the differing elements of two arrays. Skips shared subtrees.
///
/// If two elements differ and the remaining counts do too, it first checks whether a few elements
/// were inserted or removed here. Otherwise the element counts as changed. To find elements that
/// were both inserted and removed, it also checks when the counts are equal.
struct ElementChanges {
  private let old: JSONArray
  private let new: JSONArray
  private var left: NodeCursor
  private var right: NodeCursor
  private var leftIndex = 0
  private var rightIndex = 0

  /// The number of remaining elements of the new array minus that of the old one.
  private var surplus: Int

  /// The number of elements to report as added next; as removed if negative.
  private var shift = 0

  /// Whether to check also when the remaining counts are equal, and in both directions.
  private let findsMoves: Bool

  /// How often such a check found nothing since the last that did. After some, most elements have
  /// probably changed, and it would take long to check each.
  private var misses = 0

  init(_ old: JSONArray, _ new: JSONArray, findsMoves: Bool = false) {
    self.findsMoves = findsMoves
    self.old = old
    self.new = new
    self.left = NodeCursor(before: old.root)
    self.right = NodeCursor(before: new.root)
    self.surplus = new.count - old.count
  }

  /// A change at an index of the old array with all preceding changes applied.
  struct Change {
    let index: Int
    let kind: Kind

    enum Kind {
      case changed(Value, Value)
      case added(Value)
      case removed
    }
  }
}

extension ElementChanges {
  /// Returns the next pair of elements that may differ, or the next added or removed element.
  mutating func next(
    _ comparison: inout ValueComparison, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Change? {
    while self.shift == 0 {
      let skipped = self.left.skipShared(&self.right, countingNodes: true)
      try comparison.charge(skipped.compared, &budget)
      self.leftIndex += skipped.inNodes + skipped.compared
      self.rightIndex += skipped.inNodes + skipped.compared
      guard let (leaf, slot) = self.left.current, let (other, otherSlot) = self.right.current
      else {
        // At least one array is at its end.
        self.shift = self.surplus
        if self.shift == 0 { return nil }
        break
      }
      let (before, after) = (leaf.value(at: slot), other.value(at: otherSlot))
      try comparison.charge(1, &budget)
      let isIdentical = before.isIdentical(to: after)
      if !isIdentical {
        self.shift = try self.findShift(&comparison, &budget)
        if self.shift != 0 { break }
      }
      self.left.leaveValue()
      self.right.leaveValue()
      self.leftIndex += 1
      self.rightIndex += 1
      if !isIdentical {
        return Change(index: self.rightIndex - 1, kind: .changed(before, after))
      }
    }
    return self.shiftOne()
  }

  private mutating func shiftOne() -> Change {
    let index = self.rightIndex
    let kind: Change.Kind
    if self.shift > 0 {
      kind = .added(self.new[index])
      self.rightIndex += 1
      self.right.leaveValue()
      self.shift -= 1
      self.surplus -= 1
    } else {
      kind = .removed
      self.leftIndex += 1
      self.left.leaveValue()
      self.shift += 1
      self.surplus += 1
    }
    return Change(index: index, kind: kind)
  }

  /// The number of elements inserted here, negative if removed; 0 if neither.
  private mutating func findShift(
    _ comparison: inout ValueComparison, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Int {
    let (maxDistance, maxMisses) = (16, 64)
    let findsMoves = self.findsMoves && self.misses < maxMisses
    guard self.surplus != 0 || findsMoves else { return 0 }
    if findsMoves, self.old.indices.contains(self.leftIndex + 1),
      self.new.indices.contains(self.rightIndex + 1),
      try comparison.areEqual(
        self.old[self.leftIndex + 1], self.new[self.rightIndex + 1], &budget)
    {
      return 0
    }
    self.misses += 1
    for distance in 1...(findsMoves ? maxDistance : min(abs(self.surplus), maxDistance)) {
      if self.surplus > 0 || findsMoves, self.new.indices.contains(self.rightIndex + distance),
        try comparison.areEqual(
          self.new[self.rightIndex + distance], self.old[self.leftIndex], &budget)
      {
        self.misses = 0
        return distance
      }
      if self.surplus < 0 || findsMoves, self.old.indices.contains(self.leftIndex + distance),
        try comparison.areEqual(
          self.old[self.leftIndex + distance], self.new[self.rightIndex], &budget)
      {
        self.misses = 0
        return -distance
      }
    }
    return 0
  }
}
