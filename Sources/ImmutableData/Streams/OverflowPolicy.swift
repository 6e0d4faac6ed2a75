/// What happens to an action when a stream is full.
public enum OverflowPolicy: String, Hashable, Sendable, CaseIterable {
  /// The dispatch waits, before its reducer runs, until the stream has space. A batch waits only
  /// before its first action, and a dispatch inside a callback does not wait: both may exceed the
  /// capacity.
  ///
  /// The reader must not dispatch to the store whose stream it reads: if the stream is full, the
  /// reader would wait for itself. Do not dispatch in a task either: waiting dispatches can occupy
  /// all threads of Swift concurrency, so that the reader never runs.
  case block

  /// The oldest unread action is dropped and counted.
  case dropOldest

  /// The stream ends: its reader gets the unread actions, then the error ``StreamOverflow``.
  case fail
}
