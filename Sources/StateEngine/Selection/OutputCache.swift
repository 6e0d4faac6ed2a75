import ImmutableJSON
import Threading

/// The cached outputs of a store's selectors.
///
/// An output is cached with the read set of its selector, not with the state. It is valid while the
/// version of the state is the same, or the state is unchanged wherever the selector reads.
final class OutputCache: Sendable {
  private struct State {
    var entries: OutputTable
    var selects = 0
    var evaluations = 0
  }

  private let state: Mutex<State>

  /// - Parameter byteCapacity: The maximum size of all outputs except the largest, in bytes.
  init(byteCapacity: Int = 64 << 20) {
    self.state = Mutex(State(entries: OutputTable(byteCapacity: byteCapacity)))
  }
}

extension OutputCache {
  /// Returns the output of a selector for the current state, and whether it was cached. This is
  /// counted as a select unless it throws.
  ///
  /// - Parameters:
  ///   - writing: Whether to create the text too. The cache counts the size of texts created here.
  ///   - version: The current version of the state, read before the state.
  ///   - snapshot: Reads the state. It is called only if no output of this version is cached.
  func output(
    of selector: BoundSelector, writing: Bool, version: Int,
    snapshot: () throws(EngineError) -> any Snapshot
  ) throws(EngineError) -> (output: CachedOutput, isCached: Bool) {
    let output: CachedOutput
    let isCached: Bool
    let earlier: CachedOutput?
    do {
      (output, isCached, earlier) = try self.evaluate(
        selector, version: version, snapshot: snapshot)
    } catch {
      // A select that throws is not counted.
      self.state.withLock { $0.selects -= 1 }
      throw error
    }
    if writing {
      let (text, isNew) = output.write(after: earlier)
      if isNew {
        _ = self.state.withLock { $0.entries.addSize(of: text, of: output, of: selector) }
      }
    }
    return (output, isCached)
  }

  /// Returns an output that ``remember(_:of:for:version:)`` recorded for the current version of the
  /// state. This is counted as a select.
  func recentOutput(of call: SelectCall, version: Int) -> CachedOutput? {
    self.state.withLock { state in
      guard let output = state.entries.find(call, version: version) else { return nil }
      state.selects += 1
      return output
    }
  }

  /// Records what the caller passed to select an output of a version of the state.
  func remember(
    _ output: CachedOutput, of selector: BoundSelector, for call: SelectCall, version: Int
  ) {
    self.state.withLock { state in
      state.entries.remember(output, of: selector, for: call, version: version)
    }
  }

  /// Evaluates a selector unless its output is cached. If an output was cached for an earlier
  /// state, returns that too.
  private func evaluate(
    _ selector: BoundSelector, version: Int, snapshot: () throws(EngineError) -> any Snapshot
  ) throws(EngineError) -> (CachedOutput, isCached: Bool, earlier: CachedOutput?) {
    let cached = self.state.withLock { state in
      state.selects += 1
      return state.entries.find(selector)
    }
    if let cached, cached.version == version, let output = cached.output {
      return (output, true, nil)
    }
    let input = try selector.input(snapshot())
    let readSet = cached.flatMap { cached in
      self.confirm(cached.readSet, of: selector.cacheKey, in: input, version) ? cached.readSet : nil
    }
    if readSet != nil, let output = cached?.output {
      #if DEBUG
        try selector.checkReads(output.value, input)
      #endif
      return (output, true, nil)
    }
    let output = CachedOutput(try selector.output(for: input))
    let newReadSet = readSet ?? selector.readSet(of: input)
    let (_, checks) = self.state.withLock { state in
      state.evaluations += 1
      return (
        state.entries.insert(output, of: selector, newReadSet, version: version),
        state.entries.nextChecks(like: selector, version: version)
      )
    }
    for (key, readSet) in checks {
      self.confirm(readSet, of: key, in: input, version)
    }
    return (output, false, cached?.output)
  }

  /// Returns the output of a selector for a state if it is cached. This is not counted as a select.
  ///
  /// - Parameters:
  ///   - version: The version of the state.
  ///   - snapshot: The state.
  func cachedOutput(
    of selector: BoundSelector, version: Int, snapshot: any Snapshot
  ) throws(EngineError) -> Value? {
    guard let cached = self.state.withLock({ $0.entries.find(selector) }),
      let output = cached.output
    else { return nil }
    if cached.version == version { return output.value }
    return cached.readSet.isUnchanged(in: try selector.input(snapshot)) ? output.value : nil
  }

  /// Whether a state is unchanged in a read set. If not, the outputs with this read set are evicted
  /// immediately, because the next evaluation may take long or fail.
  @discardableResult
  private func confirm(
    _ readSet: SnapshotReadSet, of key: BoundSelector.CacheKey, in snapshot: any Snapshot,
    _ version: Int
  ) -> Bool {
    guard readSet.isUnchanged(in: snapshot) else {
      _ = self.state.withLock { $0.entries.remove(key, readSet) }
      return false
    }
    self.state.withLock { $0.entries.confirm(key, readSet, version: version) }
    return true
  }

  /// The number of cached outputs, and the estimate of their memory in bytes.
  var size: (count: Int, bytes: Int) {
    self.state.withLock { ($0.entries.count, $0.entries.bytes) }
  }

  /// The number of selects that returned an output, and the number of evaluations that they
  /// required.
  var counts: (selects: Int, evaluations: Int) {
    self.state.withLock { ($0.selects, $0.evaluations) }
  }
}
