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

/// The compiled JMESPath expressions of one store.
final class ExpressionCache: Sendable {
  fileprivate struct State {
    var compiled: [StringKey: Expression] = [:]
    var bytes = 0
  }

  /// The maximum number of cached expressions, and of the bytes of their texts. Beyond either, all
  /// but the latest are evicted; those in use are soon compiled again.
  fileprivate static let capacity = 256
  fileprivate static let byteCapacity = 1 << 20

  /// What the evaluations of the expressions keep.
  let results = PartialResultTable()

  private let state = Mutex(State())
}

extension ExpressionCache {
  /// Returns a compiled expression, from the cache if it is there.
  func compile(_ text: String) throws(EngineError) -> StoreExpression {
    if let expression = self.state.withLock({ $0.compiled[StringKey(text)] }) {
      return StoreExpression(expression, self.results)
    }
    do {
      let expression = try Expression(text)
      // Evicted expressions may be large: they are destroyed after the lock has been released.
      _ = self.state.withLock { $0.insert(expression, text) }
      return StoreExpression(expression, self.results)
    } catch {
      throw EngineError(error)
    }
  }
}

extension ExpressionCache.State {
  /// Caches a compiled expression, and returns those that were evicted, and the same expression if
  /// another thread has compiled it meanwhile.
  fileprivate mutating func insert(
    _ expression: Expression, _ text: String
  ) -> (evicted: [StringKey: Expression], replaced: Expression?) {
    var evicted: [StringKey: Expression] = [:]
    if self.compiled.count >= ExpressionCache.capacity
      || self.bytes + text.utf8.count > ExpressionCache.byteCapacity
    {
      swap(&evicted, &self.compiled)
      self.bytes = 0
    }
    let replaced = self.compiled.updateValue(expression, forKey: StringKey(text))
    if replaced == nil {
      self.bytes += text.utf8.count
    }
    return (evicted, replaced)
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
