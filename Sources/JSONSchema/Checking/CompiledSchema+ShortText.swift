import ImmutableJSON

extension CompiledSchema {
  /// Whether the object at a JSON Pointer in a text certainly fits. It is not parsed: its members
  /// are checked where they are, if they are scalars.
  package func certainlyFits(_ text: ShortText, at pointer: UnsafeRawBufferPointer) -> Bool {
    let node = self.nodes[self.root]
    guard node.isPlain, node.kinds.contains(.object), let rules = node.members,
      rules.otherRequired.isEmpty, rules.count.isUnlimited, let required = rules.requiredBits
    else { return false }
    var check = SchemaCheck(self.nodes, WorkBudget())
    var found: UInt64 = 0
    let fits = text.allMembers(at: pointer) { key, value in
      if let position = rules.position(of: key) {
        found |= 1 << position
        return value.certainlyIs(in: rules.freeKinds[position])
          || check.fits(value, rules.properties[position].schema)
      }
      switch rules.others {
      case .any: return true
      case .none: return false
      case .schema(let schema): return check.fits(value, schema)
      }
    }
    return fits && found & required == required
  }
}

extension SchemaCheck {
  fileprivate mutating func fits(_ part: ShortText.Part, _ schema: Int) -> Bool {
    let node = self.nodes[schema]
    if part.certainlyIs(in: node.freeKinds) { return true }
    if let string = part.string, node.certainlyFits(string) { return true }
    guard let scalar = part.scalar else { return false }
    do {
      try self.check(scalar, since: nil, schema)
      return true
    } catch {
      return false
    }
  }
}

extension ShortText.Part {
  /// Whether it is certainly of one of some kinds.
  fileprivate func certainlyIs(in kinds: SchemaKinds) -> Bool {
    self.string != nil ? kinds.contains(.string) : kinds.contains(.integer) && self.isInteger
  }
}

extension SchemaNode {
  /// Whether a string certainly fits, judged by its size.
  fileprivate func certainlyFits(_ string: UnsafeRawBufferPointer) -> Bool {
    guard self.isPlain, self.kinds.contains(.string), let strings, strings.pattern == nil else {
      return false
    }
    return strings.length.certainlyFits(bytes: string.count)
  }
}
