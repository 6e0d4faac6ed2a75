import ImmutableJSON
import JMESPath

/// The last outputs of expressions, by their arguments.
///
/// The outputs of one expression all rest on one ``JMESPath/Reading``: when the state reads
/// differently, none of them is right any more. So what is kept alive of old states is at most what
/// each expression read of one of them.
struct Memos {
  struct Output {
    let value: Value
    let text: Text
  }

  /// What is known of one expression.
  struct Memo {
    let reading: Reading

    /// The latest version of the state that is known to read so.
    fileprivate var version: Int
    fileprivate var outputs: [JSONObject: Output] = [:]
  }

  /// By the text of the expression.
  private var memos: [String: Memo] = [:]

  /// How many outputs there are.
  private var count = 0

  /// How many outputs are kept. One more, and all are forgotten: what is asked for again is soon
  /// known again.
  private static let capacity = 256
}

extension Memos {
  /// What the outputs of an expression rest on, the version of the state that it is known to be right
  /// for, and the output for these arguments.
  func recall(
    _ expression: String, _ arguments: JSONObject
  ) -> (reading: Reading, version: Int, output: Output?)? {
    guard let memo = self.memos[expression] else { return nil }
    return (memo.reading, memo.version, memo.outputs[arguments])
  }

  /// Notes that a version of the state still reads so.
  mutating func confirm(_ expression: String, _ reading: Reading, version: Int) {
    guard self.memos[expression]?.reading === reading else { return }
    self.memos[expression]?.version = version
  }

  // What these return was forgotten. It may be large, and is to be destroyed where no lock is held.

  /// Forgets the outputs of an expression, if they rest on this reading.
  mutating func forget(_ expression: String, _ reading: Reading) -> Memo? {
    guard let memo = self.memos[expression], memo.reading === reading else { return nil }
    self.count -= memo.outputs.count
    return self.memos.removeValue(forKey: expression)
  }

  /// Keeps an output, in place of those that rest on another reading.
  mutating func keep(
    _ output: Output, of expression: String, _ arguments: JSONObject, _ reading: Reading,
    version: Int
  ) -> [Memo] {
    var forgotten: [Memo] = []
    if let other = self.memos[expression]?.reading, other !== reading,
      let memo = self.forget(expression, other)
    {
      forgotten = [memo]
    }
    if self.count >= Self.capacity {
      forgotten += self.memos.values
      self.memos = [:]
      self.count = 0
    }
    let old = self.memos[expression, default: Memo(reading: reading, version: version)]
      .outputs.updateValue(output, forKey: arguments)
    self.count += old == nil ? 1 : 0
    return forgotten
  }
}
