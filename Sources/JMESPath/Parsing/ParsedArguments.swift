import ImmutableJSON

/// The arguments of a call during parsing.
struct ParsedArguments {
  private var expressions: [ParsedExpression] = []
  private var offsets: [Int] = []
  private var isExpression: [Bool] = []

  mutating func append(_ parsed: ParsedExpression, _ isExpression: Bool, at offset: Int) {
    self.expressions.append(parsed)
    self.offsets.append(offset)
    self.isExpression.append(isExpression)
  }

  /// Checks the number and kind of the arguments, and creates the call.
  func call(
    of function: Function, _ site: Site?, at offset: Int
  ) throws(ExpressionError) -> ParsedExpression {
    let name = function.rawValue
    let count = self.expressions.count
    guard count == function.arity || (count > function.arity && function.isVariadic) else {
      let minimum = counted(function.arity, "argument")
      throw ExpressionError(
        .invalidArity,
        "\(name)() takes \(function.isVariadic ? "at least " : "")\(minimum), got \(count)",
        at: offset)
    }
    for (index, isExpression) in self.isExpression.enumerated()
    where isExpression != (index == function.expressionIndex) {
      let expected = isExpression ? "a value, got an expression" : "an expression such as &name"
      throw ExpressionError(
        .invalidType, "argument \(index + 1) of \(name)() must be \(expected)",
        at: self.offsets[index])
    }
    let call = Node.Call(
      function: function, arguments: self.expressions.map(\.node), site: site, at: offset,
      offsets: self.offsets)
    return ParsedExpression(.call(call), over: self.expressions)
  }
}
