import ImmutableJSON

extension SchemaCheck {
  /// Checks what concerns the value as a whole, and the schemas for the same value.
  mutating func checkInPlace(
    _ value: Value, since old: Value?, _ node: SchemaNode
  ) throws(SchemaError) {
    for values in node.values { try self.check(value, values) }
    for schema in node.all { try self.check(value, since: old, schema) }
    for union in node.unions { try self.check(value, since: old, union) }
    if let schema = node.not, try self.problem(value, schema) == nil {
      throw SchemaError("the value fits the schema of \"not\", but must not")
    }
  }

  private mutating func check(_ value: Value, _ values: AllowedValues) throws(SchemaError) {
    if case .string(let text) = value {
      guard !values.strings.contains(StringKey(text)) else { return }
      if !values.strings.isEmpty {
        let names = values.list.compactMap { if case .string(let name) = $0 { name } else { nil } }
        throw .unknownName(text, names)
      }
    } else {
      for other in values.others where try self.areEqual(other, value) { return }
    }
    let shown = values.list.prefix(5).map(\.shortText).joined(separator: ", ")
    let more = values.list.count > 5 ? " and \(values.list.count - 5) more" : ""
    let choice = values.list.count == 1 ? "" : "one of: "
    throw SchemaError("expected \(choice)\(shown)\(more), found \(value.shortText)")
  }

  /// Why a value does not fit; `nil` if it does.
  private mutating func problem(_ value: Value, _ index: Int) throws(SchemaError) -> SchemaError? {
    do {
      try self.check(value, since: nil, index)
      return nil
    } catch {
      if error.isLimit { throw error }
      return error
    }
  }

  // MARK: Unions

  private mutating func check(
    _ value: Value, since old: Value?, _ union: SchemaUnion
  ) throws(SchemaError) {
    let kind = SchemaKinds(of: value)
    let branches = union.branches.filter { self.nodes[$0].possibleKinds.contains(kind) }
    guard branches.count > 1 else {
      guard let branch = branches.first else {
        throw .mismatch(self.kinds(of: union).description, value)
      }
      // A value of another kind has not fit this branch.
      let isSameKind = old.map { SchemaKinds(of: $0) == kind } == true
      return try self.check(value, since: isSameKind ? old : nil, branch)
    }
    if let tag = union.tag, case .string(let name)? = value[tag.key] {
      guard let branch = tag.branches[StringKey(name)] else {
        throw SchemaError.unknownName(name, tag.branches.keys.map(\.text)).after(tag.name)
      }
      let isSameBranch = old?[tag.key] == .string(name)
      return try self.check(value, since: isSameBranch ? old : nil, branch)
    }
    try self.checkEach(value, branches, union)
  }

  private mutating func checkEach(
    _ value: Value, _ branches: [Int], _ union: SchemaUnion
  ) throws(SchemaError) {
    var count = 0
    var nested: SchemaError?
    for branch in branches {
      if let problem = try self.problem(value, branch) {
        if problem.isNested { nested = nested ?? problem }
      } else if union.isExclusive {
        count += 1
      } else {
        return
      }
    }
    if count == 1 { return }
    guard count == 0 else {
      throw SchemaError(
        "the value fits \(count) of the schemas of \"oneOf\", but must fit one only")
    }
    if let names = self.names(of: branches), case .string(let name) = value {
      throw .unknownName(name, names)
    }
    if let tag = union.tag, value[tag.key] == nil { throw .missing(tag.name) }
    let example = nested.map { "; for example, \($0.message(""))" } ?? ""
    throw SchemaError(
      "\(value.shortText) fits none of the \(union.branches.count) schemas of "
        + "\"\(union.keyword)\"\(example)")
  }

  /// The strings that schemas allow, if each has a list of them.
  private func names(of branches: [Int]) -> [String]? {
    var names: [String] = []
    for branch in branches {
      guard let values = self.nodes[branch].values.first else { return nil }
      names += values.strings.map(\.text)
    }
    return names
  }

  private func kinds(of union: SchemaUnion) -> SchemaKinds {
    union.branches.reduce(into: []) { $0.formUnion(self.nodes[$1].possibleKinds) }
  }
}
