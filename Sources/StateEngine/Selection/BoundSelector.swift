import ImmutableJSON
import JMESPath

/// A selector with its arguments, as an observation reads it.
enum BoundSelector: Sendable {
  /// One of the domain's.
  case domain(DomainSelection)

  /// An expression with its arguments, and the budget of each evaluation.
  case expression(ExpressionSelection)
}

extension BoundSelector {
  func output(of snapshot: any Snapshot) throws(EngineError) -> Value {
    switch self {
    case .domain(let selection): return try selection.output(of: snapshot)
    case .expression(let selection):
      return try selection.output(of: EngineError.catching(snapshot.value))
    }
  }
}
