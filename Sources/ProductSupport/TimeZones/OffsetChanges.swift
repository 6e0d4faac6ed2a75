/// The offsets of local time from UTC, as functions of the time: a table, and a rule for the times
/// after it. All numbers are seconds, times those since 1970.
struct OffsetChanges: Hashable, Sendable {
  /// No offset is further from UTC.
  static let maximumOffset: Int64 = 26 * 3_600

  /// The offset before the first change.
  var initialOffset: Int64

  /// The times at which offsets change, strictly ascending.
  var times: [Int64] = []

  /// The offsets from these times on.
  var offsets: [Int64] = []

  /// The offsets after the last change of the table, if they follow a rule.
  var rule: OffsetRule?
}

extension OffsetChanges {
  /// A period in which the offset stays the same.
  struct Segment {
    /// The first second of the period.
    let start: Int64

    let offset: Int64

    /// The first second after the period; `nil` if the period does not end.
    let end: Int64?
  }

  /// The period that contains this second. O(log n) in the number of changes.
  func segment(at second: Int64) -> Segment {
    var (low, high) = (0, self.times.count)
    while low < high {
      let middle = (low + high) / 2
      if self.times[middle] <= second { low = middle + 1 } else { high = middle }
    }
    // `low` changes happened.
    let start = low > 0 ? self.times[low - 1] : .min
    if low == self.times.count, let rule = self.rule {
      let segment = rule.segment(at: second)
      return Segment(
        start: max(start, segment.start), offset: segment.offset, end: segment.end)
    }
    return Segment(
      start: start, offset: low > 0 ? self.offsets[low - 1] : self.initialOffset,
      end: low < self.times.count ? self.times[low] : nil)
  }
}
