/// A parsed expression: a chain of steps, and its height.
struct ParsedExpression {
  private var steps: [Node]

  /// The nesting depth of the nodes, not counting chains: the recursion depth of evaluation.
  private(set) var height: Int

  /// `@`
  static let current = ParsedExpression(steps: [], height: 0)

  /// Creates a node without children.
  init(_ node: Node) {
    self.init(steps: [node], height: 1)
  }

  /// Creates a node with children.
  init(_ node: Node, over parts: [ParsedExpression]) {
    let height = parts.reduce(0) { max($0, $1.height) }
    self.init(steps: [node], height: height + 1)
  }

  private init(steps: [Node], height: Int) {
    self.steps = steps
    self.height = height
  }

  var node: Node {
    self.steps.count > 1 ? .chain(self.steps) : self.steps.first ?? .current
  }

  /// Appends steps, which receive the result of this expression.
  mutating func append(_ next: ParsedExpression) {
    self.steps.append(contentsOf: next.steps)
    self.height = max(self.height, next.height)
  }
}

/// Limits that protect the stack and the memory.
enum ExpressionLimits {
  /// The maximum nesting depth of an expression. Parsing, evaluating and destroying it recurse to
  /// this depth, and each takes less than 256 KB of stack.
  static let depth = 110

  /// The maximum number of keys in a ``Path``. Longer paths are truncated.
  static let pathLength = 128

  /// The maximum number of paths of an expression. One with more is treated as reading everything.
  static let paths = 1024
}
