import ImmutableJSON
import JMESPath
import Threading

/// The JMESPath expressions of one store: compiled once, named if wished, with their last outputs.
final class Queries: Sendable {
  private struct Known {
    var expressions: [String: Expression] = [:]
    var names: [String: Expression] = [:]
  }

  /// How many expressions are kept. One more, and all are forgotten: what is asked for again is soon
  /// known again.
  private static let capacity = 256

  let outputs = Outputs<ExpressionSelection>()

  private let known = Mutex(Known())
}

extension Queries {
  /// The expression that was defined by a name.
  func named(_ name: String) -> Expression? {
    self.known.withLock { $0.names[name] }
  }

  var names: [String] {
    self.known.withLock { Array($0.names.keys) }
  }

  /// Gives an expression a name.
  ///
  /// - Returns: Whether the name was free.
  func define(_ name: String, _ expression: Expression) -> Bool {
    self.known.withLock { known in
      guard known.names[name] == nil else { return false }
      known.names[name] = expression
      return true
    }
  }

  /// Compiles an expression, or finds it compiled.
  func compile(_ text: String) throws(EngineError) -> Expression {
    if let expression = self.known.withLock({ $0.expressions[text] }) {
      return expression
    }
    do {
      let expression = try Expression(text)
      self.known.withLock { known in
        known.expressions.keep(expression, for: text, upTo: Self.capacity)
      }
      return expression
    } catch {
      throw EngineError(error)
    }
  }
}

extension Dictionary {
  fileprivate mutating func keep(_ value: Value, for key: Key, upTo capacity: Int) {
    if self.count >= capacity {
      self.removeAll(keepingCapacity: true)
    }
    self[key] = value
  }
}
