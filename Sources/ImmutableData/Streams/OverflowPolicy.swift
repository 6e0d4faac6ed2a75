/// What happens to an action when a stream is full.
public enum OverflowPolicy: String, Hashable, Sendable, CaseIterable {
  /// The dispatch waits, before its reducer runs, until the reader makes room.
  ///
  /// For stores that dispatch on threads other than the reader's: a reader that dispatches to the
  /// store whose full stream it reads waits for itself, and dispatches that wait on Swift's
  /// concurrency pool can keep a reader from running there.
  case block

  /// The oldest unread action is dropped and counted.
  case dropOldest

  /// The stream ends: its reader gets the unread actions, then the error ``StreamOverflow``.
  case fail
}
