/// Builds the JSON Patch that turns one value into another, iteratively.
struct PatchBuilder {
  var operations: ContiguousArray<Value> = []
  var budget: WorkBudget

  /// The pointer to the values being compared.
  private var path = PointerBuilder()

  private var comparison: ValueComparison

  init(_ budget: WorkBudget, _ comparison: ValueComparison = ValueComparison(.exact)) {
    self.budget = budget
    self.comparison = comparison
  }
}

extension PatchBuilder {
  /// Two arrays or two objects whose comparison is in progress.
  struct Pair {
    let old: Node?
    let new: Node?

    /// Set for two objects.
    var members: MemberChanges?

    /// Set for two arrays: the changes of their elements, the first one last.
    var elements: [ElementChanges.Change] = []

    /// The length of the path to these values, in bytes.
    let pathLength: Int

    /// The number of operations before this comparison.
    let operationCount: Int

    /// Whether this value or an enclosing one is small, and is known to differ.
    let isSmall: Bool
  }

  /// Appends the operations that turn `old` into `new`.
  mutating func compare(_ old: Value, _ new: Value) throws(WorkLimitError) {
    if try self.areEqual(old, new, isSmall: false) { return }
    guard var pair = try self.enter(old, new, isSmall: false) else { return }
    var outer: [Pair] = []
    while true {
      if let nested = try self.step(&pair) {
        outer.append(pair)
        pair = nested
      } else if let next = outer.popLast() {
        if pair.operationCount == self.operations.count {
          self.comparison.memoize(pair.old, pair.new)
        }
        pair = next
      } else {
        return
      }
    }
  }

  /// Whether two values are known to be equal without descending into large ones.
  ///
  /// Small values are compared completely first, which is cheap and mostly finds them equal. Values
  /// nested in a small value that differs are not compared again.
  private mutating func areEqual(
    _ old: Value, _ new: Value, isSmall: Bool
  ) throws(WorkLimitError) -> Bool {
    switch try self.comparison.match(old, new, &self.budget) {
    case .equal: true
    case .different: false
    case .nested(let old, let new):
      !isSmall && old.isSmall ? try self.comparison.areEqual(old, new, &self.budget) : false
    }
  }

  /// Starts the comparison of two arrays or two objects. For other values, records a replacement.
  private mutating func enter(
    _ old: Value, _ new: Value, isSmall: Bool
  ) throws(WorkLimitError) -> Pair? {
    switch (old, new) {
    case (.object(let old), .object(let new)):
      let members = MemberChanges(old.root, new.root)
      return self.pair(old.root, new.root, members: members, isSmall: isSmall)
    case (.array(let old), .array(let new)):
      let elements = try ElementChanges.all(old, new, &self.comparison, &self.budget)
      return self.pair(old.root, new.root, elements: elements.reversed(), isSmall: isSmall)
    default:
      try self.record(.replace, new)
      return nil
    }
  }

  private func pair(
    _ old: Node?, _ new: Node?, members: MemberChanges? = nil,
    elements: [ElementChanges.Change] = [], isSmall: Bool
  ) -> Pair {
    Pair(
      old: old, new: new, members: members, elements: elements, pathLength: self.path.count,
      operationCount: self.operations.count, isSmall: isSmall || old?.isSmall ?? false)
  }

  private mutating func nextMember(
    _ pair: inout Pair
  ) throws(WorkLimitError) -> MemberChanges.Pair? {
    let compared = pair.members?.compared ?? 0
    let member = pair.members?.next()
    try self.comparison.charge((pair.members?.compared ?? 0) - compared, &self.budget)
    return member
  }

  /// Advances to nested values that must be compared; `nil` at the end of both values.
  private mutating func step(_ pair: inout Pair) throws(WorkLimitError) -> Pair? {
    while let member = try self.nextMember(&pair) {
      if let old = member.old, let new = member.new,
        try self.areEqual(old, new, isSmall: pair.isSmall)
      {
        continue
      }
      self.path.truncate(to: pair.pathLength)
      member.withKey { self.path.append(key: $0) }
      switch (member.old, member.new) {
      case (let old?, let new?):
        if let nested = try self.enter(old, new, isSmall: pair.isSmall) { return nested }
      case (_, let new?): try self.record(.add, new)
      case (_, nil): try self.record(.remove, nil)
      }
    }
    while let change = pair.elements.popLast() {
      self.path.truncate(to: pair.pathLength)
      self.path.append(index: change.index)
      switch change.kind {
      case .changed(let old, let new):
        if let nested = try self.enter(old, new, isSmall: pair.isSmall) { return nested }
      case .added(let new): try self.record(.add, new)
      case .removed: try self.record(.remove, nil)
      case .moved(let from):
        let path = self.path.string
        self.path.truncate(to: pair.pathLength)
        self.path.append(index: from)
        try self.recordMove(to: path)
      }
    }
    return nil
  }
}

// MARK: Operations

extension PatchBuilder {
  private enum Operation: String {
    case add
    case remove
    case replace
  }

  /// Appends an operation at the current path.
  private mutating func record(
    _ operation: Operation, _ value: Value?
  ) throws(WorkLimitError) {
    try self.budget.charge(16)
    try self.budget.charge(bytes: self.path.count)
    let path = Value.string(self.path.string)
    let members = [.string(operation.rawValue), path] + (value.map { [$0] } ?? [])
    let node = Node.leaf(
      keys: value == nil ? Self.keysWithoutValue : Self.keys, count: members.count
    ) { members[$0] }
    self.operations.append(.object(JSONObject(root: node)))
  }

  /// Appends the operation that moves what is at the current path.
  private mutating func recordMove(to path: String) throws(WorkLimitError) {
    try self.budget.charge(16)
    try self.budget.charge(bytes: self.path.count + path.utf8.count)
    let operation: Value = [
      "from": .string(self.path.string), "op": "move", "path": .string(path),
    ]
    self.operations.append(operation)
  }

  // Immutable; shared by the operations of all patches.
  nonisolated(unsafe) private static let keys = "op".withKeyBytes { operation in
    "path".withKeyBytes { path in
      "value".withKeyBytes { KeyBlock.make([operation, path, $0]) }
    }
  }

  nonisolated(unsafe) private static let keysWithoutValue = "op".withKeyBytes { operation in
    "path".withKeyBytes { KeyBlock.make([operation, $0]) }
  }
}

extension Node {
  fileprivate var isSmall: Bool {
    self.size.values <= 256
  }
}
