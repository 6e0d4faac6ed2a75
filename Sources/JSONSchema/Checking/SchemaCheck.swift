import ImmutableJSON

/// One check of a value.
///
/// Every function takes the value that was there before, if it is known to fit: what both share is
/// not checked again.
struct SchemaCheck {
  let nodes: [SchemaNode]
  var budget: WorkBudget
  private var depth = 0

  /// Bounds the recursion: schemas for parts and for the same value.
  static var maxDepth: Int { 128 }

  init(_ nodes: [SchemaNode], _ budget: WorkBudget) {
    self.nodes = nodes
    self.budget = budget
  }
}

extension SchemaCheck {
  mutating func check(
    _ value: Value, since old: Value?, _ index: Int
  ) throws(SchemaError) {
    if let old, old.isIdentical(to: value) { return }
    try self.charge()
    let (node, kind) = (self.nodes[index], SchemaKinds(of: value))
    if node.freeKinds.contains(kind) { return }
    guard node.kinds.contains(kind) else { throw .mismatch(node.kinds.description, value) }
    guard self.depth < Self.maxDepth else {
      throw SchemaError(limit: "nests deeper than the \(Self.maxDepth) schemas of one check")
    }
    self.depth += 1
    defer { self.depth -= 1 }
    switch value {
    case .integer, .real: try node.numbers?.check(value)
    case .string(let text):
      if let strings = node.strings { try self.check(text, strings) }
    case .array(let elements):
      if let rules = node.elements { try self.check(elements, since: old, rules) }
    case .object(let members):
      if let rules = node.members { try self.check(members, since: old, rules) }
    case .null, .bool: break
    }
    if !node.isPlain { try self.checkInPlace(value, since: old, node) }
  }

  /// Checks a part.
  ///
  /// - Parameter step: The step to the part, for errors.
  mutating func check(
    _ value: Value, since old: Value?, _ index: Int, at step: @autoclosure () -> String
  ) throws(SchemaError) {
    do {
      try self.check(value, since: old, index)
    } catch {
      throw error.after(step())
    }
  }

  mutating func charge(_ units: Int = 1) throws(SchemaError) {
    do {
      try self.budget.charge(units)
    } catch {
      throw SchemaError(error)
    }
  }

  mutating func areEqual(_ left: Value, _ right: Value) throws(SchemaError) -> Bool {
    do {
      return try left.isEquivalent(to: right, &self.budget)
    } catch {
      throw SchemaError(error)
    }
  }

  private mutating func check(_ text: String, _ rules: StringRules) throws(SchemaError) {
    if !rules.length.certainlyFits(bytes: text.utf8.count) {
      try self.charge(text.utf8.count / 16)
      try rules.length.check(text.unicodeScalars.count, "character")
    }
    guard let pattern = rules.pattern else { return }
    do {
      guard try !pattern.matches(text, &self.budget) else { return }
    } catch {
      throw SchemaError(error)
    }
    throw SchemaError(
      "expected a string that matches \(quoted(pattern.text)), found \(quoted(text))")
  }
}

extension CountRange {
  func check(_ count: Int, _ noun: String) throws(SchemaError) {
    if count < self.min {
      throw SchemaError("expected at least \(counted(self.min, noun)), found \(count)")
    }
    if count > self.max {
      throw SchemaError("expected at most \(counted(self.max, noun)), found \(count)")
    }
  }
}
