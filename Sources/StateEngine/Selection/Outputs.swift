import ImmutableJSON
import Threading

/// The last outputs of one kind of selectors of a store.
///
/// An output is kept with what its selector read of the state, not with the state. As long as the
/// version of the state is the same, or the selector reads the same in it (one and the same, mostly,
/// so that no look at it is needed), the output is handed out again.
final class Outputs<S: Selection>: Sendable {
  private struct Known {
    var memos: Memos<S>
    var selects = 0
    var evaluations = 0
  }

  private let known: Mutex<Known>

  /// - Parameter byteCapacity: How many bytes of outputs are cached beside the largest one.
  init(byteCapacity: Int = 64 << 20) {
    self.known = Mutex(Known(memos: Memos(byteCapacity: byteCapacity)))
  }
}

extension Outputs {
  /// The output of a selection for the current state, with its text if that is wanted.
  ///
  /// - Parameters:
  ///   - writing: Whether to make its text, unless it has one. Texts made here count as cached memory.
  ///   - version: The version of the state, or one that it had just now.
  ///   - state: Reads the state. It is not asked for where an output of this version is known.
  func output(
    of selection: S, writing: Bool, version: Int, state: () throws(EngineError) -> S.State
  ) throws(EngineError) -> Output {
    let output = try self.output(of: selection, version: version, state: state)
    if writing {
      let (text, isNew) = output.write()
      if isNew {
        _ = self.known.withLock { $0.memos.count(text, of: output, of: selection) }
      }
    }
    return output
  }

  private func output(
    of selection: S, version: Int, state: () throws(EngineError) -> S.State
  ) throws(EngineError) -> Output {
    let memo = self.known.withLock { known in
      known.selects += 1
      return known.memos.recall(selection)
    }
    if let memo, memo.version == version, let output = memo.output {
      return output
    }
    let state = try state()
    let confirmed = self.confirmed(memo?.reading, of: selection, state, version)
    if confirmed != nil, let output = memo?.output {
      return output
    }
    let output = Output(try selection.output(of: state))
    let reading = confirmed ?? selection.reading(of: state)
    _ = self.known.withLock { known in
      known.evaluations += 1
      return known.memos.keep(output, of: selection, reading, version: version)
    }
    return output
  }

  /// The output of a selection for a state, if it is cached. It does not count as asked for.
  ///
  /// - Parameters:
  ///   - version: The version of the state.
  ///   - state: Reads the state. It is not called if an output of this version is known.
  func cached(
    _ selection: S, version: Int, state: () throws(EngineError) -> S.State
  ) throws(EngineError) -> Value? {
    guard let memo = self.known.withLock({ $0.memos.recall(selection) }), let output = memo.output
    else { return nil }
    if memo.version == version { return output.value }
    return selection.isSame(memo.reading, in: try state()) ? output.value : nil
  }

  /// A reading, if the state still reads so. If not, the outputs that rest on it are forgotten here
  /// already: they need not wait for an evaluation that takes long or fails.
  private func confirmed(
    _ reading: S.Reading?, of selection: S, _ state: S.State, _ version: Int
  ) -> S.Reading? {
    guard let reading else { return nil }
    guard selection.isSame(reading, in: state) else {
      _ = self.known.withLock { $0.memos.forget(selection.reader, reading) }
      return nil
    }
    self.known.withLock { $0.memos.confirm(selection.reader, reading, version: version) }
    return reading
  }

  /// How many outputs are cached, and the estimated memory that they take.
  var size: (count: Int, bytes: Int) {
    self.known.withLock { ($0.memos.count, $0.memos.bytes) }
  }

  /// How often an output was asked for, and how often that took an evaluation.
  var counts: (selects: Int, evaluations: Int) {
    self.known.withLock { ($0.selects, $0.evaluations) }
  }
}
