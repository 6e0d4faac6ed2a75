import ImmutableJSON
import JMESPath
import Threading

/// A compiled expression of a store, with what its evaluations keep.
struct StoreExpression: Sendable {
  let expression: Expression
  private let results: PartialResultTable

  init(_ expression: Expression, _ results: PartialResultTable) {
    self.expression = expression
    self.results = results
  }

  var text: String {
    self.expression.text
  }

  func evaluate(
    _ value: Value, _ arguments: JSONObject, _ budget: WorkBudget
  ) throws(JMESPathError) -> Value {
    try self.results.evaluate(self.expression, value, arguments, budget)
  }
}

/// The compiled JMESPath expressions of one store, weighed by their texts.
final class ExpressionCache: Sendable {
  /// What the evaluations of the expressions keep.
  let results = PartialResultTable()

  private let compiled = Mutex(
    BoundedCache<StringKey, Expression>(capacity: 256, weightCapacity: 1 << 20))
}

extension ExpressionCache {
  /// Returns a compiled expression, from the cache if it is there.
  func compile(_ text: String) throws(EngineError) -> StoreExpression {
    let key = StringKey(text)
    if let expression = self.compiled.withLock({ $0.find(key) }) {
      return StoreExpression(expression, self.results)
    }
    do {
      let expression = try Expression(text)
      // What is dropped may be large: it is destroyed after the lock has been released.
      _ = self.compiled.withLock { $0.insert(expression, for: key, weight: text.utf8.count) }
      return StoreExpression(expression, self.results)
    } catch {
      throw EngineError(error)
    }
  }
}

extension EngineError {
  init(_ error: JMESPathError) {
    self.init(error.code.engineCode, error.description)
    self.line = error.line
    self.column = error.column
    self.offset = error.offset
  }
}

extension JMESPathError.Code {
  fileprivate var engineCode: EngineError.Code {
    switch self {
    // A variable that is not defined is a missing argument.
    case .undefinedVariable: .invalidArgument
    case .limit: .limit
    case .syntax, .unknownFunction, .invalidArity, .invalidType, .invalidValue: .invalidSelector
    }
  }
}
