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
}

extension FunctionMemo {
  /// Returns the output for some inputs: the last one if the inputs are the same.
  ///
  /// - Parameters:
  ///   - isForEach: Whether `makeOutput` compares the inputs.
  ///   - makeOutput: Gets the last inputs and output, if there are any. Returns the last instance
  ///     if the output is equal.
  func output(
    for inputs: [Value], isForEach: Bool, _ makeOutput: (Content?) throws(EngineError) -> Value
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
    return output
  }
}

/// The memos of a function by arguments.
struct FunctionMemos {
  private var memos: [Value: FunctionMemo] = [:]

  /// The number of memos beyond which those that no observation uses are removed.
  private var limit = Self.minLimit

  private static var minLimit: Int { 256 }
}

extension FunctionMemos {
  /// Returns the memo for some arguments, and those that were removed.
  mutating func memo(for arguments: Value) -> (memo: FunctionMemo, unused: [FunctionMemo]) {
    if let memo = self.memos[arguments] { return (memo, []) }
    let unused = self.memos.count < self.limit ? [] : self.removeUnused()
    let memo = FunctionMemo()
    self.memos[arguments] = memo
    return (memo, unused)
  }

  /// Amortized O(1) for each memo.
  private mutating func removeUnused() -> [FunctionMemo] {
    var unused: [FunctionMemo] = []
    for arguments in Array(self.memos.keys) where isKnownUniquelyReferenced(&self.memos[arguments])
    {
      if let memo = self.memos.removeValue(forKey: arguments) { unused.append(memo) }
    }
    self.limit = max(Self.minLimit, 2 * self.memos.count)
    return unused
  }
}
