/// What the parser has read: steps that follow each other, none for `@`, and how deep they are.
struct ParsedExpression {
  private var steps: [Node]

  /// How many nodes lie in one another, the chains not counted. Evaluation recurs as deep.
  private(set) var height: Int

  /// `@`
  static let current = ParsedExpression(steps: [], height: 0)

  /// A node without others in it.
  init(_ node: Node) {
    self.init(steps: [node], height: 1)
  }

  /// A node with others in it.
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

  /// Adds the steps that take what this gives.
  mutating func append(_ next: ParsedExpression) {
    self.steps.append(contentsOf: next.steps)
    self.height = max(self.height, next.height)
  }
}
