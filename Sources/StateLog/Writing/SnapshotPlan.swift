import ImmutableJSON

/// Returns what a snapshot is taken of, and where in the log that is.
package typealias SnapshotSource = @Sendable () -> (position: LogPosition, data: Value)?

/// When snapshots are taken.
///
/// One is taken when the entries since the last one are at least twice as long as its text. The
/// text of the new one is known only when it is written; if it is longer than half of the entries,
/// it is dropped, and the next attempt waits until the entries are twice as long. So all snapshots
/// have at most half as many bytes as the entries, and what has to be encoded, no more than they
/// have.
struct SnapshotPlan {
  var source: SnapshotSource?

  /// The last snapshot, or the base.
  private(set) var last: LogStartSize

  /// How long the entries must be.
  private var threshold: Int

  /// The source had no state; it is asked after the next entry.
  var isWaiting = false

  /// Whether one is being taken.
  private(set) var isTaking = false

  init(after last: LogStartSize) {
    self.last = last
    self.threshold = Self.threshold(after: last.text)
  }
}

extension SnapshotPlan {
  /// The lengths of entries below which none is taken while the log is open, and at its end.
  private static var minimum: Int { 65_536 }
  private static var lastMinimum: Int { 4_096 }

  func isDue(at end: Int) -> Bool {
    self.source != nil && !self.isWaiting && !self.isTaking && end - self.last.end >= self.threshold
  }

  /// Whether a last snapshot may pay: one that is as long as the last was.
  func mayPayAtTheEnd(_ end: Int) -> Bool {
    let length = end - self.last.end
    return self.source != nil && !self.isTaking && length >= Self.lastMinimum
      && self.last.text <= 2 * length
  }

  mutating func begin() {
    self.isTaking = true
  }

  /// Whether a text is short enough to be written.
  mutating func accepts(_ size: Int, at position: LogPosition, isLast: Bool) -> Bool {
    let length = position.end - self.last.end
    if isLast ? size <= length : 2 * size <= length { return true }
    self.threshold = max(2 * size, 2 * length)
    return false
  }

  /// Ends a snapshot.
  mutating func end(_ written: LogStartSize?) {
    self.isTaking = false
    if let written { self.restart(after: written) }
  }

  /// Counts the entries anew: those after a snapshot or a base.
  mutating func restart(after last: LogStartSize) {
    self.last = last
    self.threshold = Self.threshold(after: last.text)
    self.isWaiting = false
  }

  private static func threshold(after size: Int) -> Int {
    max(2 * size, self.minimum)
  }

  /// Ends a snapshot that could not be written.
  mutating func fail(at position: LogPosition) {
    self.threshold = 2 * (position.end - self.last.end)
    self.end(nil)
  }
}
