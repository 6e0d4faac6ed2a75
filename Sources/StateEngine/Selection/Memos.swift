import ImmutableJSON

/// The last outputs of selectors, by their arguments.
///
/// The outputs of one reader all rest on one reading: when the state reads differently, none of them
/// is right any more. So what is kept alive of old states is at most what each reader read of one of
/// them.
struct Memos<S: Selection> {
  /// What is known of one reader.
  struct Memo {
    let reading: S.Reading

    /// The latest version of the state that is known to read so.
    fileprivate var version: Int
    fileprivate var outputs: [Value: Output] = [:]
  }

  private var memos: [S.Reader: Memo] = [:]

  /// How many outputs there are.
  private var count = 0

  /// How many outputs are kept. One more, and all are forgotten: what is asked for again is soon
  /// known again.
  private static var capacity: Int { 256 }
}

extension Memos {
  /// What the outputs of a selection's reader rest on, the version of the state that this is known to
  /// be right for, and the output for its arguments.
  func recall(_ selection: S) -> (reading: S.Reading, version: Int, output: Output?)? {
    guard let memo = self.memos[selection.reader] else { return nil }
    return (memo.reading, memo.version, memo.outputs[selection.arguments])
  }

  /// Notes that a version of the state still reads so.
  mutating func confirm(_ reader: S.Reader, _ reading: S.Reading, version: Int) {
    guard self.memos[reader]?.reading === reading else { return }
    self.memos[reader]?.version = version
  }

  // What these return was forgotten. It may be large, and is to be destroyed where no lock is held.

  /// Forgets the outputs of a reader, if they rest on this reading.
  mutating func forget(_ reader: S.Reader, _ reading: S.Reading) -> Memo? {
    guard let memo = self.memos[reader], memo.reading === reading else { return nil }
    self.count -= memo.outputs.count
    return self.memos.removeValue(forKey: reader)
  }

  /// Keeps an output, in place of those that rest on another reading.
  mutating func keep(
    _ output: Output, of selection: S, _ reading: S.Reading, version: Int
  ) -> [Memo] {
    let reader = selection.reader
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
      .outputs.updateValue(output, forKey: selection.arguments)
    self.count += old == nil ? 1 : 0
    return forgotten
  }
}
