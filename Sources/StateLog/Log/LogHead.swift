/// The head of a log to which several stores write, each in its turn: a store takes the right to
/// append, reads what the others have appended, appends its own entries, and gives the right back.
package protocol LogHead: AnyObject {
  /// Throws in the child of a fork.
  func requireProcess() throws(LogError)

  /// Takes the right to append, unless another store has it. Nobody else appends then until
  /// ``endTurn()``.
  ///
  /// - Returns: Whether it has it now. If not, the caller calls ``pause(_:)``, and tries again.
  /// - Throws: `timeout` if it has waited too long; `closed`.
  func beginTurn(after wait: inout LockWait) throws(LogError) -> Bool

  /// Gives the right back, if the store has it.
  func endTurn()

  /// How many bytes were appended that were not read and taken over, whole entries or not; the
  /// largest number if the log has another file now.
  ///
  /// - Throws: `corrupt` if the log no longer has what was read. In a turn in which nothing is
  ///   unread, it is looked at.
  func unreadBytes() throws(LogError) -> Int

  func pause(_ wait: inout LockWait)

  /// In milliseconds.
  var uptime: Int64 { get }

  /// Whether other stores wait for the right to append.
  var othersWait: Bool { get }
}
