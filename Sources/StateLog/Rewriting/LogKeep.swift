/// Which entries stay when a log is compacted.
package enum LogKeep: Sendable {
  case all
  /// The last ones, so many.
  case entries(Int)
  /// The last ones, of so many days.
  case days(Int)
  /// The last ones, of so many bytes together.
  case bytes(Int)
}

/// Where an entry is in a log.
package struct EntryPlace: Sendable {
  package let number: Int
  package let time: Int64
  package let offset: Int

  package init(number: Int, time: Int64, offset: Int) {
    (self.number, self.time, self.offset) = (number, time, offset)
  }

  package init(_ line: LogLine) {
    self.init(number: line.number, time: line.time, offset: line.offset)
  }
}

extension LogKeep {
  package var isAll: Bool {
    if case .all = self { true } else { false }
  }

  /// Whether an entry stays.
  ///
  /// - Parameter end: The end of the log: the number of the last commit, the present time, and how
  ///   many bytes there are.
  package func contains(_ entry: EntryPlace, before end: EntryPlace) -> Bool {
    switch self {
    case .all: true
    case .entries(let count): entry.number > end.number - count
    case .days(let count): entry.time >= end.time - Int64(count) * Self.day
    case .bytes(let count): entry.offset >= end.offset - count
    }
  }

  /// Whether there are more than twice the entries that stay.
  package func isExceeded(by first: EntryPlace, before end: EntryPlace) -> Bool {
    switch self {
    case .all: false
    case .entries(let count): end.number - first.number >= 2 * count
    case .days(let count): first.time < end.time - 2 * Int64(count) * Self.day
    case .bytes(let count): end.offset - first.offset > 2 * count
    }
  }

  /// In milliseconds.
  private static var day: Int64 { 86_400_000 }
}
