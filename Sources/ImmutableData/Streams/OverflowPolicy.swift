/// What happens to an action that finds a stream full.
public enum OverflowPolicy: String, Hashable, Sendable, CaseIterable {
  /// The dispatch waits until the reader has made room, before its reducer runs.
  ///
  /// For dispatchers on threads of their own. A reader that dispatches to the store whose full
  /// stream it reads would wait for itself, and dispatchers that wait on Swift's concurrency pool
  /// keep a reader from running there.
  case block

  /// The oldest action that was not yet read is dropped, and counted.
  case dropOldest

  /// The stream ends: its reader gets what was held, and then the error ``StreamOverflow``.
  case fail
}

/// A stream with the policy ``OverflowPolicy/fail`` was full when another action came.
public struct StreamOverflow: Error, Hashable {
  /// How many actions the stream could hold.
  public let capacity: Int

  public init(capacity: Int) {
    self.capacity = capacity
  }
}

extension StreamOverflow: CustomStringConvertible {
  public var description: String {
    "the reader fell more than \(self.capacity) action\(self.capacity == 1 ? "" : "s") behind and its "
      + "stream ended; "
      + "read faster, or make the stream with a larger capacity or another overflow policy"
  }
}
