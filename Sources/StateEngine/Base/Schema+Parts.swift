extension Schema {
  /// Whether this schema, or one in it, satisfies a condition. Follows each reference once.
  func contains(
    followingReferences: Bool = true, where condition: (Schema) -> Bool
  ) -> Bool {
    var references: Set<String> = []
    var pending = [self]
    while let schema = pending.popLast() {
      if condition(schema) { return true }
      if case .reference(let name, let target) = schema {
        guard followingReferences, references.insert(name).inserted else { continue }
        pending.append(target())
      } else {
        pending += schema.parts
      }
    }
    return false
  }

  /// Why this schema, or one in it, cannot be derived; `nil` if all can. Follows no references: a
  /// type that is being derived may refer to itself.
  var problem: String? {
    var problem: String?
    _ = self.contains(followingReferences: false) { schema in
      guard case .invalid(let reason) = schema else { return false }
      problem = reason
      return true
    }
    return problem
  }

  private var parts: [Schema] {
    switch self {
    case .any, .boolean, .integer, .number, .string, .oneOf, .reference, .invalid: []
    case .array(let schema), .dictionary(let schema), .nullable(let schema),
      .limited(let schema, _):
      [schema]
    case .object(let properties): properties.map(\.schema)
    case .variants(let variants): variants.flatMap { $0.values.map(\.schema) }
    }
  }
}
