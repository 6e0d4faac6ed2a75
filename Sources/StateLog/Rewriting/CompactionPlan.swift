/// How a log that is open is compacted.
package struct LogCompaction: Sendable {
  /// Which entries stay.
  let keep: LogKeep
  /// Whether it waits for another store that writes the log anew.
  let waits: Bool
  /// Calls a function; for a shared log in a turn of the store, after all that others have appended
  /// was repeated.
  let turn: @Sendable (() throws -> Void) throws -> Void
  /// Reads a new log, by its path, up to the number of its base. Throws if it cannot.
  let check: @Sendable (String, Int) throws -> Void

  package init(
    _ keep: LogKeep, waits: Bool = false,
    turn: @escaping @Sendable (() throws -> Void) throws -> Void = { try $0() },
    check: @escaping @Sendable (String, Int) throws -> Void
  ) {
    (self.keep, self.waits, self.turn, self.check) = (keep, waits, turn, check)
  }
}

/// When a log that is open is compacted.
///
/// It is when it has more than twice the entries that stay, and twice the bytes that the base and
/// these entries had the last time. So all compactions together write at most about twice what the
/// entries have, however large the state is.
struct CompactionPlan {
  let compaction: LogCompaction

  /// The first entry of the log.
  private(set) var first: EntryPlace?

  /// How long the log must be.
  private var threshold: Int

  /// How long the log was when it became due.
  private var dueEnd: Int?

  init(_ compaction: LogCompaction, from beginning: LogBeginning) {
    (self.compaction, self.first) = (compaction, beginning.first)
    self.threshold = Self.threshold(after: beginning.base)
  }
}

extension CompactionPlan {
  private static var minimum: Int { 65_536 }

  /// How much a log may grow while it is compacted, before entries wait for that.
  private static var growth: Int { 1 << 20 }

  /// Whether it is due, unless the source of the base has none now.
  var isDue: Bool {
    self.dueEnd != nil
  }

  private static func threshold(after size: Int) -> Int {
    max(2 * size, size + self.minimum)
  }

  /// Whether a log has grown so much since it became due that it would soon have three times the
  /// bytes that stay.
  func isLate(at end: Int) -> Bool {
    guard let dueEnd else { return false }
    return end - dueEnd >= max(dueEnd / 8 * 3, Self.growth)
  }

  /// Notes an entry that was appended.
  mutating func note(_ position: LogPosition, _ time: Int64) {
    let first =
      self.first ?? EntryPlace(number: position.number, time: time, offset: position.start)
    self.first = first
    let end = EntryPlace(number: position.number, time: time, offset: position.end)
    let isDue =
      position.end >= self.threshold && self.compaction.keep.isExceeded(by: first, before: end)
    self.dueEnd = isDue ? self.dueEnd ?? position.end : nil
  }

  /// It is due no more before the next entry.
  mutating func wait() {
    self.dueEnd = nil
  }

  /// After a failure, the next attempt waits until the log is twice as long.
  mutating func fail(at end: Int) {
    self.threshold = 2 * end
    self.dueEnd = nil
  }

  /// Another store compacts it.
  mutating func leave(at end: Int) {
    self.threshold = end + Self.minimum
    self.dueEnd = nil
  }

  mutating func restart(after content: LogContent) {
    self.first = content.first
    // Not what was appended meanwhile, which follows.
    self.threshold = Self.threshold(after: content.start.end)
    self.dueEnd = nil
  }
}
