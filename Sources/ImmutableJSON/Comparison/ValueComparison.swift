/// Compares values of any depth and with any amount of sharing.
///
/// Iterative, with a stack on the heap. Skips subtrees that both sides share. After a number of
/// steps that ordinary values do not reach, it memoizes which subtrees are equal
/// (``EqualityClasses``), so that a subtree that occurs a million times is not compared each time.
/// Much sooner, it memoizes which differ (``DifferingNodes``): a diff compares elements of arrays
/// completely before it descends into those that differ, and would do so again at each level.
struct ValueComparison {
  /// How numbers are compared.
  enum Numbers {
    /// Equal if they have the same canonical text.
    case exact

    /// Equal if they are numerically equal: 1 and 1.0, 0.0 and -0.0.
    case equivalent
  }

  private let numbers: Numbers
  private var equalities = EqualityClasses()
  private var differences = DifferingNodes()
  private var steps = 0

  /// The number of steps after which equalities are memoized, which costs more than comparing a few
  /// values. Differences are after a fraction of it, because a comparison finds few of them.
  private let memoThreshold: Int

  init(_ numbers: Numbers, memoThreshold: Int = 1 << 20) {
    self.numbers = numbers
    self.memoThreshold = memoThreshold
  }

  /// The minimum size of strings that are memoized, in bytes.
  private static var longString: Int { 512 }
}

extension ValueComparison {
  /// Whether two values are equal. Charges one unit for each pair of values, and the bytes of
  /// strings.
  mutating func areEqual(
    _ left: Value, _ right: Value, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Bool {
    try self.charge(1, &budget)
    switch try self.match(left, right, &budget) {
    case .equal: return true
    case .different: return false
    case .nested(let left, let right): return try self.areEqual(left, right, &budget)
    }
  }

  /// Whether two trees, of the same kind and number of values, have equal values and keys.
  mutating func areEqual(
    _ left: Node, _ right: Node, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Bool {
    var passed: [(Node, Node)] = []
    var pair: Pair
    switch try self.narrow(left, right, &passed, &budget) {
    case .equal: return true
    case .different:
      self.memoizeDifferences(passed)
      return false
    case .nested(let left, let right): pair = Pair(left, right)
    }
    var outer: [Pair] = []
    while true {
      switch try self.walk(&pair, &budget) {
      case .equal:
        self.memoize(pair.left, pair.right)
        guard let next = outer.popLast() else { return true }
        pair = next
      case .different:
        if self.isMemoizingDifferences {
          self.memoizeDifferences(passed + (outer + [pair]).map { ($0.left, $0.right) })
        }
        return false
      case .nested(let left, let right):
        outer.append(pair)
        pair = Pair(left, right)
      }
    }
  }
}

extension ValueComparison {
  /// Two trees with the same number of values whose comparison is in progress.
  private struct Pair {
    let left: Node
    let right: Node
    var cursors: (NodeCursor, NodeCursor)

    init(_ left: Node, _ right: Node) {
      self.left = left
      self.right = right
      self.cursors = (NodeCursor(before: left), NodeCursor(before: right))
    }
  }

  enum Match {
    case equal
    case different

    /// The result depends on these trees, which have the same number of values.
    case nested(Node, Node)
  }

  /// Descends while two trees differ in one child or value, as an old and a new value often do.
  /// This takes no cursors.
  ///
  /// - Parameter passed: Gets the trees that differ if the result does.
  /// - Returns: In `nested`, trees that differ in more.
  private mutating func narrow(
    _ left: Node, _ right: Node, _ passed: inout [(Node, Node)], _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Match {
    var (left, right) = (left, right)
    while left.count == right.count, left.isLeaf == right.isLeaf {
      let isLeaf = left.isLeaf
      if isLeaf, !left.hasKeys(of: right) { break }
      let slot =
        isLeaf ? left.sharedValues(with: right, from: 0) : left.sharedChildren(with: right, from: 0)
      guard slot < left.count else { return .equal }
      let rest =
        isLeaf
        ? left.sharedValues(with: right, from: slot + 1)
        : left.sharedChildren(with: right, from: slot + 1)
      guard slot + 1 + rest == left.count else { break }
      try self.charge(isLeaf ? left.count : 1, &budget)
      if self.isMemoizingDifferences { passed.append((left, right)) }
      let match =
        isLeaf
        ? try self.match(left.value(at: slot), right.value(at: slot), &budget)
        : try self.match(left.child(at: slot), right.child(at: slot), &budget)
      guard case .nested(let first, let second) = match else { return match }
      (left, right) = (first, second)
    }
    return .nested(left, right)
  }

  /// Advances to the end of both trees, to a difference, or to nested trees that must be compared.
  private mutating func walk(
    _ pair: inout Pair, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Match {
    while true {
      let skipped = pair.cursors.0.skipShared(&pair.cursors.1)
      try self.charge(skipped.compared, &budget)
      guard let (leaf, slot) = pair.cursors.0.current,
        let (other, otherSlot) = pair.cursors.1.current
      else { return .equal }
      try self.charge(1, &budget)
      guard leaf.compareKey(at: slot, with: other, at: otherSlot) == 0 else { return .different }
      let match = try self.match(leaf.value(at: slot), other.value(at: otherSlot), &budget)
      if case .different = match { return .different }
      pair.cursors.0.leaveValue()
      pair.cursors.1.leaveValue()
      if case .nested = match { return match }
    }
  }

  /// Compares two values as far as possible without descending into them.
  mutating func match(
    _ left: Value, _ right: Value, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Match {
    switch (left, right) {
    case (.array(let left), .array(let right)):
      return try self.match(left.root, right.root, &budget)
    case (.object(let left), .object(let right)):
      return try self.match(left.root, right.root, &budget)
    default:
      return try self.matchScalars(left, right, &budget) ? .equal : .different
    }
  }

  private mutating func match(
    _ left: Node?, _ right: Node?, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Match {
    guard let left, let right else { return left == nil && right == nil ? .equal : .different }
    guard left !== right else { return .equal }
    guard left.total == right.total else { return .different }
    if left.isFlat, right.isFlat {
      return try self.matchFlat(left, right, &budget) ? .equal : .different
    }
    if self.isMemoizing, self.equalities.contains(left, right) { return .equal }
    if self.differences.contains(left, right) { return .different }
    return .nested(left, right)
  }

  /// Compares leaves with the same number of scalars, as most objects are, without cursors.
  private mutating func matchFlat(
    _ left: Node, _ right: Node, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Bool {
    try self.charge(left.count, &budget)
    if let keys = left.keys, let others = right.keys, !keys.isEqual(to: others) { return false }
    var slot = left.sharedValues(with: right, from: 0)
    while slot < left.count {
      guard try self.matchScalars(left.value(at: slot), right.value(at: slot), &budget) else {
        return false
      }
      slot += 1
      slot += left.sharedValues(with: right, from: slot)
    }
    return true
  }
}

// MARK: Memoization

extension ValueComparison {
  private var isMemoizing: Bool {
    self.steps > self.memoThreshold
  }

  private var isMemoizingDifferences: Bool {
    self.steps > self.memoThreshold >> 10
  }

  private mutating func memoizeDifferences(_ pairs: [(Node, Node)]) {
    for (left, right) in pairs { self.differences.insert(left, right) }
  }

  /// Records that two trees are equal.
  mutating func memoize(_ left: Node?, _ right: Node?) {
    guard let left, let right, self.isMemoizing else { return }
    self.equalities.insert(left, right)
  }
}

// MARK: Scalars

extension ValueComparison {
  private mutating func matchScalars(
    _ left: Value, _ right: Value, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Bool {
    switch (left, right) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.integer(let left), .integer(let right)): return left == right
    case (.real(let left), .real(let right)):
      return self.numbers == .equivalent
        ? left.order == right.order : left.bitPattern == right.bitPattern
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)):
      // Not `Double(integer) == real`: the conversion rounds beyond 53 bits.
      return self.numbers == .equivalent && Int64(equalTo: real) == integer
    case (.string(let left), .string(let right)): return try self.match(left, right, &budget)
    default: return false
    }
  }

  private mutating func match(
    _ left: String, _ right: String, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Bool {
    let count = left.utf8.count
    guard count == right.utf8.count else { return false }
    if count < Self.longString {
      if count >= 16 {
        try self.charge(count / 16, &budget)
      }
      return left.hasSameBytes(as: right)
    }
    let (address, other) = (left.address, right.address)
    if address == other || self.isMemoizing && self.equalities.contains(address, other) {
      return true
    }
    try self.charge(count / 16, &budget)
    guard left.hasSameBytes(as: right) else { return false }
    if self.isMemoizing {
      self.equalities.insert(address, other)
    }
    return true
  }

  mutating func charge(
    _ units: Int, _ budget: inout WorkBudget
  ) throws(WorkLimitError) {
    try budget.charge(units)
    self.steps &+= units
  }
}

extension String {
  /// The address of the bytes of a long string, valid while it lives.
  fileprivate var address: UInt {
    var string = self
    return string.withUTF8 { UInt(bitPattern: $0.baseAddress) }
  }
}

extension Node {
  /// Whether this is a leaf that contains only scalars.
  fileprivate var isFlat: Bool {
    self.isLeaf && self.size.depth == 0
  }
}
