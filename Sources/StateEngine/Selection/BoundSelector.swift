import ImmutableJSON
import JMESPath

/// A selector with its arguments, as an observation reads it.
enum BoundSelector: Sendable {
  /// One of the domain's.
  case domain(String, Value)

  /// An expression with its arguments, and the budget of each evaluation.
  case expression(Expression, JSONObject, WorkBudget)
}

extension BoundSelector {
  func output(of snapshot: any Snapshot) throws(EngineError) -> Value {
    switch self {
    case .expression(let expression, let arguments, let budget):
      return try expression.output(of: EngineError.catching(snapshot.value), arguments, budget)
    case .domain(let name, let arguments):
      let output = try EngineError.catching { try snapshot.select(name, arguments) }
      return output ?? .null
    }
  }
}
