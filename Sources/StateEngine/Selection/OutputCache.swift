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
  ///
  /// - Parameter generation: That of the graph.
  func recentOutput(of call: SelectCall, version: Int, generation: Int) -> CachedOutput? {
    self.table.withLock { $0.recentOutput(of: call, version: version, generation: generation) }
  }

  /// The same for the text of the output; `nil` if it was not written yet.
  func recentText(of call: SelectCall, version: Int, generation: Int) -> Text? {
    self.table.withLock { $0.recentText(of: call, version: version, generation: generation) }
  }

  /// Returns the output of a call for the current state. This is counted as a select unless it
  /// throws.
  ///
  /// - Parameters:
  ///   - call: What the caller passed.
  ///   - version: The current version of the state, read before the state.
  ///   - generation: That of the graph, read before the selector is bound.
  ///   - bind: Binds the selector. It is called only if the call was not recorded.
  ///   - snapshot: Reads the state. It is called only if no output of this version is cached.
  func output(
    of call: SelectCall, version: Int, generation: Int,
    bind: () throws(EngineError) -> BoundSelector,
    snapshot: () throws(EngineError) -> any Snapshot
  ) throws(EngineError) -> CachedOutput {
    let found = try self.find(call, version, generation, bind)
    let (selector, cached) = (found.selector, found.output)
    if let group = found.group, found.isCurrent, let cached {
      return self.keep(cached, in: group, found, call, generation)
    }
    let snapshot = try snapshot()
    let valid = found.group.flatMap { self.check($0, in: found.slot, snapshot, version) ? $0 : nil }
    if let valid, let cached {
      #if DEBUG
        try selector.checkReads(cached.value, snapshot)
      #endif
      return self.keep(cached, in: valid, found, call, generation)
    }
    let group = valid ?? Group(selector.reads(of: snapshot), version: version)
    let value =
      if let tracer, tracer.shows(.selectors) {
        try tracer.evaluating(selector, of: call, after: cached?.value, for: snapshot)
      } else if found.isPath, let value = group.onlyValue {
        value
      } else {
        try selector.output(for: snapshot)
      }
    let output = self.keep(
      CachedOutput(value, of: selector, isWriting: call.isWriting, after: cached),
      in: group, found, call, generation, isNew: true)
    // So outputs of old states are evicted faster than new ones are cached.
    for (slot, group) in self.table.withLock({ $0.nextChecks(after: found.slot, version: version) })
    where !self.check(group, in: slot, snapshot, version) {
      self.table.withLock { $0.remove(slot) }
    }
    return output
  }

  /// Returns the output of a selector for a state if it is cached. This is not counted as a select.
  func cachedOutput(
    of selector: BoundSelector, version: Int, snapshot: any Snapshot
  ) -> Value? {
    let found = self.table.withLock { $0.find(selector, version: version) }
    guard let group = found.group, let cached = found.output else { return nil }
    return found.isCurrent || group.isUnchanged(snapshot) ? cached.value : nil
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

  /// The number of selectors, with cached outputs or soon removed, for tests.
  var selectorCount: Int {
    self.table.withLock { $0.slotCount }
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
  private func find(
    _ call: SelectCall, _ version: Int, _ generation: Int,
    _ bind: () throws(EngineError) -> BoundSelector
  ) throws(EngineError) -> Found {
    let recent = self.table.withLock {
      $0.find(call, version: version, generation: generation)
    }
    if let recent { return recent }
    let selector = try bind()
    return self.table.withLock { $0.find(selector, version: version) }
  }

  /// Whether a group is valid for a state. If not, it is evicted immediately, because the next
  /// evaluation may take long or fail.
  private func check(
    _ group: Group, in slot: Slot, _ snapshot: any Snapshot, _ version: Int
  ) -> Bool {
    let isValid = group.isUnchanged(snapshot)
    self.table.withLock {
      if isValid { group.version = version } else { $0.evict(group, from: slot) }
    }
    return isValid
  }

  /// Creates the text of an output if the call needs it, caches what is new, and counts the select.
  ///
  /// - Parameter found: What was found before.
  private func keep(
    _ output: CachedOutput, in group: Group, _ found: Found, _ call: SelectCall,
    _ generation: Int, isNew: Bool = false
  ) -> CachedOutput {
    let output = call.isWriting ? output.written() : output
    // A new output with arguments is often one of many that are not selected again.
    let isRecorded = !isNew || found.isRecent || call.arguments.isNone
    // What is evicted may be large: it is destroyed after the lock has been released.
    return self.table.withLock { table -> (output: CachedOutput, evicted: [Any]) in
      table.selects += 1
      table.evaluations += isNew ? 1 : 0
      guard generation == table.generation else { return (output, []) }
      return table.insert(output, in: group, found, isRecorded ? call : nil)
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

  private init(
    _ value: Value, isWriting: Bool, after earlier: CachedOutput?, bytesBesideText: Int
  ) {
    self.value = value
    (self.writtenText, self.ranges) = isWriting ? Self.write(value, after: earlier) : (nil, nil)
    self.bytes = bytesBesideText + (self.writtenText?.count ?? 0)
  }

  /// - Parameter earlier: The output for an earlier state.
  convenience init(
    _ value: Value, of selector: BoundSelector, isWriting: Bool, after earlier: CachedOutput?
  ) {
    var bytes = value.estimatedMemory + selector.arguments.estimatedMemory
    // The name of another selector takes no memory of its own.
    if case .expression(let expression, _, _) = selector { bytes += expression.text.utf8.count }
    self.init(value, isWriting: isWriting, after: earlier, bytesBesideText: bytes)
  }

  /// Returns the output with its text.
  func written() -> CachedOutput {
    guard !self.isWritten else { return self }
    return CachedOutput(self.value, isWriting: true, after: nil, bytesBesideText: self.bytes)
  }

  /// If an earlier output has a text, the text of what both outputs share is copied from there.
  private static func write(
    _ value: Value, after earlier: CachedOutput?
  ) -> (text: Text, ranges: TextRanges?) {
    // A short text is written faster than its parts are found.
    guard value.textSizeBound > 1024 else { return (Text.make(json: value), nil) }
    let earlier: (Text, TextRanges)? =
      if let text = earlier?.writtenText, let ranges = earlier?.ranges { (text, ranges) } else {
        nil
      }
    return Text.make(json: value, after: earlier)
  }
}

extension CachedOutput {
  /// Canonical JSON.
  package var text: Text {
    self.writtenText ?? Text.make(json: self.value)
  }

  var isWritten: Bool {
    self.writtenText != nil
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
