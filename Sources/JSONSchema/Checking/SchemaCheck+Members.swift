import ImmutableJSON

extension SchemaCheck {
  /// An unknown member is reported before any other problem.
  mutating func check(
    _ members: JSONObject, since old: Value?, _ rules: MemberRules
  ) throws(SchemaError) {
    if case .object(let old) = old {
      return try self.check(members, since: old, rules)
    }
    var known = 0
    do throws(SchemaError) {
      for property in rules.properties {
        if let member = members[property.key] {
          known += 1
          try self.check(member, since: nil, property.schema, at: property.name)
        } else if property.isRequired {
          throw .missing(property.name)
        }
      }
      try rules.checkOtherRequired(members)
    } catch {
      try rules.checkNames(members)
      throw error
    }
    if known < members.count {
      try rules.checkNames(members)
      if let others = rules.others.schema { try self.checkOthers(members, others, rules) }
    }
    try rules.count.check(members.count, "member")
  }

  private mutating func checkOthers(
    _ members: JSONObject, _ schema: Int, _ rules: MemberRules
  ) throws(SchemaError) {
    for (name, member) in members where rules.indices[StringKey(name)] == nil {
      try self.check(member, since: nil, schema, at: name)
    }
  }

  /// Checks only the members that changed.
  private mutating func check(
    _ members: JSONObject, since old: JSONObject, _ rules: MemberRules
  ) throws(SchemaError) {
    var failure: SchemaError?
    old.forEachChange(to: members) { name, before, after in
      guard failure == nil else { return }
      do throws(SchemaError) {
        try self.check(name, before, after, rules)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    try rules.count.check(members.count, "member")
  }

  private mutating func check(
    _ name: String, _ before: Value?, _ after: Value?, _ rules: MemberRules
  ) throws(SchemaError) {
    let property = rules.indices[StringKey(name)].map { rules.properties[$0] }
    guard let after else {
      if property?.isRequired == true
        || rules.otherRequired.contains(where: { $0.name.hasSameBytes(as: name) })
      {
        throw .missing(name)
      }
      return
    }
    if let property {
      return try self.check(after, since: before, property.schema, at: name)
    }
    switch rules.others {
    case .any: break
    case .none: throw SchemaError(unknown: [name], names: rules.names)
    case .schema(let schema): try self.check(after, since: before, schema, at: name)
    }
  }
}

extension MemberRules {
  fileprivate var names: [String] {
    self.properties.map(\.name)
  }

  fileprivate func checkOtherRequired(_ members: JSONObject) throws(SchemaError) {
    for (name, key) in self.otherRequired where members[key] == nil {
      throw .missing(name)
    }
  }

  fileprivate func checkNames(_ members: JSONObject) throws(SchemaError) {
    guard case .none = self.others else { return }
    let unknown = members.map(\.key).filter { self.indices[StringKey($0)] == nil }
    guard unknown.isEmpty else { throw SchemaError(unknown: unknown, names: self.names) }
  }
}
