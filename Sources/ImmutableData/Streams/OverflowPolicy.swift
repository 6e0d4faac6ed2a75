/// What happens to an action when a stream is full.
public enum OverflowPolicy: String, Hashable, Sendable, CaseIterable {
  /// The dispatch waits, before its reducer runs, until the reader makes room.
  ///
  /// The reader must not dispatch to the store whose stream it reads: if the stream is full, it
  /// waits for itself. Do not dispatch on Swift's concurrency pool either: dispatches that wait
  /// there can keep the reader from running.
  case block

  /// The oldest unread action is dropped and counted.
  case dropOldest

  /// The stream ends: its reader gets the unread actions, then the error ``StreamOverflow``.
  case fail
}
