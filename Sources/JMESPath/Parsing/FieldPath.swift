/// A node that is a path of fields: `@`, `a` or `a.b`.
///
/// It can be evaluated on many values at once, because this cannot fail.
struct FieldPath: Sendable {
  /// The fields; none for `@`.
  let fields: [Node.Field]

  /// The cost of the steps for each value.
  let units: Int

  /// - Returns: `nil` if the node is not a path.
  init?(_ node: Node) {
    switch node {
    case .current:
      (self.fields, self.units) = ([], 0)
    case .field(let field):
      (self.fields, self.units) = ([field], 0)
    case .chain(let steps):
      let fields = steps.compactMap(\.field)
      guard fields.count == steps.count else { return nil }
      (self.fields, self.units) = (fields, steps.count)
    default:
      return nil
    }
  }
}

/// The node that a projection evaluates on each element.
struct Projected: Sendable {
  let node: Node

  /// `node` as a path of fields, if it is one.
  let path: FieldPath?

  /// The place of the projection; `nil` inside another one.
  let site: Site?

  init(_ node: Node, at site: Site?) {
    self.node = node
    self.path = FieldPath(node)
    self.site = site
  }
}

extension Node {
  fileprivate var field: Field? {
    if case .field(let field) = self { field } else { nil }
  }
}
