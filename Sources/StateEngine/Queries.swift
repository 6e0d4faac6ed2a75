import ImmutableData
import ImmutableJSON
import JMESPath

/// The JMESPath expressions of one store: compiled once, named if wished, with their last outputs.
///
/// An output is kept with the state that it was computed for. As long as what the expression can
/// read is the same in the current state (one and the same, mostly, so that no look at it is
/// needed), the output is handed out again.
final class Queries: Sendable {
  /// What was asked for.
  private struct Question: Hashable {
    let expression: String
    let arguments: JSONObject
  }

  /// An output, and the latest state that it is known to be right for.
  private struct Answer {
    var state: Value
    let output: Value
    let text: Text
  }

  private struct Known {
    var expressions: [String: Expression] = [:]
    var names: [String: Expression] = [:]
    var answers: [Question: Answer] = [:]
    var selects = 0
    var evaluations = 0
  }

  /// How many expressions and answers are kept. One more, and all are forgotten: what is asked for
  /// again is soon known again.
  private static let capacity = 256

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

  /// The output of an expression for a state, as a value and as text.
  func evaluate(
    _ expression: Expression, _ arguments: Value, _ state: Value
  ) throws(EngineError) -> (output: Value, text: Text) {
    let arguments = try expression.check(arguments)
    let question = Question(expression: expression.text, arguments: arguments)
    let answer = self.known.withLock { known in
      known.selects += 1
      return known.answers[question]
    }
    if let answer, answer.state.isIdentical(to: state) {
      return (answer.output, answer.text)
    }
    if var answer, expression.readsSame(in: answer.state, state) {
      answer.state = state
      self.known.withLock { $0.answers[question] = answer }
      return (answer.output, answer.text)
    }
    let output = try expression.output(of: state, arguments)
    let text = Text.make(output.utf8JSON)
    self.known.withLock { known in
      known.evaluations += 1
      let answer = Answer(state: state, output: output, text: text)
      known.answers.keep(answer, for: question, upTo: Self.capacity)
    }
    return (output, text)
  }

  /// How often an output was asked for, and how often that took an evaluation.
  var statistics: [(String, Value)] {
    let (selects, evaluations) = self.known.withLock { ($0.selects, $0.evaluations) }
    return [
      ("evaluations", .integer(Int64(evaluations))), ("selects", .integer(Int64(selects))),
    ]
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
