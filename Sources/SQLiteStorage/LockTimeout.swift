import CSQLite
import Threading

/// Waits while another program has a database locked, for a limited time.
///
/// `sqlite3_busy_timeout` would wait inside a call of SQLite, and a fork waits for such calls. Here the
/// call returns first, and is repeated.
final class LockTimeout: Sendable {
  private let milliseconds: Int32
  private let isCancelled = Mutex(false)
  private let cancellation = Condition()

  /// - Parameter milliseconds: How long one call may be repeated.
  init(milliseconds: Int32) {
    self.milliseconds = milliseconds
  }
}

extension LockTimeout {
  /// Repeats a call of SQLite while another program's lock is in its way.
  ///
  /// - Parameter attempt: Returns the result code. What returned `SQLITE_BUSY` had no effect.
  /// - Returns: The last result, which is `SQLITE_BUSY` if the time is over.
  /// - Throws: What `attempt` throws; `closed` if waiting was cancelled.
  func repeating(
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
      pause = min(pause * 2, Self.longestPause)
      result = try attempt()
    }
    return result
  }

  private static var longestPause: Int32 { 50 }

  /// Ends waiting, now and later: the database is being closed.
  func cancel() {
    self.isCancelled.withLock { $0 = true }
    self.cancellation.broadcast()
  }
}
