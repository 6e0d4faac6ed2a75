import ImmutableJSON
import Threading

/// What a function selector returned last for some arguments, and for which inputs.
///
/// If two threads evaluate it at the same time, the last one wins: both contents are valid.
final class FunctionMemo: Sendable {
  struct Content {
    let inputs: [Value]
    let output: Value

    /// The last output if a new one equals it.
    func instance(of output: Value) -> Value {
      self.output == output ? self.output : output
    }
  }

  private let content = Mutex<Content?>(nil)

  /// Set and read by ``FunctionMemos`` only, guarded by the lock of the function.
  fileprivate nonisolated(unsafe) var lastUse = 0
}

extension FunctionMemo {
  /// Returns the output for some inputs: the last one if the inputs are the same.
  ///
  /// - Parameters:
  ///   - isForEach: Whether `makeOutput` compares the inputs.
  ///   - use: Called with the output when the memo keeps another content.
  ///   - makeOutput: Gets the last inputs and output, if there are any. Returns the last instance
  ///     if the output is equal.
  func output(
    for inputs: [Value], isForEach: Bool, use: (Value) -> Void,
    _ makeOutput: (Content?) throws(EngineError) -> Value
  ) throws(EngineError) -> Value {
    let last = self.content.withLock { $0 }
    if let last, zip(last.inputs, inputs).allSatisfy({ $0.isIdentical(to: $1) }) {
      return last.output
    }
    let output: Value
    if let last, !isForEach, last.inputs == inputs {
      output = last.output
    } else {
      output = try makeOutput(last)
    }
    // Also if only the instances differ, so that no old state is retained.
    let content = Content(inputs: inputs, output: output)
    self.content.withLock { $0 = content }
    // Destroyed without holding the lock.
    withExtendedLifetime(last) {}
    use(output)
    return output
  }
}

/// The memos of a function by arguments.
///
/// Now and then, those that were not used since the last time are removed: when there are many, and
/// when what was kept since then may take much more memory than the content of one memo. An
/// observation, and a call whose output is cached, keep theirs nevertheless.
struct FunctionMemos {
  private var memos: [Value: FunctionMemo] = [:]

  /// How often memos were removed.
  private var removals = 0

  /// An estimate of the memory of what was kept since then.
  private var bytes = 0

  /// The number of memos beyond which some are removed.
  private var limit = Self.minLimit

  private static var minLimit: Int { 256 }
}

// Memos may be large. Those that were removed are returned, so that the caller can destroy them
// without holding a lock.
extension FunctionMemos {
  /// Returns the memo for some arguments, and those that were removed.
  mutating func memo(for arguments: Value) -> (memo: FunctionMemo, unused: [FunctionMemo]) {
    if let memo = self.memos[arguments] {
      memo.lastUse = self.removals
      return (memo, [])
    }
    let unused = self.memos.count < self.limit ? [] : self.removeUnused()
    let memo = FunctionMemo()
    memo.lastUse = self.removals
    self.memos[arguments] = memo
    return (memo, unused)
  }

  /// Counts the new content of a memo as a use.
  ///
  /// - Parameter bytes: An estimate of its memory.
  mutating func use(_ memo: FunctionMemo, _ bytes: Int) -> [FunctionMemo] {
    memo.lastUse = self.removals
    self.bytes += bytes
    return self.bytes > 64 << 20 + 4 * bytes ? self.removeUnused() : []
  }

  /// Amortized O(1) for each memo and each use.
  private mutating func removeUnused() -> [FunctionMemo] {
    let unused = self.memos.filter { $0.value.lastUse < self.removals }
    for arguments in unused.keys { self.memos[arguments] = nil }
    self.removals += 1
    self.bytes = 0
    self.limit = max(Self.minLimit, 2 * self.memos.count)
    return Array(unused.values)
  }
}
