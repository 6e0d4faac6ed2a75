/// The condition of a filter.
struct Condition: Sendable {
  let node: Node

  /// An equivalent of `node` that tests many values at once, if there is one.
  let test: Test?

  init(_ node: Node) {
    self.node = node
    self.test = Test(node)
  }

  /// A condition that can fail only because of its cost: a path, a comparison of paths, variables
  /// and literals, or a combination of these.
  indirect enum Test: Sendable {
    case truth(FieldPath)
    case comparison(Comparison, Operand, Operand)
    case not(Test)
    case all([Test])
    case any([Test])
  }

  enum Operand: Sendable {
    case path(FieldPath)
    /// A literal or a variable, which is the same for all elements.
    case constant(Node)
  }
}

extension Condition.Test {
  /// - Returns: `nil` if the node is not such a condition.
  init?(_ node: Node) {
    switch node {
    case .comparison(let comparison, let left, let right):
      guard let left = Condition.Operand(left), let right = Condition.Operand(right) else {
        return nil
      }
      self = .comparison(comparison, left, right)
    case .not(let node):
      guard let test = Self(node) else { return nil }
      self = .not(test)
    case .and(let nodes):
      guard let tests = Self.tests(nodes) else { return nil }
      self = .all(tests)
    case .or(let nodes):
      guard let tests = Self.tests(nodes) else { return nil }
      self = .any(tests)
    default:
      guard let path = FieldPath(node) else { return nil }
      self = .truth(path)
    }
  }

  private static func tests(_ nodes: [Node]) -> [Self]? {
    let tests = nodes.compactMap { Self($0) }
    return tests.count == nodes.count ? tests : nil
  }
}

extension Condition.Operand {
  fileprivate init?(_ node: Node) {
    switch node {
    case .literal, .argument, .local:
      self = .constant(node)
    default:
      guard let path = FieldPath(node) else { return nil }
      self = .path(path)
    }
  }
}
