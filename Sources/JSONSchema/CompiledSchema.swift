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
  /// Its own, and those of other schemas of the same document.
  let nodes: [SchemaNode]
  let root: Int

  /// Compiles a schema.
  ///
  /// - Parameter isForChanges: Whether the schema must be one that a change of a value can be
  ///   checked against without the rest of the value.
  package init(_ schema: Value, isForChanges: Bool = false) throws(SchemaError) {
    self = try Self.schemas(
      at: [JSONPointer()], of: schema, forChanges: isForChanges ? 0 : nil)[0]
  }

  private init(_ nodes: [SchemaNode], _ root: Int) {
    (self.nodes, self.root) = (nodes, root)
  }

  /// Compiles several schemas of a document. The references of each lead into itself, and those to
  /// a name that its own `$defs` lacks to the `$defs` of the document, which all of them share.
  ///
  /// - Parameter changing: The position of the schema that must be one that a change of a value
  ///   can be checked against without the rest of the value.
  package static func schemas(
    at pointers: [JSONPointer], of document: Value, forChanges changing: Int? = nil
  ) throws(SchemaError) -> [CompiledSchema] {
    var compiler = SchemaCompiler(document)
    var roots: [Int] = []
    for pointer in pointers { roots.append(try compiler.add(pointer)) }
    let nodes = try compiler.compile()
    let targets = try nodes.link { compiler.pointer(of: $0) }
    if let changing, let (problem, index) = nodes.obstacleToChanges(of: roots[changing]) {
      throw SchemaError(problem).after(compiler.pointer(of: index))
    }
    return roots.map { CompiledSchema(nodes, targets[$0]) }
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
    try check.check(value, since: old, self.root)
  }
}
