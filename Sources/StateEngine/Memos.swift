import ImmutableJSON
import JMESPath

/// The last outputs of expressions, by their arguments.
///
/// The outputs of one expression all rest on one ``JMESPath/Reading``: when the state reads
/// differently, none of them is right any more. So what is kept alive of old states is at most what
/// each expression read of one of them. Where an expression reads, its arguments may say: then each
/// output rests on a reading of its own.
struct Memos {
  /// What has a reading.
  struct Reader: Hashable {
    private let text: String
    private let arguments: JSONObject?

    init(_ expression: Expression, _ arguments: JSONObject) {
      self.text = expression.text
      self.arguments = expression.readsByArguments ? arguments : nil
    }
  }

  struct Output {
    let value: Value
    let text: Text
  }

  /// What is known of one reader.
  struct Memo {
    let reading: Reading

    /// The latest version of the state that is known to read so.
    fileprivate var version: Int
    fileprivate var outputs: [JSONObject: Output] = [:]
  }

  private var memos: [Reader: Memo] = [:]

  /// How many outputs there are.
  private var count = 0

  /// How many outputs are kept. One more, and all are forgotten: what is asked for again is soon
  /// known again.
  private static let capacity = 256
}

extension Memos {
  /// What the outputs of a reader rest on, the version of the state that it is known to be right
  /// for, and the output for these arguments.
  func recall(
    _ reader: Reader, _ arguments: JSONObject
  ) -> (reading: Reading, version: Int, output: Output?)? {
    guard let memo = self.memos[reader] else { return nil }
    return (memo.reading, memo.version, memo.outputs[arguments])
  }

  /// Notes that a version of the state still reads so.
  mutating func confirm(_ reader: Reader, _ reading: Reading, version: Int) {
    guard self.memos[reader]?.reading === reading else { return }
    self.memos[reader]?.version = version
  }

  // What these return was forgotten. It may be large, and is to be destroyed where no lock is held.

  /// Forgets the outputs of a reader, if they rest on this reading.
  mutating func forget(_ reader: Reader, _ reading: Reading) -> Memo? {
    guard let memo = self.memos[reader], memo.reading === reading else { return nil }
    self.count -= memo.outputs.count
    return self.memos.removeValue(forKey: reader)
  }

  /// Keeps an output, in place of those that rest on another reading.
  mutating func keep(
    _ output: Output, of reader: Reader, _ arguments: JSONObject, _ reading: Reading,
    version: Int
  ) -> [Memo] {
    var forgotten: [Memo] = []
    if let other = self.memos[reader]?.reading, other !== reading,
      let memo = self.forget(reader, other)
    {
      forgotten = [memo]
    }
    if self.count >= Self.capacity {
      forgotten += self.memos.values
      self.memos = [:]
      self.count = 0
    }
    let old = self.memos[reader, default: Memo(reading: reading, version: version)]
      .outputs.updateValue(output, forKey: arguments)
    self.count += old == nil ? 1 : 0
    return forgotten
  }
}
