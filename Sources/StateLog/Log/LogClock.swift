import Synchronization

/// The time of the entries of a log.
///
/// In a shared log it is never before that of another entry, even if a clock was set back.
final class LogClock: Sendable {
  private let files: any FileSystem
  /// The largest time of an entry of a shared log, which changes only in a turn.
  private let last = Atomic<Int64>(.min)

  init(_ files: any FileSystem) {
    self.files = files
  }

  /// In milliseconds since 1970.
  var time: Int64 {
    max(self.files.time, self.last.load(ordering: .relaxed))
  }

  /// Notes the time of an entry of a shared log.
  func note(_ time: Int64) {
    if time > self.last.load(ordering: .relaxed) { self.last.store(time, ordering: .relaxed) }
  }
}
