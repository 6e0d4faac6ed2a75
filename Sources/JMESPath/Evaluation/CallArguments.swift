import ImmutableJSON

/// The arguments of a call while it is read.
struct CallArguments {
  private var trees: [Tree] = []
  private var offsets: [Int] = []
  private var isExpression: [Bool] = []

  mutating func append(_ tree: Tree, _ isExpression: Bool, at offset: Int) {
    self.trees.append(tree)
    self.offsets.append(offset)
    self.isExpression.append(isExpression)
  }

  /// The call, if its arguments are such as the function takes.
  func call(of function: Function, at offset: Int) throws(Fault) -> Tree {
    let name = function.rawValue
    let count = self.trees.count
    guard count == function.arity || (count > function.arity && function.isVariadic) else {
      let takes = counted(function.arity, "argument")
      throw Fault(
        .invalidArity,
        "\(name)() takes \(takes)\(function.isVariadic ? " or more" : ""), got \(count)",
        at: offset)
    }
    for (index, isExpression) in self.isExpression.enumerated()
    where isExpression != (index == function.expressionIndex) {
      let wanted = isExpression ? "a value, got an expression" : "an expression such as &name"
      throw Fault(
        .invalidType, "argument \(index + 1) of \(name)() must be \(wanted)",
        at: self.offsets[index])
    }
    let call = Node.Call(
      function: function, arguments: self.trees.map(\.node), at: offset,
      offsets: self.offsets)
    return Tree(.call(call), over: self.trees)
  }
}
