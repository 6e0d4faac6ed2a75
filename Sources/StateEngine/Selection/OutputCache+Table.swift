import ImmutableJSON
import Threading

extension OutputCache {
  /// The outputs of a selector that share what it reads: for all arguments, unless the arguments
  /// determine that. They become invalid together, so the cache retains at most one old state for
  /// each key.
  final class Group {
    let key: BoundSelector.Key

    /// Whether another state is the same wherever the selector read this one.
    let isUnchanged: @Sendable (any Snapshot) -> Bool

    /// The version of the state for which the group was last known to be valid. As the outputs,
    /// this is guarded by the lock of the cache.
    var version: Int

    /// The outputs by arguments.
    fileprivate(set) var outputs: [Value: CachedOutput] = [:]

    fileprivate let readsJSON: Bool

    /// - Parameter snapshot: The state that the selector was evaluated for.
    init(_ selector: BoundSelector, for snapshot: any Snapshot, version: Int) {
      self.key = selector.key
      self.isUnchanged = selector.comparison(with: snapshot)
      self.readsJSON = selector.readsJSON
      self.version = version
    }
  }

  /// What the lock of a cache guards.
  ///
  /// The number and the size of the outputs are bounded. Beyond either bound, all but the latest
  /// are evicted; those in use are soon cached again.
  struct Table {
    private struct RecentCall {
      let call: SelectCall.Copy
      let group: Group
      let output: CachedOutput
    }

    private struct Check {
      // An evicted group would retain an old state.
      weak var group: Group?
    }

    private(set) var groups: [BoundSelector.Key: Group] = [:]

    /// The latest calls. Contains only outputs that are cached, so it is emptied whenever one is
    /// evicted.
    private var recent: [RecentCall] = []
    private var nextRecent = 0

    /// The groups in the order of their next checks. An evicted group is skipped.
    private var checks = Queue<Check>()

    /// The number of cached outputs.
    private(set) var count = 0

    /// The estimated memory of all outputs and their arguments.
    private(set) var bytes = 0

    var selects = 0
    var evaluations = 0

    /// How often selectors had been replaced when the cached ones were bound.
    private(set) var generation = 0

    /// The maximum number of cached outputs.
    static var capacity: Int { 256 }

    /// The maximum number of recorded calls.
    private static var recentCapacity: Int { 8 }

    /// The maximum size of all outputs except the largest, in bytes. So one output that is larger
    /// than this stays cached beside smaller ones.
    private let byteCapacity: Int

    init(byteCapacity: Int) {
      self.byteCapacity = byteCapacity
    }
  }
}

extension OutputCache.Table {
  /// Finds the output of a recorded call, and counts the select.
  mutating func recentOutput(of call: SelectCall, version: Int) -> CachedOutput? {
    guard let index = self.recentIndex(of: call, version: version) else { return nil }
    self.selects += 1
    return self.recent[index].output
  }

  /// The same for the text of the output; `nil` if it was not written yet.
  mutating func recentText(of call: SelectCall, version: Int) -> Text? {
    guard let index = self.recentIndex(of: call, version: version),
      let text = self.recent[index].output.writtenText
    else { return nil }
    self.selects += 1
    return text
  }

  @inline(__always)
  private func recentIndex(of call: SelectCall, version: Int) -> Int? {
    // By index, because iterating would copy each element.
    self.recent.indices.first {
      self.recent[$0].group.version == version && self.recent[$0].call.matches(call)
    }
  }

  /// Returns the next groups, at most two, to check against a version of the state. They read the
  /// state in the same form as `group`, because to encode it may take long.
  mutating func nextChecks(
    like group: OutputCache.Group, version: Int
  ) -> [OutputCache.Group] {
    var due: [OutputCache.Group] = []
    var remaining = 2
    while remaining > 0, let check = self.checks.popFirst() {
      guard let next = check.group, self.groups[next.key] === next else { continue }
      remaining -= 1
      self.checks.append(check)
      if next.version != version, next.readsJSON == group.readsJSON {
        due.append(next)
      }
    }
    return due
  }

  // The following functions return what they evicted. It may be large, so the caller destroys it
  // without holding the lock.

  /// Evicts a group, unless another thread has done so.
  mutating func evict(_ group: OutputCache.Group) -> OutputCache.Group? {
    guard self.groups[group.key] === group else { return nil }
    self.count -= group.outputs.count
    self.bytes -= group.outputs.values.reduce(0) { $0 + $1.bytes }
    self.forgetCalls()
    return self.groups.removeValue(forKey: group.key)
  }

  /// Evicts everything.
  mutating func removeAll(generation: Int) -> [Any] {
    self.generation = max(generation, self.generation)
    let evicted: [Any] = [self.groups]
    (self.groups, self.count, self.bytes) = ([:], 0, 0)
    self.forgetCalls()
    return evicted
  }

  /// Caches an output of a group, and evicts other groups with the same key.
  ///
  /// - Parameter call: What the caller passed, to find the output by; `nil` to find it only by its
  ///   selector.
  /// - Returns: Also the output to use: that of another thread, if it cached one meanwhile.
  mutating func insert(
    _ output: CachedOutput, for arguments: Value, in group: OutputCache.Group, _ call: SelectCall?
  ) -> (output: CachedOutput, evicted: [Any]) {
    var output = output
    var evicted: [Any] = []
    if self.groups[group.key] !== group {
      // Only a new group is empty. Another one was evicted meanwhile.
      guard group.outputs.isEmpty else { return (output, []) }
      if let other = self.groups[group.key].flatMap({ self.evict($0) }) { evicted.append(other) }
      self.groups[group.key] = group
      self.checks.append(Check(group: group))
    }
    let other = group.outputs[arguments]
    if let other, other.isWritten || !output.isWritten {
      output = other
    } else {
      group.outputs[arguments] = output
      self.bytes += output.bytes - (other?.bytes ?? 0)
      if let other {
        evicted.append(other)
        self.forgetCalls()
      } else {
        self.count += 1
      }
      evicted += self.evictExcess(except: output, for: arguments, in: group)
    }
    if let call { self.remember(call, output, group) }
    return (output, evicted)
  }
}

extension OutputCache.Table {
  /// Evicts all outputs but one, if there are too many or they are too large.
  private mutating func evictExcess(
    except output: CachedOutput, for arguments: Value, in group: OutputCache.Group
  ) -> [Any] {
    guard self.count > Self.capacity || self.isTooLarge else { return [] }
    var others = [arguments: output]
    swap(&others, &group.outputs)
    let evicted: [Any] = [others, self.groups]
    self.groups = [group.key: group]
    self.count = 1
    self.bytes = output.bytes
    self.forgetCalls()
    return evicted
  }

  private var isTooLarge: Bool {
    guard self.bytes > self.byteCapacity else { return false }
    let largest = self.groups.values.lazy.flatMap(\.outputs.values).map(\.bytes).max() ?? 0
    return self.bytes - largest > self.byteCapacity
  }

  /// Records a call, in place of the oldest if there are too many, unless its arguments are long.
  private mutating func remember(
    _ call: SelectCall, _ output: CachedOutput, _ group: OutputCache.Group
  ) {
    guard let copy = SelectCall.Copy(call) else { return }
    let recent = RecentCall(call: copy, group: group, output: output)
    if let index = self.recent.firstIndex(where: { $0.call.matches(call) }) {
      self.recent[index] = recent
    } else if self.recent.count < Self.recentCapacity {
      self.recent.append(recent)
    } else {
      self.recent[self.nextRecent] = recent
      self.nextRecent = (self.nextRecent + 1) % Self.recentCapacity
    }
  }

  private mutating func forgetCalls() {
    self.recent.removeAll(keepingCapacity: true)
    self.nextRecent = 0
  }
}
