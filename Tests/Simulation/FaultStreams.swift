import TestSupport

/// What can go wrong in a run.
package enum FaultKind: Int, CaseIterable, Sendable {
  /// A write, a sync of a file or of a folder, a read, or another call fails.
  case write, sync, folderSync, read, call
  case fullDisk
  /// The process ends, or the power is cut, between two calls or within one.
  case kill, powerCut
  /// A power cut keeps some of what was not synced, in any order and torn at any byte.
  case tear
  /// A power cut keeps some of the names that were not synced.
  case names
  /// The clock goes back.
  case clock
  /// The files are damaged at the end of the run.
  case damage
  /// A process is stopped for a while, with what it has locked.
  case stop
}

/// A stream of random numbers for each kind of fault, so that one kind does not change what another
/// one does. Half of the kinds are enabled.
struct FaultStreams {
  private var streams: [SeededGenerator]
  private let isEnabled: [Bool]

  init(_ seed: Int) {
    var random = SeededGenerator(seed)
    self.streams = FaultKind.allCases.map { _ in SeededGenerator(random.next()) }
    self.isEnabled = FaultKind.allCases.map { _ in random.isOne(in: 2) }
  }
}

extension FaultStreams {
  subscript(_ kind: FaultKind) -> Bool {
    self.isEnabled[kind.rawValue]
  }

  /// Whether an enabled fault occurs, with a probability of one in `count`.
  mutating func occurs(_ kind: FaultKind, oneIn count: Int) -> Bool {
    self.isEnabled[kind.rawValue] && self.streams[kind.rawValue].isOne(in: count)
  }

  mutating func number(_ kind: FaultKind, _ range: Range<Int>) -> Int {
    range.isEmpty
      ? range.lowerBound : Int.random(in: range, using: &self.streams[kind.rawValue])
  }
}
