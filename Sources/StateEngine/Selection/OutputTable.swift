import ImmutableJSON
import Threading

/// The entries of an ``OutputCache``: outputs by key and arguments.
///
/// All outputs with one key share one read set, and become invalid together when the state changes
/// there. So the cache retains at most one read set of an old state for each key. After each
/// insertion, the read sets of up to two more keys are checked (``nextChecks(like:version:)``), so
/// that outputs of old states are evicted faster than new ones are cached.
///
/// The number and the size of the outputs are bounded. Beyond either bound, all outputs but the
/// latest are evicted; those in use are soon cached again.
struct OutputTable {
  /// The outputs with one key.
  struct Group {
    let readSet: SnapshotReadSet

    /// Distinguishes the group from an earlier one with the same key.
    fileprivate let number: Int

    /// The version of the state that was last found unchanged in the read set.
    fileprivate var version: Int
    fileprivate var outputs: [Value: Entry] = [:]
  }

  fileprivate struct Entry {
    let output: CachedOutput

    /// The estimated memory of the output and its arguments.
    var bytes: Int
  }

  private var groups: [BoundSelector.CacheKey: Group] = [:]

  /// Contains only outputs that are in a group, so it is emptied whenever a group is evicted.
  private var recent = RecentOutputs()

  /// The groups in the order of their next checks. May contain numbers of evicted groups.
  private var checks = Queue<(key: BoundSelector.CacheKey, number: Int)>()
  private var lastNumber = 0

  /// The number of cached outputs.
  private(set) var count = 0

  /// The estimated memory of all outputs and their arguments.
  private(set) var bytes = 0

  /// The maximum number of cached outputs.
  static var capacity: Int { 256 }

  /// The maximum size of all outputs except the largest, in bytes. So one output that is larger
  /// than this stays cached beside smaller ones.
  private let byteCapacity: Int

  init(byteCapacity: Int) {
    self.byteCapacity = byteCapacity
  }
}

extension OutputTable {
  /// Finds the read set of a selector, the version of the state for which it is confirmed, and the
  /// output for the selector's arguments.
  func find(_ selector: BoundSelector) -> (
    readSet: SnapshotReadSet, version: Int, output: CachedOutput?
  )? {
    guard let group = self.groups[selector.cacheKey] else { return nil }
    return (group.readSet, group.version, group.outputs[selector.arguments]?.output)
  }

  /// Finds an output that ``remember(_:of:for:version:)`` recorded for a version of the state.
  func find(_ call: SelectCall, version: Int) -> CachedOutput? {
    self.recent.find(call, version: version)
  }

  /// Records what the caller passed to select an output, unless the output is no longer cached.
  mutating func remember(
    _ output: CachedOutput, of selector: BoundSelector, for call: SelectCall, version: Int
  ) {
    guard self.groups[selector.cacheKey]?.outputs[selector.arguments]?.output === output else {
      return
    }
    self.recent.insert(output, for: call, version: version)
  }

  /// Records that a version of the state is unchanged in a read set.
  mutating func confirm(_ key: BoundSelector.CacheKey, _ readSet: SnapshotReadSet, version: Int) {
    guard let index = self.groups.index(forKey: key),
      self.groups.values[index].readSet === readSet
    else { return }
    self.groups.values[index].version = version
  }

  // The following functions return the evicted groups. They may be large, so the caller destroys
  // them without holding a lock.

  /// Evicts the outputs of a key, if they have this read set.
  mutating func remove(_ key: BoundSelector.CacheKey, _ readSet: SnapshotReadSet) -> Group? {
    guard let group = self.groups[key], group.readSet === readSet else { return nil }
    self.count -= group.outputs.count
    self.bytes -= group.outputs.values.reduce(0) { $0 + $1.bytes }
    self.recent.removeAll()
    return self.groups.removeValue(forKey: key)
  }

  /// Caches an output, and evicts those with the same key and another read set.
  mutating func insert(
    _ output: CachedOutput, of selector: BoundSelector, _ readSet: SnapshotReadSet, version: Int
  ) -> [Group] {
    let (key, arguments) = (selector.cacheKey, selector.arguments)
    var evicted: [Group] = []
    if let other = self.groups[key]?.readSet, other !== readSet,
      let group = self.remove(key, other)
    {
      evicted = [group]
    }
    // Another thread may have cached this output meanwhile.
    guard self.groups[key]?.outputs[arguments] == nil else { return evicted }
    let bytes = output.value.estimatedMemory + arguments.estimatedMemory + key.textSize
    if self.groups[key] == nil {
      self.lastNumber += 1
      self.groups[key] = Group(readSet: readSet, number: self.lastNumber, version: version)
      self.checks.append((key, self.lastNumber))
    }
    self.groups[key]?.outputs[arguments] = Entry(output: output, bytes: bytes)
    self.count += 1
    self.bytes += bytes
    return evicted + self.evictExcess(except: selector)
  }

  /// Returns the next read sets, at most two, to check against a version of the state. Their keys
  /// are of the same kind as that of `selector`, because the other kind reads another form of the
  /// state.
  mutating func nextChecks(
    like selector: BoundSelector, version: Int
  ) -> [(key: BoundSelector.CacheKey, readSet: SnapshotReadSet)] {
    var due: [(key: BoundSelector.CacheKey, readSet: SnapshotReadSet)] = []
    var remaining = 2
    while remaining > 0, let check = self.checks.popFirst() {
      guard let group = self.groups[check.key], group.number == check.number else { continue }
      remaining -= 1
      self.checks.append(check)
      if group.version != version, check.key.isExpression == selector.cacheKey.isExpression {
        due.append((check.key, group.readSet))
      }
    }
    return due
  }

  /// Adds the size of the text of an output, which is created after the output is cached.
  mutating func addSize(of text: Text, of output: CachedOutput, of selector: BoundSelector)
    -> [Group]
  {
    let (key, arguments) = (selector.cacheKey, selector.arguments)
    guard self.groups[key]?.outputs[arguments]?.output === output else { return [] }
    self.groups[key]?.outputs[arguments]?.bytes += text.count
    self.bytes += text.count
    return self.evictExcess(except: selector)
  }
}

extension OutputTable {
  /// Evicts all outputs but one, if there are too many or they are too large.
  private mutating func evictExcess(except selector: BoundSelector) -> [Group] {
    guard self.count > Self.capacity || self.isTooLarge else { return [] }
    let (key, arguments) = (selector.cacheKey, selector.arguments)
    guard var group = self.groups.removeValue(forKey: key),
      let entry = group.outputs.removeValue(forKey: arguments)
    else { return [] }
    let evicted = [group] + self.groups.values
    self.recent.removeAll()
    group.outputs = [arguments: entry]
    self.groups = [key: group]
    self.count = 1
    self.bytes = entry.bytes
    return evicted
  }

  private var isTooLarge: Bool {
    guard self.bytes > self.byteCapacity else { return false }
    let largest = self.groups.values.lazy.flatMap(\.outputs.values).map(\.bytes).max() ?? 0
    return self.bytes - largest > self.byteCapacity
  }
}

extension BoundSelector.CacheKey {
  fileprivate var isExpression: Bool {
    if case .expression = self { true } else { false }
  }

  /// The size of the expression's text, in bytes.
  fileprivate var textSize: Int {
    if case .expression(let text, _) = self { text.text.utf8.count } else { 0 }
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
