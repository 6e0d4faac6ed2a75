import ImmutableJSON

extension OutputCache {
  /// The outputs of a selector that share what it read of a state: for all arguments, unless the
  /// arguments determine that. They become invalid together.
  ///
  /// Guarded by the lock of the cache, except what never changes.
  final class Group {
    /// Whether another state is the same wherever the selector read this one.
    let isUnchanged: @Sendable (any Snapshot) -> Bool

    /// The value at the only path that an expression reads.
    let onlyValue: Value?

    /// The version of the state for which the group was last known to be valid.
    var version: Int

    /// The output that was inserted last. Most groups have no other one.
    private var latest: (arguments: Value, output: CachedOutput)?
    private var others: [Value: CachedOutput] = [:]

    /// Makes a group without outputs.
    init(_ reads: BoundSelector.Reads, version: Int) {
      self.isUnchanged = reads.isUnchanged
      self.onlyValue = reads.onlyValue
      self.version = version
    }
  }

  /// Where the group of a selector is. It stays when the group becomes invalid, so that the next
  /// group is found without hashing. It has at most one group, so a selector keeps at most one old
  /// state alive.
  ///
  /// Guarded by the lock of the cache, except what never changes.
  final class Slot {
    let key: BoundSelector.Key
    let readsJSON: Bool
    var group: Group?

    /// Its position in the list of the table; `nil` if it is not there.
    var position: Int?

    init(_ selector: BoundSelector) {
      self.key = selector.key
      self.readsJSON = selector.readsJSON
    }
  }
}

extension OutputCache.Group {
  var isEmpty: Bool {
    self.latest == nil
  }

  var count: Int {
    self.others.count + (self.isEmpty ? 0 : 1)
  }

  var bytes: Int {
    self.others.values.reduce(self.latest?.output.bytes ?? 0) { $0 + $1.bytes }
  }

  var maxBytes: Int {
    self.others.values.reduce(self.latest?.output.bytes ?? 0) { max($0, $1.bytes) }
  }

  /// Removes the outputs, and returns what was removed.
  func removeAll() -> Any {
    defer { (self.latest, self.others) = (nil, [:]) }
    return (self.latest, self.others)
  }

  func output(for arguments: Value) -> CachedOutput? {
    guard let latest else { return nil }
    return latest.arguments == arguments ? latest.output : self.others[arguments]
  }

  func setOutput(_ output: CachedOutput, for arguments: Value) {
    if let latest, latest.arguments != arguments {
      self.others[latest.arguments] = latest.output
      self.others[arguments] = nil
    }
    self.latest = (arguments, output)
  }
}
