import ImmutableJSON

/// What an evaluation can see besides the current node: the variables, and the work that it may
/// still do.
final class Scope {
  /// The names of the expression's free variables, and their values where they were given.
  let names: [String]
  let arguments: [Value?]

  /// The values of the variables that the `let`s around have bound, from the outermost.
  ///
  /// One stack for the whole evaluation: `&a` is evaluated only inside the `let`s that are around it
  /// in the text, so that the levels are those that the parser counted.
  private(set) var locals: [Value] = []

  private var budget: WorkBudget

  init(names: [String], values: JSONObject, budget: WorkBudget) {
    self.names = names
    self.arguments = names.map { values[$0] }
    self.budget = budget
  }

  /// Evaluates what stands inside a `let`.
  func binding<Result>(
    _ values: [Value], _ body: () throws(ExpressionError) -> Result
  ) throws(ExpressionError) -> Result {
    self.locals.append(contentsOf: values)
    defer { self.locals.removeLast(values.count) }
    return try body()
  }

  func argument(_ index: Int, offset: Int) throws(ExpressionError) -> Value {
    if let value = self.arguments[index] { return value }
    throw .undefined(self.names[index], at: offset)
  }

  /// Takes units of work from the budget, before the work is done.
  func charge(_ units: Int) throws(ExpressionError) {
    do throws(WorkLimitError) {
      try self.budget.charge(units)
    } catch {
      throw ExpressionError(error)
    }
  }

  /// How many units are left.
  var left: Int {
    self.budget.left
  }

  /// Whether two arrays or objects are the same JSON, charging for what is compared.
  func areEquivalent(_ left: Value, _ right: Value) throws(ExpressionError) -> Bool {
    do throws(WorkLimitError) {
      return try left.isEquivalent(to: right, &self.budget)
    } catch {
      throw ExpressionError(error)
    }
  }
}

extension ExpressionError {
  /// The work that an evaluation would do is beyond its budget.
  init(_ error: WorkLimitError) {
    let remedy = error.isDefault ? "raise the limit, or set \"budget\"" : "or raise \"budget\""
    self.init(.limit, "the evaluation takes \(error); simplify the expression, \(remedy)", at: 0)
  }
}
