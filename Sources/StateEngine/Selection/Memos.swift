import ImmutableJSON

/// The last outputs of selectors, by their arguments.
///
/// The outputs of one reader all rest on one reading: when the state reads differently, none of them
/// is right any more. So what is kept alive of old states is at most what each reader read of one of
/// them.
///
/// Both the number and the size of the outputs are bounded. Beyond either bound all but the latest are
/// forgotten: what is asked for again is soon known again.
struct Memos<S: Selection> {
  /// What is known of one reader.
  struct Memo {
    let reading: S.Reading

    /// The latest version of the state that is known to read so.
    fileprivate var version: Int
    fileprivate var outputs: [Value: Entry] = [:]
  }

  fileprivate struct Entry {
    let output: Output

    /// The estimated memory of the output and its arguments.
    var bytes: Int
  }

  private var memos: [S.Reader: Memo] = [:]

  /// How many outputs there are.
  private(set) var count = 0

  /// The estimated memory of all outputs and their arguments.
  private(set) var bytes = 0

  /// How many outputs are kept.
  static var capacity: Int { 256 }

  /// How many bytes are kept beside the largest output. So one output may be larger than this and
  /// stays while others come and go.
  private let byteCapacity: Int

  init(byteCapacity: Int) {
    self.byteCapacity = byteCapacity
  }
}

extension Memos {
  /// What the outputs of a selection's reader rest on, the version of the state that this is known to
  /// be right for, and the output for its arguments.
  func recall(_ selection: S) -> (reading: S.Reading, version: Int, output: Output?)? {
    guard let memo = self.memos[selection.reader] else { return nil }
    return (memo.reading, memo.version, memo.outputs[selection.arguments]?.output)
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
    self.bytes -= memo.outputs.values.reduce(0) { $0 + $1.bytes }
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
    // Another thread may have evaluated the same meanwhile.
    guard self.memos[reader]?.outputs[selection.arguments] == nil else { return forgotten }
    let bytes = output.value.estimatedMemory + selection.arguments.estimatedMemory
    self.memos[reader, default: Memo(reading: reading, version: version)]
      .outputs[selection.arguments] = Entry(output: output, bytes: bytes)
    self.count += 1
    self.bytes += bytes
    return forgotten + self.forgetExcess(keeping: selection)
  }

  /// Counts the text of an output, made after the output was kept.
  mutating func count(_ text: Text, of output: Output, of selection: S) -> [Memo] {
    guard self.memos[selection.reader]?.outputs[selection.arguments]?.output === output else {
      return []
    }
    self.memos[selection.reader]?.outputs[selection.arguments]?.bytes += text.count
    self.bytes += text.count
    return self.forgetExcess(keeping: selection)
  }
}

extension Memos {
  /// Forgets all outputs but one, if there are too many, or too large ones.
  private mutating func forgetExcess(keeping selection: S) -> [Memo] {
    guard self.count > Self.capacity || self.isTooLarge else { return [] }
    guard var memo = self.memos.removeValue(forKey: selection.reader),
      let entry = memo.outputs.removeValue(forKey: selection.arguments)
    else { return [] }
    let forgotten = [memo] + self.memos.values
    memo.outputs = [selection.arguments: entry]
    self.memos = [selection.reader: memo]
    self.count = 1
    self.bytes = entry.bytes
    return forgotten
  }

  private var isTooLarge: Bool {
    guard self.bytes > self.byteCapacity else { return false }
    let largest = self.memos.values.lazy.flatMap(\.outputs.values).map(\.bytes).max() ?? 0
    return self.bytes - largest > self.byteCapacity
  }
}

extension Value {
  /// The bytes that this value would take if it shared nothing with others: those of each value in
  /// it, and of its strings. O(1).
  fileprivate var estimatedMemory: Int {
    // The bound of a text has 6 bytes for each byte of a string.
    self.valueCount * MemoryLayout<Value>.stride + Int(UInt32(clamping: self.textSizeBound / 6))
  }
}
