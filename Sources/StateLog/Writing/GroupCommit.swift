/// The threads that wait for the disk, which share syncs.
///
/// While one sync is in progress, other threads append and wait for the next one. Without more, two
/// groups of threads would take turns, each with half of the threads: the second sync begins before
/// the threads of the first have appended again. So the next sync waits for as many threads as the
/// last ones had, but no longer than a fraction of the time of a sync.
struct GroupCommit {
  /// The threads that wait for a sync that has begun, and for the next one.
  private var current = 0
  private var next = 0

  /// How many there were when the last sync ended.
  private var expected = 0

  /// The number of the last entry that the sync in progress includes.
  private var number = 0

  /// How long the last sync took, in nanoseconds.
  private var duration = 0
}

extension GroupCommit {
  /// A thread begins to wait for an entry.
  mutating func add(_ number: Int) {
    if number > self.number { self.next += 1 } else { self.current += 1 }
  }

  /// Whether threads that the last sync released will probably come again soon.
  var isGathering: Bool {
    self.next < self.expected
  }

  /// How long to wait for them, in nanoseconds.
  var delay: Int {
    self.duration / 4
  }

  /// A sync begins that includes the entries up to a number.
  mutating func beginSync(upTo number: Int) {
    self.number = number
    (self.current, self.next) = (self.current + self.next, 0)
  }

  mutating func endSync(after duration: Int) {
    self.expected = self.current + self.next
    self.current = 0
    self.duration = duration
  }
}
