import ImmutableJSON
import Threading

/// The cached outputs of a store's selectors.
///
/// An output is cached with what its selector read, not with the state. It is valid while the
/// version of the state is the same, or the state is unchanged wherever the selector reads.
///
/// A program that selects the same output again passes the same bytes again. The latest calls are
/// found by these bytes: that takes no parsing, no hashing and creates no string.
final class OutputCache: Sendable {
  private let table: Mutex<Table>
  private let tracer: Tracer?

  /// - Parameter byteCapacity: The maximum size of all outputs except the largest, in bytes.
  init(_ tracer: Tracer? = nil, byteCapacity: Int = 64 << 20) {
    self.tracer = tracer
    self.table = Mutex(Table(byteCapacity: byteCapacity))
  }
}

extension OutputCache {
  /// Returns the output of a call that was made recently, if it is valid for a version of the
  /// state. This is counted as a select.
  func recentOutput(of call: SelectCall, version: Int) -> CachedOutput? {
    self.table.withLock { $0.recentOutput(of: call, version: version) }
  }

  /// The same for the text of the output; `nil` if it was not written yet.
  func recentText(of call: SelectCall, version: Int) -> Text? {
    self.table.withLock { $0.recentText(of: call, version: version) }
  }

  /// Returns the output of a selector for the current state. This is counted as a select unless it
  /// throws.
  ///
  /// - Parameters:
  ///   - call: What the caller passed.
  ///   - version: The current version of the state, read before the state.
  ///   - generation: That of the graph, read before the selector was bound.
  ///   - snapshot: Reads the state. It is called only if no output of this version is cached.
  func output(
    of selector: BoundSelector, for call: SelectCall, version: Int, generation: Int,
    snapshot: () throws(EngineError) -> any Snapshot
  ) throws(EngineError) -> CachedOutput {
    let (key, arguments) = (selector.key, selector.arguments)
    let (found, isCurrent, cached) = self.find(key, arguments, version)
    if let found, isCurrent, let cached {
      return self.keep(cached, for: arguments, in: found, call, generation)
    }
    let snapshot = try snapshot()
    let valid = found.flatMap { self.check($0, snapshot, version) ? $0 : nil }
    if let valid, let cached {
      #if DEBUG
        try selector.checkReads(cached.value, snapshot)
      #endif
      return self.keep(cached, for: arguments, in: valid, call, generation)
    }
    let value =
      if let tracer, tracer.shows(.selectors) {
        try tracer.evaluating(selector, of: call, after: cached?.value, for: snapshot)
      } else {
        try selector.output(for: snapshot)
      }
    let new = CachedOutput(value, of: key, for: arguments)
    let group = valid ?? Group(selector, for: snapshot, version: version)
    let output = self.keep(
      new, for: arguments, in: group, call, generation, isNew: true, after: cached)
    // So outputs of old states are evicted faster than new ones are cached.
    for other in self.table.withLock({ $0.nextChecks(like: group, version: version) }) {
      _ = self.check(other, snapshot, version)
    }
    return output
  }

  /// Returns the output of a selector for a state if it is cached. This is not counted as a select.
  func cachedOutput(
    of selector: BoundSelector, version: Int, snapshot: any Snapshot
  ) -> Value? {
    let (group, isCurrent, cached) = self.find(selector.key, selector.arguments, version)
    guard let group, let cached else { return nil }
    if isCurrent { return cached.value }
    return group.isUnchanged(snapshot) ? cached.value : nil
  }

  /// Removes all outputs, because a selector was replaced.
  ///
  /// - Parameter generation: That of the graph. Outputs of selectors that were bound before it are
  ///   not cached any more.
  func removeAll(generation: Int) {
    let old = self.table.withLock { $0.removeAll(generation: generation) }
    // Destroyed after the lock has been released.
    withExtendedLifetime(old) {}
  }

  /// The number of cached outputs, and the estimate of their memory in bytes.
  var size: (count: Int, bytes: Int) {
    self.table.withLock { ($0.count, $0.bytes) }
  }

  /// The number of selects that returned an output, and the number of evaluations that they
  /// required.
  var counts: (selects: Int, evaluations: Int) {
    self.table.withLock { ($0.selects, $0.evaluations) }
  }
}

extension OutputCache {
  /// Finds the group with a key, whether it is known to be valid for a version of the state, and the
  /// output for some arguments.
  private func find(
    _ key: BoundSelector.Key, _ arguments: Value, _ version: Int
  ) -> (group: Group?, isCurrent: Bool, output: CachedOutput?) {
    self.table.withLock { table in
      let group = table.groups[key]
      return (group, group?.version == version, group?.outputs[arguments])
    }
  }

  /// Whether a group is valid for a state. If not, it is evicted immediately, because the next
  /// evaluation may take long or fail.
  private func check(_ group: Group, _ snapshot: any Snapshot, _ version: Int) -> Bool {
    guard group.isUnchanged(snapshot) else {
      _ = self.table.withLock { $0.evict(group) }
      return false
    }
    self.table.withLock { _ in group.version = version }
    return true
  }

  /// Creates the text of an output if the call needs it, caches what is new, and counts the select.
  ///
  /// - Parameter earlier: The output for an earlier state.
  private func keep(
    _ output: CachedOutput, for arguments: Value, in group: Group, _ call: SelectCall,
    _ generation: Int, isNew: Bool = false, after earlier: CachedOutput? = nil
  ) -> CachedOutput {
    let output = call.isWriting ? output.written(after: earlier) : output
    // A new output with arguments is often one of many that are not selected again.
    let isRecorded = !isNew || call.arguments.isNone
    // What is evicted may be large: it is destroyed after the lock has been released.
    return self.table.withLock { table -> (output: CachedOutput, evicted: [Any]) in
      table.selects += 1
      table.evaluations += isNew ? 1 : 0
      guard generation == table.generation else { return (output, []) }
      return table.insert(output, for: arguments, in: group, isRecorded ? call : nil)
    }.output
  }
}

/// An output of a selector, and its text if a caller needed it. Immutable.
package final class CachedOutput: @unchecked Sendable {
  package let value: Value
  let writtenText: Text?
  private let ranges: TextRanges?

  /// The estimated memory of the output and its arguments.
  let bytes: Int

  private init(_ value: Value, _ text: Text?, _ ranges: TextRanges?, bytes: Int) {
    (self.value, self.writtenText, self.ranges, self.bytes) = (value, text, ranges, bytes)
  }

  convenience init(_ value: Value, of key: BoundSelector.Key, for arguments: Value) {
    // The name of a domain's selector takes no memory of its own.
    let text = key.kind == .expression ? key.text.text.utf8.count : 0
    self.init(value, nil, nil, bytes: value.estimatedMemory + arguments.estimatedMemory + text)
  }

  /// Canonical JSON.
  package var text: Text {
    self.writtenText ?? Text.make(json: self.value)
  }

  var isWritten: Bool {
    self.writtenText != nil
  }

  /// Returns the output with its text.
  ///
  /// - Parameter earlier: The output for an earlier state. If it has a text, the text of what both
  ///   outputs share is copied from there.
  func written(after earlier: CachedOutput?) -> CachedOutput {
    guard !self.isWritten else { return self }
    let earlier: (Text, TextRanges)? =
      if let text = earlier?.writtenText, let ranges = earlier?.ranges { (text, ranges) } else {
        nil
      }
    let (text, ranges) = Text.make(json: self.value, after: earlier)
    return CachedOutput(self.value, text, ranges, bytes: self.bytes + text.count)
  }
}

extension Value {
  /// An estimate of the memory of this value in bytes, as if it shared no structure: the memory of
  /// each value in it, and of its strings. O(1).
  fileprivate var estimatedMemory: Int {
    // `textSizeBound` counts 6 bytes for each byte of a string.
    self.valueCount * MemoryLayout<Value>.stride + Int(UInt32(clamping: self.textSizeBound / 6))
  }
}
