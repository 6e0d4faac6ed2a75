import ImmutableData
import ImmutableJSON
import JMESPath

/// The JMESPath expressions of one store: compiled once, named if wished, with their last outputs.
///
/// An output is kept with what its expression read of the state, not with the state. As long as the
/// version of the state is the same, or the expression reads the same in it (one and the same, mostly,
/// so that no look at it is needed), the output is handed out again.
final class Queries: Sendable {
  private struct Known {
    var expressions: [String: Expression] = [:]
    var names: [String: Expression] = [:]
    var memos = Memos()
    var selects = 0
    var evaluations = 0
  }

  /// How many expressions are kept. One more, and all are forgotten: what is asked for again is soon
  /// known again.
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

  /// The output of an expression for the current state, as a value and as text.
  ///
  /// - Parameters:
  ///   - version: The version of the state, or one that it had just now.
  ///   - state: Reads the state. It is not asked for where an output of this version is known.
  func evaluate(
    _ expression: Expression, _ arguments: Value, version: Int,
    state: () throws(EngineError) -> Value
  ) throws(EngineError) -> (output: Value, text: Text) {
    let arguments = try expression.check(arguments)
    let reader = Memos.Reader(expression, arguments)
    let memo = self.known.withLock { known in
      known.selects += 1
      return known.memos.recall(reader, arguments)
    }
    if let memo, memo.version == version, let output = memo.output {
      return (output.value, output.text)
    }
    let state = try state()
    let confirmed = self.confirmed(memo?.reading, of: reader, state, version)
    if confirmed != nil, let output = memo?.output {
      return (output.value, output.text)
    }
    let value = try expression.output(of: state, arguments)
    let output = Memos.Output(value: value, text: Text.make(value.utf8JSON))
    let reading = confirmed ?? expression.reading(of: state, with: arguments)
    _ = self.known.withLock { known in
      known.evaluations += 1
      return known.memos.keep(output, of: reader, arguments, reading, version: version)
    }
    return (output.value, output.text)
  }

  /// A reading, if the state still reads so. If not, the outputs that rest on it are forgotten here
  /// already: they need not wait for an evaluation that takes long or fails.
  private func confirmed(
    _ reading: Reading?, of reader: Memos.Reader, _ state: Value, _ version: Int
  ) -> Reading? {
    guard let reading else { return nil }
    guard reading.isSame(in: state) else {
      _ = self.known.withLock { $0.memos.forget(reader, reading) }
      return nil
    }
    self.known.withLock { $0.memos.confirm(reader, reading, version: version) }
    return reading
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
