import ImmutableJSON
import Threading

/// The cached outputs of a store's selectors, by the calls that requested them.
///
/// A program that selects the same output again passes the same bytes again. A call is found by
/// these bytes, with the selector that it was bound to: that takes no parsing.
///
/// An output is cached with what its selector read, not with the state. It is valid while the
/// version of the state is the same, or the state is unchanged wherever the selector reads.
final class OutputCache: Sendable {
  private let access = ReadWriteLock()
  nonisolated(unsafe) private let table: UnsafeMutablePointer<Table>
  private let tracer: Tracer?

  /// - Parameter byteCapacity: The maximum size of all outputs except the largest, in bytes.
  init(_ tracer: Tracer? = nil, byteCapacity: Int = 64 << 20) {
    self.tracer = tracer
    self.table = .allocate(capacity: 1)
    self.table.initialize(to: Table(byteCapacity: byteCapacity))
  }

  deinit {
    self.table.deinitialize(count: 1)
    self.table.deallocate()
  }

  /// Calls `body` while no other thread uses the table.
  private func withTable<Result>(_ body: (inout Table) -> Result) -> Result {
    self.access.lock()
    self.access.excludeReaders()
    defer {
      self.access.admitReaders()
      self.access.unlock()
    }
    return body(&self.table.pointee)
  }
}

extension OutputCache {
  /// What a selector read of a state: for all arguments, unless these determine what it reads. A
  /// selector keeps at most one old state alive. Guarded by the lock of the cache.
  fileprivate final class Validity {
    let readsJSON: Bool

    /// `nil` until an evaluation succeeds.
    var reads: BoundSelector.Reads?

    /// How often the reads were replaced. Outputs of an earlier revision are invalid.
    var revision = 0

    /// The latest version of the state for which the reads are known to be unchanged.
    var version = -1

    init(_ selector: BoundSelector) {
      self.readsJSON = selector.readsJSON
    }
  }

  /// A call with its last output. Guarded by the lock of the cache.
  fileprivate final class CachedCall {
    let call: SelectCall.Copy
    let selector: BoundSelector
    let validity: Validity

    /// The limit of work for which the output is the only value that the selector reads; `nil` if
    /// it may be another one.
    let pathWork: Int?

    var output: CachedOutput

    /// That of the validity when the output was evaluated.
    var revision = 0

    init(_ call: SelectCall, _ found: Found, _ output: CachedOutput) {
      self.call = SelectCall.Copy(call)
      self.selector = found.selector
      self.validity = found.validity
      self.pathWork = found.selector.isPath ? ValueLimits.work : nil
      self.output = output
    }

    /// The output if it is known to be valid. Counts no references but that of what is returned.
    func answer(_ call: SelectCall, _ version: Int, copies: Bool) -> Answer? {
      let isValid = Unmanaged.passUnretained(self.validity)._withUnsafeGuaranteedRef {
        $0.version == version && $0.revision == self.revision
      }
      guard isValid,
        Unmanaged.passUnretained(self.call)._withUnsafeGuaranteedRef({ $0.matches(call) })
      else { return nil }
      return Unmanaged.passUnretained(self.output)._withUnsafeGuaranteedRef { output in
        if copies, let copy = output.shortCopy() { return .copy(copy) }
        return output.isWritten || !call.isWriting ? .output(output) : nil
      }
    }
  }

  /// What is known of a call.
  enum Answer {
    /// The output, which is known to be valid.
    case output(CachedOutput)
    /// A copy of its text.
    case copy(OwnedText)
    case found(Found)
  }

  /// What the cache knows of a call for which it has no output of this version. A class, so that an
  /// answer is copied fast.
  final class Found {
    fileprivate let selector: BoundSelector
    fileprivate let generation: Int
    fileprivate let validity: Validity
    fileprivate let reads: BoundSelector.Reads?
    fileprivate let revision: Int

    /// Whether the reads are known to be unchanged.
    fileprivate let isCurrent: Bool

    fileprivate let call: CachedCall?
    fileprivate let lastOutput: CachedOutput?

    /// The last output, if it is valid unless the reads have changed.
    fileprivate let output: CachedOutput?

    fileprivate init(
      _ selector: BoundSelector, _ validity: Validity, version: Int, generation: Int,
      call: CachedCall?, output: CachedOutput?
    ) {
      self.selector = selector
      self.generation = generation
      self.validity = validity
      self.reads = validity.reads
      self.revision = validity.revision
      self.isCurrent = validity.version == version
      self.call = call
      self.lastOutput = call?.output ?? output
      self.output = output
    }
  }

  /// What the lock of a cache guards.
  fileprivate struct Table: ~Copyable {
    /// Weighed by the size of the outputs and the calls.
    var calls: BoundedCache<SelectCall.Key, CachedCall>

    /// Weighed by the size of the keys, most of which are short.
    var validities: BoundedCache<BoundSelector.Key, Validity>

    /// How often selectors had been replaced when the cached ones were bound.
    var generation = 0

    /// The last version that was evaluated, and an estimate of the memory of all states that were
    /// evaluated since invalid outputs were last removed.
    var version = -1
    var bytes = 0

    /// The selects whose output had to be validated or evaluated.
    var selects = 0
    var evaluations = 0

    init(byteCapacity: Int) {
      self.calls = BoundedCache(capacity: 256, weightCapacity: byteCapacity)
      self.validities = BoundedCache(capacity: 256, weightCapacity: byteCapacity / 8)
    }
  }
}

// MARK: Finding

// What is dropped may be large. It is destroyed after the lock has been released.

extension OutputCache {
  /// Finds a call: its output if that is known to be valid for a version of the state, which is
  /// counted as a select, or else what is known.
  ///
  /// - Parameters:
  ///   - generation: That of the graph.
  ///   - copies: Whether the text of the output is copied if it is short. Then no memory is written
  ///     that many threads share.
  /// - Returns: `nil` if the call is not cached.
  func find(
    _ call: SelectCall, version: Int, generation: Int, copies: Bool = false
  ) -> Answer? {
    let use = self.access.beginReading()
    let (answer, isRecent) = self.table.pointee.find(call, version, generation, copies: copies)
    switch answer {
    case .found?, nil: use.end()
    case .copy?, .output?:
      use.end(isCounted: true)
      if !isRecent { self.recordUse(of: call.key) }
    }
    return answer
  }

  // Not inlined: it would make the path above longer.
  @inline(never)
  private func recordUse(of key: SelectCall.Key) {
    self.withTable { $0.calls.use(key) }
  }

  /// Finds what is known of a selector.
  ///
  /// - Parameter generation: That of the graph, read before the selector was bound.
  func find(_ selector: BoundSelector, version: Int, generation: Int) -> Found {
    let key = selector.key
    let (found, dropped) = self.withTable { table in
      let known = table.validities.find(key)
      let validity = known ?? Validity(selector)
      let dropped =
        known == nil
        ? table.validities.insert(validity, for: key, weight: key.estimatedMemory) : nil
      // The same arguments may have been passed in another form, or with another budget.
      let found = Found(
        selector, validity, version: version, generation: generation, call: nil,
        output: table.output(of: selector, validity))
      return (found, dropped)
    }
    withExtendedLifetime(dropped) {}
    return found
  }

  /// Returns the output of a selector for a state if it is cached. This is not counted as a select.
  func cachedOutput(
    of selector: BoundSelector, version: Int, snapshot: any Snapshot
  ) -> Value? {
    let key = selector.key
    let found = self.withTable { table -> (Value, BoundSelector.Reads, isCurrent: Bool)? in
      guard let validity = table.validities.find(key), let reads = validity.reads,
        let output = table.output(of: selector, validity)
      else { return nil }
      return (output.value, reads, validity.version == version)
    }
    guard let (value, reads, isCurrent) = found, isCurrent || reads.isUnchanged(snapshot) else {
      return nil
    }
    return value
  }
}

// MARK: Evaluating

extension OutputCache {
  /// Returns the output of a call for the current state. This is counted as a select unless it
  /// throws.
  ///
  /// - Parameters:
  ///   - call: What the caller passed.
  ///   - found: What was found of it.
  ///   - version: The current version of the state, read before the state.
  ///   - snapshot: Reads the state. It is called only if no output of this version is cached.
  func output(
    of call: SelectCall, _ found: Found, version: Int,
    snapshot: () throws(EngineError) -> any Snapshot
  ) throws(EngineError) -> CachedOutput {
    // It may have no text yet.
    if found.isCurrent, let output = found.output {
      return self.keep(output, call, found, version).output
    }
    let snapshot = try snapshot()
    let reads = found.reads.flatMap { found.isCurrent || $0.isUnchanged(snapshot) ? $0 : nil }
    if reads != nil, let output = found.output {
      #if DEBUG
        try found.selector.checkReads(output.value, snapshot)
      #endif
      return self.keep(output, call, found, version).output
    }
    let newReads = reads ?? found.selector.reads(of: snapshot)
    let value: Value
    do throws(EngineError) {
      value = try self.evaluate(call, found, snapshot, newReads)
    } catch {
      self.discard(call, found, isInvalid: reads == nil)
      throw error
    }
    let readsJSON = found.validity.readsJSON
    let memory = readsJSON ? (try? snapshot.value())?.estimatedMemory : nil
    let (output, isFull) = self.keep(
      CachedOutput(value, of: found.selector, isWriting: call.isWriting, after: found.lastOutput),
      call, found, version, (reads == nil ? newReads : nil, memory ?? 0))
    if isFull { self.removeInvalid(for: snapshot, version, readsJSON: readsJSON) }
    return output
  }

  private func evaluate(
    _ call: SelectCall, _ found: Found, _ snapshot: any Snapshot, _ reads: BoundSelector.Reads
  ) throws(EngineError) -> Value {
    if let tracer, tracer.shows(.selectors) {
      return try tracer.evaluating(
        found.selector, of: call, after: found.lastOutput?.value, for: snapshot)
    }
    if let work = found.call?.pathWork, work <= ValueLimits.work, let value = reads.onlyValue {
      return value
    }
    return try found.selector.output(for: snapshot)
  }

  /// Creates the text of an output if the call needs it, caches what is new, and counts the select.
  ///
  /// - Parameters:
  ///   - evaluation: For a new output, what the selector read if that has changed, and an estimate
  ///     of the memory of the state.
  /// - Returns: Also whether invalid outputs should be removed.
  private func keep(
    _ output: CachedOutput, _ call: SelectCall, _ found: Found, _ version: Int,
    _ evaluation: (reads: BoundSelector.Reads?, memory: Int)? = nil
  ) -> (output: CachedOutput, isFull: Bool) {
    let output = call.isWriting ? output.written() : output
    let cached = found.call ?? CachedCall(call, found, output)
    let validity = found.validity
    var isFull = false
    let old = self.withTable { table -> Replaced? in
      table.selects += 1
      if let evaluation {
        table.evaluations += 1
        isFull = table.isFull(at: version, evaluation.memory)
      }
      // Another thread may have evaluated the selector for another state, or replaced it.
      guard table.generation == found.generation, validity.revision == found.revision else {
        return nil
      }
      let (oldOutput, oldReads) = (cached.output, validity.reads)
      if let reads = evaluation?.reads {
        validity.reads = reads
        validity.revision += 1
        validity.version = version
      } else {
        validity.version = max(version, validity.version)
      }
      cached.output = output
      cached.revision = validity.revision
      let weight = call.size + output.bytes
      let dropped =
        found.call == nil
        ? table.calls.insert(cached, for: call.key, weight: weight)
        : table.calls.setWeight(weight, of: call.key)
      return (oldOutput, oldReads, dropped)
    }
    withExtendedLifetime(old) {}
    return (output, isFull)
  }

  private typealias Replaced = (
    CachedOutput, BoundSelector.Reads?, BoundedCache<SelectCall.Key, CachedCall>.Dropped
  )

  /// Forgets the last output of a call after an evaluation that failed.
  ///
  /// - Parameter isInvalid: Whether the reads have changed.
  private func discard(_ call: SelectCall, _ found: Found, isInvalid: Bool) {
    let validity = found.validity
    let old = self.withTable { table -> (CachedCall?, BoundSelector.Reads?) in
      guard validity.revision == found.revision else { return (nil, nil) }
      let old = (found.call == nil ? nil : table.calls.remove(call.key), validity.reads)
      if isInvalid {
        validity.reads = nil
        validity.revision += 1
      }
      return old
    }
    withExtendedLifetime(old) {}
  }
}

// MARK: Removing

extension OutputCache {
  /// Removes all outputs, because a selector was replaced.
  ///
  /// - Parameter generation: That of the graph. Outputs of selectors that were bound before it are
  ///   not cached any more.
  func removeAll(generation: Int) {
    let dropped = self.withTable { table in
      table.generation = max(generation, table.generation)
      return (table.calls.removeAll(), table.validities.removeAll())
    }
    withExtendedLifetime(dropped) {}
  }

  /// Removes the outputs that are not valid for a state.
  ///
  /// - Parameter readsJSON: Whether the state was read as JSON. If not, the outputs of selectors
  ///   that do are removed unless they are known to be valid, because to encode the state may take
  ///   long.
  private func removeInvalid(for snapshot: any Snapshot, _ version: Int, readsJSON: Bool) {
    let old = self.withTable { table in
      table.validities.values.filter { $0.version < version && $0.readsJSON == readsJSON }
        .map { ($0, $0.reads, $0.revision) }
    }
    let valid = old.filter { $0.1?.isUnchanged(snapshot) == true }
    let dropped = self.withTable { table in
      for (validity, _, revision) in valid where validity.revision == revision {
        validity.version = max(version, validity.version)
      }
      let calls = table.calls.removeAll {
        $0.validity.version < version || $0.revision != $0.validity.revision
      }
      return (calls, table.validities.removeAll { $0.version < version })
    }
    withExtendedLifetime((old, dropped)) {}
  }
}

extension OutputCache.Table {
  /// Finds a call. Writes nothing, because several threads do so at once.
  ///
  /// - Returns: Also whether this changes nothing in the order in which calls were used.
  fileprivate func find(
    _ call: SelectCall, _ version: Int, _ generation: Int, copies: Bool
  ) -> (OutputCache.Answer?, isRecent: Bool) {
    guard self.generation == generation, let (found, isRecent) = self.calls.findUnretained(call.key)
    else { return (nil, true) }
    if let answer = found._withUnsafeGuaranteedRef({ $0.answer(call, version, copies: copies) }) {
      return (answer, isRecent)
    }
    let cached = found.takeUnretainedValue()
    // The limit may have been lowered since the call was cached.
    guard cached.call.matches(call), call.text.count <= ValueLimits.input else {
      return (nil, isRecent)
    }
    let validity = cached.validity
    let isValid = cached.revision == validity.revision
    return (
      .found(
        OutputCache.Found(
          cached.selector, validity, version: version, generation: generation, call: cached,
          output: isValid ? cached.output : nil)), isRecent
    )
  }

  /// Finds the output of a selector among all calls.
  fileprivate func output(
    of selector: BoundSelector, _ validity: OutputCache.Validity
  ) -> CachedOutput? {
    guard validity.reads != nil else { return nil }
    let arguments = selector.arguments
    return self.calls.values.first {
      $0.validity === validity && $0.revision == validity.revision
        && $0.selector.arguments == arguments
    }?.output
  }

  /// Counts a state that was evaluated. Says whether old outputs may keep states alive that take
  /// much more memory than this one. The size of a typed state is unknown.
  fileprivate mutating func isFull(at version: Int, _ memory: Int) -> Bool {
    guard version > self.version else { return false }
    self.version = version
    self.bytes += max(memory, 1 << 20)
    guard self.bytes > 64 << 20 + 4 * memory else { return false }
    self.bytes = 0
    return true
  }
}

// MARK: Counts

extension OutputCache {
  /// The number of cached outputs, and the estimate of their memory in bytes.
  var size: (count: Int, bytes: Int) {
    self.withTable { ($0.calls.count, $0.calls.weight) }
  }

  /// The number of selects that returned an output, and the number of evaluations that they
  /// required.
  var counts: (selects: Int, evaluations: Int) {
    let (selects, evaluations) = self.withTable { ($0.selects, $0.evaluations) }
    return (selects + self.access.counted, evaluations)
  }
}
