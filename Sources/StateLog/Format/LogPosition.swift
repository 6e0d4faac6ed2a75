/// A place between two lines of a log.
package struct LogPosition: Sendable {
  /// The number of the last commit before it.
  package internal(set) var number = 0

  /// Where the line before it begins and ends, and its sum. If a driver keeps the log, the end is
  /// the number of the last entry, and the hash that of all.
  var start = 0
  package internal(set) var end = 0
  var sum = Checksum()
  var hash = LogHash()
}

/// Where in a log a snapshot was taken, and of which log: a compacted log has another base.
struct SnapshotPlace {
  let origin: String
  /// The sum of the second line.
  let base: Checksum
  let position: LogPosition
}
