/// The algorithm of ``SortedIndexes``. It compares only numbers: neither elements nor strings are
/// read, retained or compared while they are sorted.
///
/// All indexes are sorted by the first number of their keys. Those with equal numbers, a run, are
/// then sorted by the next one. The numbers of a text are its bytes, eight at a time, and its
/// length:
///
/// ```
///   "Red lynx 9"    "Red lynx"  " 9"
///   "Red lynx 17"   "Red lynx"  " 17"
///   "Red newt 1"    "Red newt"
/// ```
///
/// So a key is read once, and again for each number that it shares with another.
struct IndexSorter {
  private let columns: [SortColumn]
  private var entries: [Entry]
  private var runs: [Run]

  private struct Entry {
    /// The number by which the run of this entry is being sorted.
    var number: UInt64

    let index: Int
  }

  /// Entries whose keys are equal up to a part.
  private struct Run {
    let range: Range<Int>
    let column: Int
    let part: SortColumn.Part
  }

  /// - Parameters:
  ///   - count: The number of elements.
  ///   - columns: Their keys. Elements with equal keys are sorted by their indexes.
  init(count: Int, columns: [SortColumn]) {
    self.columns = columns
    self.entries = (0..<count).map { Entry(number: 0, index: $0) }
    self.runs = [Run(range: 0..<count, column: 0, part: .prefix)]
  }

  /// Returns the sorted indexes.
  consuming func sorted() -> [Int] {
    while let run = self.runs.popLast() {
      self.sort(run)
    }
    return self.entries.map(\.index)
  }
}

extension IndexSorter {
  private mutating func sort(_ run: Run) {
    guard run.column < self.columns.count else {
      return self.sort(run.range) { UInt64(truncatingIfNeeded: $0) }
    }
    let column = self.columns[run.column]
    var longest = 0
    switch (run.part, column.text) {
    case (.bytes(let offset), let text?):
      self.sort(run.range) { index in
        let text = text(index)
        longest = max(longest, text.utf8.count)
        return column.directed(text.bytes(at: offset))
      }
    case (.length, let text?):
      self.sort(run.range) { column.directed(UInt64(text($0).utf8.count)) }
    default:
      self.sort(run.range, column.prefix)
    }
    let part = column.part(after: run.part, longest: longest)
    let next = part == nil ? run.column + 1 : run.column
    self.appendRuns(in: run.range, column: next, part: part ?? .prefix)
  }

  /// Sorts the entries in a range by a number.
  private mutating func sort(_ range: Range<Int>, _ number: (Int) -> UInt64) {
    // A slice of an array would be copied.
    self.entries.withUnsafeMutableBufferPointer { entries in
      for position in range {
        entries[position].number = number(entries[position].index)
      }
      var sorted = UnsafeMutableBufferPointer(rebasing: entries[range])
      sorted.sort { $0.number < $1.number }
    }
  }

  /// Appends the entries in a range that have equal numbers, to be sorted by another part.
  private mutating func appendRuns(in range: Range<Int>, column: Int, part: SortColumn.Part) {
    var start = range.lowerBound
    while start < range.upperBound {
      let number = self.entries[start].number
      var end = start + 1
      while end < range.upperBound, self.entries[end].number == number {
        end += 1
      }
      if end > start + 1 {
        self.runs.append(Run(range: start..<end, column: column, part: part))
      }
      start = end
    }
  }
}
