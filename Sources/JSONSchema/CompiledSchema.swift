import ImmutableJSON

/// A JSON Schema (draft 2020-12) that values are checked against.
///
/// ```swift
/// let schema = try CompiledSchema(["type": "array", "items": ["type": "integer"]])
/// try schema.check([1, "two"])  // throws: /1: expected an integer, found a string
/// ```
///
/// It has a stated subset of the keywords: `docs/schemas.md` lists them. Annotations are not
/// checked; any other keyword is an error, so that no rule is silently ignored. 1 equals 1.0.
///
/// Neither a schema nor a value can make a check take long: the number of schemas, their nesting
/// and the states of patterns are limited, and a check has the budget of a ``WorkBudget``.
/// Immutable.
package struct CompiledSchema: Sendable {
  let nodes: [SchemaNode]

  /// Compiles a schema.
  ///
  /// - Parameters:
  ///   - definitions: An object of schemas, to which references lead as to those of its own
  ///     `$defs`, if that lacks the name.
  ///   - isForChanges: Whether the schema must be one that a change of a value can be checked
  ///     against without the rest of the value.
  package init(
    _ schema: Value, definitions: Value = [:], isForChanges: Bool = false
  ) throws(SchemaError) {
    var compiler = SchemaCompiler(schema, definitions: ["$defs": definitions])
    self.nodes = try compiler.compile()
    try self.nodes.link()
    guard isForChanges, let (problem, index) = self.nodes.obstacleToChanges else { return }
    throw SchemaError(problem).after(compiler.pointer(of: index))
  }
}

extension CompiledSchema {
  /// Throws the first reason why a value does not fit.
  ///
  /// - Parameter old: A value that fits. What both share is not checked.
  package func check(
    _ value: Value, since old: Value? = nil, _ budget: WorkBudget = WorkBudget()
  ) throws(SchemaError) {
    var check = SchemaCheck(self.nodes, budget)
    try check.check(value, since: old, 0)
  }
}
