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
/// It is when it has more than twice the entries that stay, and twice the bytes that it had after
/// the last time. So all compactions together write no more than the entries, however large the
/// state is.
struct CompactionPlan {
  let compaction: LogCompaction

  /// The first entry of the log.
  private(set) var first: EntryPlace?

  /// How long the log must be.
  private var threshold: Int

  /// Whether it is due, unless the source of the base has none now.
  private(set) var isDue = false

  init(_ compaction: LogCompaction, from beginning: LogBeginning) {
    (self.compaction, self.first) = (compaction, beginning.first)
    self.threshold = Self.threshold(after: beginning.base)
  }
}

extension CompactionPlan {
  private static var minimum: Int { 65_536 }

  private static func threshold(after size: Int) -> Int {
    max(2 * size, size + self.minimum)
  }

  /// Notes an entry that was appended.
  mutating func note(_ position: LogPosition, _ time: Int64) {
    let first =
      self.first ?? EntryPlace(number: position.number, time: time, offset: position.start)
    self.first = first
    let end = EntryPlace(number: position.number, time: time, offset: position.end)
    self.isDue =
      position.end >= self.threshold && self.compaction.keep.isExceeded(by: first, before: end)
  }

  /// It is due no more before the next entry.
  mutating func wait() {
    self.isDue = false
  }

  /// After a failure, the next attempt waits until the log is twice as long.
  mutating func fail(at end: Int) {
    self.threshold = 2 * end
    self.isDue = false
  }

  /// Another store compacts it.
  mutating func leave(at end: Int) {
    self.threshold = end + Self.minimum
    self.isDue = false
  }

  mutating func restart(after content: LogContent) {
    self.first = content.first
    self.threshold = Self.threshold(after: content.last.end)
    self.isDue = false
  }
}
