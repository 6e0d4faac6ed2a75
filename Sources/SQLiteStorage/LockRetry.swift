import CSQLiteFunctions
import Threading

/// Retries calls to SQLite, for a limited time, while another program has the database locked.
///
/// `sqlite3_busy_timeout` would wait inside a call to SQLite, and a fork waits for such calls. So
/// this waits between calls.
final class LockRetry: Sendable {
  let milliseconds: Int32
  private let isCancelled = Mutex(false)
  private let cancellation = Condition()

  /// - Parameter milliseconds: How long to retry one call.
  init(milliseconds: Int32) {
    self.milliseconds = milliseconds
  }
}

extension LockRetry {
  /// Retries a call to SQLite while another program's lock prevents it.
  ///
  /// - Parameter attempt: Makes the call and returns its result code. An attempt that returns
  ///   `SQLITE_BUSY` must have had no effect.
  /// - Returns: The last result; `SQLITE_BUSY` after the timeout.
  /// - Throws: The error of `attempt`; `closed` if the wait was cancelled.
  func retrying(
    _ attempt: () throws(DatabaseError) -> Int32
  ) throws(DatabaseError) -> Int32 {
    var result = try attempt()
    guard result & 0xFF == SQLITE_BUSY else { return result }
    let deadline = Deadline(milliseconds: self.milliseconds)
    var pause: Int32 = 1
    while result & 0xFF == SQLITE_BUSY, !deadline.hasPassed {
      let wasCancelled = self.isCancelled.withLock(
        after: self.cancellation, orAt: min(deadline, Deadline(milliseconds: pause)),
        until: { $0 }, do: { $0 })
      if wasCancelled { throw .closed }
      pause = min(pause * 2, Self.maximumPause)
      result = try attempt()
    }
    return result
  }

  private static var maximumPause: Int32 { 50 }

  /// Whether the database is being closed.
  var wasCancelled: Bool {
    self.isCancelled.withLock { $0 }
  }

  /// Ends present and future waits, because the database is being closed.
  func cancel() {
    self.isCancelled.withLock { $0 = true }
    self.cancellation.broadcast()
  }
}
