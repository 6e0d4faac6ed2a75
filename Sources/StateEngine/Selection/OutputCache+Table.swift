import ImmutableJSON
import Threading

extension OutputCache {
  /// What is cached for a call.
  struct Found {
    let selector: BoundSelector
    let slot: Slot
    let group: Group?
    let output: CachedOutput?

    /// Whether the group is known to be valid for the version of the state.
    let isCurrent: Bool

    /// Whether the call was recorded.
    let isRecent: Bool

    /// Whether the output is the only value that the selector reads; `false` if that is unknown.
    let isPath: Bool
  }

  /// What the lock of a cache guards.
  ///
  /// The number and the size of the outputs are bounded. Beyond either bound, all but the latest
  /// are evicted; those in use are soon cached again.
  struct Table {
    private struct RecentCall {
      let call: SelectCall.Copy
      let selector: BoundSelector
      let slot: Slot

      /// The limit of work for which the output is the only value that the selector reads; `nil` if
      /// it may be another one.
      let pathWork: Int?

      /// `nil` if it is no longer cached.
      var output: CachedOutput?
    }

    private var slots: [BoundSelector.Key: Slot] = [:]

    /// The slots in any order, and the position of the one that is checked next.
    private var list: [Slot] = []
    private var nextCheck = 0

    /// The latest calls, with what they take to evaluate them again: no parsing and no hashing.
    private var recent: [RecentCall] = []
    private var nextRecent = 0

    var slotCount: Int { self.list.count }

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

// MARK: Finding

extension OutputCache.Table {
  /// Finds the output of a recorded call, and counts the select.
  mutating func recentOutput(
    of call: SelectCall, version: Int, generation: Int
  ) -> CachedOutput? {
    guard let index = self.recentIndex(of: call, version, generation) else { return nil }
    self.selects += 1
    return self.recent[index].output
  }

  /// The same for the text of the output; `nil` if it was not written yet.
  mutating func recentText(of call: SelectCall, version: Int, generation: Int) -> Text? {
    guard let index = self.recentIndex(of: call, version, generation),
      let text = self.recent[index].output?.writtenText
    else { return nil }
    self.selects += 1
    return text
  }

  @inline(__always)
  private func recentIndex(of call: SelectCall, _ version: Int, _ generation: Int) -> Int? {
    guard self.generation == generation else { return nil }
    // By index, because iterating would copy each element.
    return self.recent.indices.first {
      self.recent[$0].slot.group?.version == version && self.recent[$0].output != nil
        && self.recent[$0].call.matches(call)
    }
  }

  /// Finds what is cached for a recorded call.
  func find(_ call: SelectCall, version: Int, generation: Int) -> OutputCache.Found? {
    guard self.generation == generation,
      // The limit may have been lowered since the call was recorded.
      call.text.count <= ValueLimits.input,
      let index = self.recent.indices.first(where: { self.recent[$0].call.matches(call) })
    else { return nil }
    let recent = self.recent[index]
    let group = recent.slot.group
    return OutputCache.Found(
      selector: recent.selector, slot: recent.slot, group: group,
      output: recent.output ?? group?.output(for: recent.selector.arguments),
      isCurrent: group?.version == version, isRecent: true,
      isPath: recent.pathWork.map { $0 <= ValueLimits.work } == true)
  }

  /// Finds what is cached for a selector. Its slot may be a new one, which is not in the table.
  func find(_ selector: BoundSelector, version: Int) -> OutputCache.Found {
    let slot = self.slots[selector.key] ?? OutputCache.Slot(selector)
    return OutputCache.Found(
      selector: selector, slot: slot, group: slot.group,
      output: slot.group?.output(for: selector.arguments),
      isCurrent: slot.group?.version == version, isRecent: false, isPath: false)
  }

  /// Returns the next groups, at most two, to check against a version of the state. They read the
  /// state in the same form as that of `slot`, because to encode it may take long.
  mutating func nextChecks(
    after slot: OutputCache.Slot, version: Int
  ) -> [(slot: OutputCache.Slot, group: OutputCache.Group)] {
    var due: [(slot: OutputCache.Slot, group: OutputCache.Group)] = []
    for _ in 0..<2 where !self.list.isEmpty {
      if self.nextCheck >= self.list.count { self.nextCheck = 0 }
      let next = self.list[self.nextCheck]
      guard let group = next.group else {
        // Its last evaluation failed.
        self.remove(next)
        continue
      }
      self.nextCheck += 1
      if group.version != version, next.readsJSON == slot.readsJSON { due.append((next, group)) }
    }
    return due
  }
}

// MARK: Evicting

// What is evicted may be large. The caller destroys it without holding the lock: it has a reference
// to it, or it is returned.

extension OutputCache.Table {
  /// Evicts an invalid group, unless another thread has done so.
  mutating func evict(_ group: OutputCache.Group, from slot: OutputCache.Slot) {
    guard slot.group === group else { return }
    slot.group = nil
    self.count -= group.count
    self.bytes -= group.bytes
    for index in self.recent.indices where self.recent[index].slot === slot {
      self.recent[index].output = nil
    }
  }

  /// Removes a slot that has no group.
  mutating func remove(_ slot: OutputCache.Slot) {
    guard slot.group == nil, let position = slot.position, let last = self.list.popLast() else {
      return
    }
    if last !== slot {
      self.list[position] = last
      last.position = position
    }
    slot.position = nil
    self.slots[slot.key] = nil
  }

  /// Evicts everything.
  mutating func removeAll(generation: Int) -> [Any] {
    self.generation = max(generation, self.generation)
    return self.removeAll()
  }

  private mutating func removeAll() -> [Any] {
    let evicted: [Any] = [self.list.map(\.group), self.recent]
    for slot in self.list {
      (slot.group, slot.position) = (nil, nil)
    }
    (self.slots, self.list, self.recent) = ([:], [], [])
    (self.nextCheck, self.nextRecent, self.count, self.bytes) = (0, 0, 0, 0)
    return evicted
  }

  private var isTooLarge: Bool {
    guard self.bytes > self.byteCapacity else { return false }
    let largest = self.list.reduce(0) { max($0, $1.group?.maxBytes ?? 0) }
    return self.bytes - largest > self.byteCapacity
  }
}

// MARK: Inserting

extension OutputCache.Table {
  /// Caches an output of a group. If there are too many, or they are too large, evicts all others.
  ///
  /// - Parameters:
  ///   - group: The group that was found and is valid, or a new one without outputs.
  ///   - call: What the caller passed, to find the output by; `nil` to find it only by its
  ///     selector.
  /// - Returns: Also the output to use: that of another thread, if it cached one meanwhile.
  mutating func insert(
    _ output: CachedOutput, in group: OutputCache.Group, _ found: OutputCache.Found,
    _ call: SelectCall?
  ) -> (output: CachedOutput, evicted: [Any]) {
    var output = output
    var evicted: [Any] = []
    let slot = self.add(found.slot)
    if slot.group !== group {
      // Only a new group is empty. Another one was evicted meanwhile.
      guard group.isEmpty else { return (output, []) }
      if let other = slot.group {
        self.evict(other, from: slot)
        evicted.append(other)
      }
      slot.group = group
    }
    let arguments = found.selector.arguments
    let other = group.output(for: arguments)
    if let other, other.isWritten || !output.isWritten {
      output = other
    } else {
      group.setOutput(output, for: arguments)
      self.bytes += output.bytes - (other?.bytes ?? 0)
      if let other {
        evicted.append(other)
        self.replaceRecent(other, by: output)
      } else {
        self.count += 1
      }
      if self.count > Self.capacity || self.isTooLarge {
        evicted += self.removeAll() + [group.removeAll()]
        group.setOutput(output, for: arguments)
        (self.count, self.bytes) = (1, output.bytes)
        self.add(slot).group = group
      }
    }
    if let call, let replaced = self.remember(call, output, found.selector, slot) {
      evicted.append(replaced)
    }
    return (output, evicted)
  }

  /// Adds a slot unless it is there. Another thread may have added one with the same key, which is
  /// used instead.
  @discardableResult
  private mutating func add(_ slot: OutputCache.Slot) -> OutputCache.Slot {
    guard slot.position == nil else { return slot }
    if let other = self.slots[slot.key] { return other }
    slot.position = self.list.count
    self.list.append(slot)
    self.slots[slot.key] = slot
    return slot
  }

  private mutating func replaceRecent(_ old: CachedOutput, by output: CachedOutput) {
    for index in self.recent.indices where self.recent[index].output === old {
      self.recent[index].output = output
    }
  }

  /// Records a call, in place of the oldest if there are too many, unless its arguments are long.
  ///
  /// - Returns: What was replaced.
  private mutating func remember(
    _ call: SelectCall, _ output: CachedOutput, _ selector: BoundSelector,
    _ slot: OutputCache.Slot
  ) -> Any? {
    let index = self.recent.indices.first { self.recent[$0].call.matches(call) }
    if let index, self.recent[index].slot === slot {
      // Of an old group it is `nil`, and of this one it is the same.
      self.recent[index].output = output
      return nil
    }
    guard let copy = SelectCall.Copy(call) else { return nil }
    let recent = RecentCall(
      call: copy, selector: selector, slot: slot,
      pathWork: selector.isPath ? ValueLimits.work : nil, output: output)
    guard let replaced = index ?? (self.recent.count < Self.recentCapacity ? nil : self.nextRecent)
    else {
      self.recent.append(recent)
      return nil
    }
    if index == nil { self.nextRecent = (self.nextRecent + 1) % Self.recentCapacity }
    defer { self.recent[replaced] = recent }
    return self.recent[replaced]
  }
}
