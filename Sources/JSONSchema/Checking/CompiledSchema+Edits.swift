import ImmutableJSON

extension CompiledSchema {
  /// Whether a value certainly still fits after scalars in it were replaced. Follows the path of
  /// each edit, without making it.
  ///
  /// - Parameter value: The value without the edits, which fits.
  package func certainlyFits(_ edits: ValueEdits, of value: Value) -> Bool {
    withUnsafePointer(to: value) { value in
      edits.allSatisfy { self.certainlyFits($1, at: $0, of: BorrowedValue(value)) }
    }
  }

  private func certainlyFits(
    _ scalar: Value, at path: NodePath, of value: BorrowedValue
  ) -> Bool {
    var (path, value, index) = (path, value, self.root)
    while let (key, part) = value.part(on: &path) {
      switch self.schema(of: key, in: value, index) {
      case .any?: return true
      case .schema(let schema)?: index = schema
      case .some(.none), nil: return false
      }
      value = part
    }
    if self.nodes[index].freeKinds.contains(SchemaKinds(of: scalar)) { return true }
    var check = SchemaCheck(self.nodes, WorkBudget())
    return (try? check.check(scalar, since: nil, index)) != nil
  }

  /// The schema of a part; `nil` if the part matters for other schemas too.
  private func schema(
    of key: KeyBytes?, in value: BorrowedValue, _ index: Int
  ) -> OtherParts? {
    let node = self.nodes[index]
    if node.isPlain {
      guard let key else { return node.elements.map { $0.prefix.isEmpty ? $0.rest : nil } ?? .any }
      return node.members.map { $0.schema(of: key) } ?? .any
    }
    // What pydantic and msgspec make of a class, or of null.
    guard node.values.isEmpty, node.all.isEmpty, node.not == nil, node.unions.count == 1,
      node.members == nil, node.elements == nil, let union = node.unions.first
    else { return nil }
    let kind: SchemaKinds = key == nil ? .array : .object
    let branches = union.branches.filter { self.nodes[$0].possibleKinds.contains(kind) }
    if branches.count == 1 { return self.schema(of: key, in: value, branches[0]) }
    guard let tag = union.tag, let key, !StringKey(tag.name).hasSameBytes(as: key.bytes),
      case .string(let name)? = value.value[tag.key],
      let branch = tag.branches[StringKey(name)]
    else { return nil }
    return self.schema(of: key, in: value, branch)
  }
}

extension MemberRules {
  fileprivate func schema(of key: KeyBytes) -> OtherParts {
    self.position(of: key).map { .schema(self.properties[$0].schema) } ?? self.others
  }
}
