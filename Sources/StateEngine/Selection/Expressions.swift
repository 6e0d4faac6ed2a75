import ImmutableJSON
import JMESPath
import Threading

/// The JMESPath expressions of one store: each is compiled once, and may have a name.
final class Expressions: Sendable {
  private struct State {
    var compiled: [String: Expression] = [:]
    var named: [String: Expression] = [:]
  }

  /// How many compiled expressions are cached. When one more is compiled, all others are dropped:
  /// those that are still in use soon return.
  private static let capacity = 256

  private let state = Mutex(State())
}

extension Expressions {
  /// The expression that was defined with a name.
  func named(_ name: String) -> Expression? {
    self.state.withLock { $0.named[name] }
  }

  var names: [String] {
    self.state.withLock { Array($0.named.keys) }
  }

  /// Gives an expression a name.
  ///
  /// - Returns: Whether the name was free.
  func define(_ name: String, _ expression: Expression) -> Bool {
    self.state.withLock { state in
      guard state.named[name] == nil else { return false }
      state.named[name] = expression
      return true
    }
  }

  /// Compiles an expression, or finds it compiled.
  func compile(_ text: String) throws(EngineError) -> Expression {
    if let expression = self.state.withLock({ $0.compiled[text] }) {
      return expression
    }
    do {
      let expression = try Expression(text)
      self.state.withLock { state in
        if state.compiled.count >= Self.capacity {
          state.compiled.removeAll(keepingCapacity: true)
        }
        state.compiled[text] = expression
      }
      return expression
    } catch {
      throw EngineError(error)
    }
  }
}
