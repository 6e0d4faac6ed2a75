import ImmutableJSON

extension SchemaCheck {
  mutating func check(
    _ elements: JSONArray, since old: Value?, _ rules: ElementRules
  ) throws(SchemaError) {
    if case .array(let old) = old {
      try self.checkElements(elements, since: old, rules)
    } else {
      try self.checkElements(elements, rules)
    }
    if case .none = rules.rest, elements.count > rules.prefix.count {
      try CountRange(max: rules.prefix.count).check(elements.count, "element")
    }
    try rules.count.check(elements.count, "element")
    if rules.isUnique { try self.checkUnique(elements) }
  }

  private mutating func checkElements(
    _ elements: JSONArray, _ rules: ElementRules
  ) throws(SchemaError) {
    var index = 0
    for element in elements {
      if let schema = rules.schema(at: index) {
        try self.check(element, since: nil, schema, at: index.description)
      } else if index >= rules.prefix.count {
        return
      }
      index += 1
    }
  }

  /// Checks only the elements that changed.
  private mutating func checkElements(
    _ elements: JSONArray, since old: JSONArray, _ rules: ElementRules
  ) throws(SchemaError) {
    guard rules.prefix.isEmpty else {
      // The position of an element decides about its schema, so all are compared with those before.
      var index = 0
      for element in elements {
        if let schema = rules.schema(at: index) {
          let before = index < old.count ? old[index] : nil
          try self.check(element, since: before, schema, at: index.description)
        } else if index >= rules.prefix.count {
          return
        }
        index += 1
      }
      return
    }
    guard let schema = rules.rest.schema else { return }
    for change in old.changes(to: elements) {
      switch change.kind {
      case .changed(let before, let after):
        try self.check(after, since: before, schema, at: change.newIndex.description)
      case .added(let element):
        try self.check(element, since: nil, schema, at: change.newIndex.description)
      case .removed, .moved: break
      }
    }
  }

  // MARK: Unique elements

  private mutating func checkUnique(_ elements: JSONArray) throws(SchemaError) {
    var indices: [Int: [Int]] = [:]
    var index = 0
    for element in elements {
      var (hasher, parts) = (Hasher(), 64)
      element.hashNumerically(into: &hasher, &parts, depth: 4)
      let hash = hasher.finalize()
      for other in indices[hash] ?? [] {
        try self.charge()
        if try self.areEqual(elements[other], element) {
          throw SchemaError("the elements \(other) and \(index) are equal; each must be unique")
        }
      }
      try self.charge()
      indices[hash, default: []].append(index)
      index += 1
    }
  }
}

extension ElementRules {
  fileprivate func schema(at index: Int) -> Int? {
    index < self.prefix.count ? self.prefix[index] : self.rest.schema
  }
}

extension Value {
  /// Hashes a value so that equal ones have equal hashes, 1 and 1.0 too. Up to a number of parts
  /// and a depth, which bound the recursion.
  fileprivate func hashNumerically(into hasher: inout Hasher, _ parts: inout Int, depth: Int) {
    parts -= 1
    switch self {
    case .null, .bool: hasher.combine(self)
    case .integer(let integer): hasher.combine(integer)
    case .real(let real):
      // 0.0 and -0.0 are equal.
      if let integer = Int64(equalTo: real) {
        hasher.combine(integer)
      } else {
        hasher.combine(real.bitPattern)
      }
    case .string(let text): hasher.combine(StringKey(text))
    case .array(let elements):
      hasher.combine(elements.count)
      guard depth > 0 else { return }
      for element in elements {
        guard parts > 0 else { return }
        element.hashNumerically(into: &hasher, &parts, depth: depth - 1)
      }
    case .object(let members):
      hasher.combine(members.count)
      guard depth > 0 else { return }
      for (key, member) in members {
        guard parts > 0 else { return }
        hasher.combine(StringKey(key))
        member.hashNumerically(into: &hasher, &parts, depth: depth - 1)
      }
    }
  }
}
