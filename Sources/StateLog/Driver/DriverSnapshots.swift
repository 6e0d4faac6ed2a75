/// When a store puts a snapshot for all that share a log of a driver: when the entries since the
/// last one are at least twice as long as that. The store whose entry reaches this does; others
/// wait for as many entries again.
struct DriverSnapshots {
  var source: SnapshotSource?

  /// The number of the last snapshot that is known, and the size of its text.
  private(set) var last = 0
  private var size = 0
  /// How long the entries since are.
  private var length = 0
  private(set) var isDue = false
}

extension DriverSnapshots {
  /// How long the entries must be at least.
  private static var minimum: Int { 65_536 }

  private var threshold: Int {
    max(2 * self.size, Self.minimum)
  }

  mutating func note(entry size: Int, isOwn: Bool) {
    self.length += size
    guard self.length >= self.threshold else { return }
    if isOwn, self.source != nil { self.isDue = true } else { self.length = 0 }
  }

  /// Ends an attempt: a snapshot of this size was put, or another store has put one.
  mutating func restart(at number: Int, size: Int? = nil) {
    self.last = number
    self.size = size ?? self.size
    (self.length, self.isDue) = (0, false)
  }
}

extension DriverLog {
  package func setSnapshotSource(_ source: SnapshotSource?) {
    let old = self.snapshots.withLock { snapshots in
      defer { snapshots.source = source }
      return snapshots.source
    }
    // May release a store.
    withExtendedLifetime(old) {}
  }

  package var hasWork: Bool {
    self.snapshots.withLock { $0.isDue }
  }

  /// Puts a snapshot, if it is the turn of this store.
  @discardableResult
  package func work() -> Bool {
    let (source, old) = self.snapshots.withLock { ($0.isDue ? $0.source : nil, $0.last) }
    guard let source else { return false }
    guard let (position, data) = source() else {
      self.failSnapshot(at: old)
      return true
    }
    let place = LogPlace(number: position.end, hash: position.hash)
    let text = EntryText.make(
      .snapshot, number: position.number, time: self.time, data.withJSON { Array($0) })
    guard text.count <= LogLine.limit,
      let answer = try? self.calls.call({
        $0.put(snapshot: text, at: place, replacing: old, $1)
      }),
      answer.outcome != .done || self.hasSnapshot(text, at: place)
    else {
      self.failSnapshot(at: old)
      return false
    }
    switch answer.outcome {
    case .done:
      self.snapshots.withLock { $0.restart(at: place.number, size: text.count) }
      self.state.with { state in
        state.statistics.snapshots += 1
        state.statistics.snapshotBytes += text.count
      }
    case .moved: self.snapshots.withLock { $0.restart(at: answer.counter) }
    default: self.failSnapshot(at: old)
    }
    return true
  }

  /// Whether the driver has a snapshot as it was put. Another store may have put a later one.
  private func hasSnapshot(_ text: [UInt8], at place: LogPlace) -> Bool {
    guard let answer = try? self.calls.call({ $0.snapshot($1) }), answer.outcome == .done else {
      return false
    }
    return answer.place.number > place.number || answer.place == place && answer.text == text
  }

  /// A snapshot is a copy of what the log has, so nothing is lost without it.
  private func failSnapshot(at number: Int) {
    self.snapshots.withLock { $0.restart(at: number) }
    self.state.with { $0.statistics.failedSnapshots += 1 }
  }
}
