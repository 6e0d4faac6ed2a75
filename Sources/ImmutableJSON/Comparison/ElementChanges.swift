extension JSONArray {
  /// Returns how the elements of this array became those of another. Skips shared subtrees.
  package func changes(to other: JSONArray) -> [ElementChanges.Change] {
    var (comparison, budget) = (ValueComparison(.exact), WorkBudget(.max))
    // The budget is not exceeded.
    return (try? ElementChanges.all(self, other, &comparison, &budget)) ?? []
  }
}

extension ElementChanges {
  /// Returns the changes that turn one array into another: by position or, if that takes fewer
  /// operations, with elements that move.
  static func all(
    _ old: JSONArray, _ new: JSONArray, _ comparison: inout ValueComparison,
    _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> [Change] {
    var changes = ElementChanges(old, new)
    var steps: [Change] = []
    var cost = 0
    while let step = try changes.next(&comparison, &budget) {
      if case .changed(let old, let new) = step.kind {
        cost += Self.cost(old, new)
      } else {
        cost += 1
      }
      steps.append(step)
    }
    guard cost > 1 else { return steps }
    // If matching takes more than half of what is left, the changes by position remain.
    var part = WorkBudget(budget.remaining / 2)
    let matching = ElementMatching(old, new, steps, &comparison, &part)
    try budget.charge(part.limit - part.remaining)
    guard let matching, matching.cost < cost else { return steps }
    return matching.changes(old, new)
  }

  /// The number of operations that a change of an element takes at least, if it takes more than one
  /// path.
  static func cost(_ old: Value, _ new: Value) -> Int {
    switch (old, new) {
    case (.array, .array), (.object, .object): 2
    default: 1
    }
  }
}

/// Iterates over the elements of two arrays that differ by position. Skips shared subtrees.
///
/// If two elements differ, it first checks whether a few elements were inserted or removed here.
/// Otherwise the element counts as changed.
package struct ElementChanges {
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

  /// How often a check found nothing since the last that did. After some, most elements have
  /// probably changed, and it would take long to check each.
  private var misses = 0

  private var equality = ElementEquality()

  private init(_ old: JSONArray, _ new: JSONArray) {
    self.old = old
    self.new = new
    self.left = NodeCursor(before: old.root)
    self.right = NodeCursor(before: new.root)
    self.surplus = new.count - old.count
  }

  /// A change at an index of the old array with all preceding changes applied.
  package struct Change {
    package let index: Int
    /// The indices in both arrays. For an added or removed element, that of the next one in the
    /// array that lacks it.
    let oldIndex: Int
    package let newIndex: Int
    package let kind: Kind

    package enum Kind {
      case changed(Value, Value)
      case added(Value)
      case removed
      /// The element was at another index.
      case moved(from: Int)

      /// Whether the old array has the element.
      var isLeaving: Bool {
        if case .added = self { false } else { true }
      }

      /// Whether the new array has the element.
      var isComing: Bool {
        if case .removed = self { false } else { true }
      }
    }
  }
}

extension ElementChanges {
  /// Returns the next pair of elements that differ, or the next added or removed element.
  private mutating func next(
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
      var isEqual = before.isIdentical(to: after)
      if !isEqual { isEqual = try comparison.areEqual(before, after, &budget) }
      if !isEqual {
        self.shift = try self.findShift(&comparison, &budget)
        if self.shift != 0 { break }
      }
      self.left.leaveValue()
      self.right.leaveValue()
      self.leftIndex += 1
      self.rightIndex += 1
      if !isEqual {
        return Change(
          index: self.rightIndex - 1, oldIndex: self.leftIndex - 1, newIndex: self.rightIndex - 1,
          kind: .changed(before, after))
      }
    }
    return self.shiftOne()
  }

  private mutating func shiftOne() -> Change {
    let (oldIndex, index) = (self.leftIndex, self.rightIndex)
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
    return Change(index: index, oldIndex: oldIndex, newIndex: index, kind: kind)
  }

  /// The number of elements inserted here, negative if removed; 0 if neither.
  private mutating func findShift(
    _ comparison: inout ValueComparison, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Int {
    let (maxDistance, maxMisses) = (16, 64)
    let isWide = self.misses < maxMisses
    guard self.surplus != 0 || isWide else { return 0 }
    if isWide, self.old.indices.contains(self.leftIndex + 1),
      self.new.indices.contains(self.rightIndex + 1),
      try self.equality.areEqual(
        self.old[self.leftIndex + 1], self.new[self.rightIndex + 1], &comparison, &budget)
    {
      return 0
    }
    self.misses += 1
    for distance in 1...(isWide ? maxDistance : min(abs(self.surplus), maxDistance)) {
      if self.surplus > 0 || isWide, self.new.indices.contains(self.rightIndex + distance),
        try self.equality.areEqual(
          self.new[self.rightIndex + distance], self.old[self.leftIndex], &comparison, &budget)
      {
        self.misses = 0
        return distance
      }
      if self.surplus < 0 || isWide, self.old.indices.contains(self.leftIndex + distance),
        try self.equality.areEqual(
          self.old[self.leftIndex + distance], self.new[self.rightIndex], &comparison, &budget)
      {
        self.misses = 0
        return -distance
      }
    }
    return 0
  }
}
