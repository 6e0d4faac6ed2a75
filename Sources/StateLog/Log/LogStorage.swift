import ImmutableJSON
import Threading

/// An open log of a store: a file (``LogFile``), or what a driver keeps (``DriverLog``).
///
/// It is opened, ``start(usesSnapshot:)`` returns the state from which a replay begins, and
/// ``entries(_:)`` the entries after it. Then entries can be appended. Only after these two calls
/// may several threads use it.
package protocol LogStorage: LogHead, Sendable {
  /// The path of the file, or the address without credentials.
  var path: String { get }
  var header: LogHeader { get }
  var settings: LogSettings { get }

  /// Whether other stores may write to it, too.
  var isShared: Bool { get }

  /// The number of this store among the writers of a shared log; 0 before
  /// ``beginWriting(author:ended:schema:)``.
  var number: Int { get }

  /// The largest number of a writer. Used in a turn, or alone.
  var lastWriter: Int { get set }

  /// Whether a migration has written it.
  var isMigrated: Bool { get }

  /// The time in milliseconds since 1970, for entries.
  var time: Int64 { get }

  /// Where it ends.
  var position: LogPosition { get }

  /// Why it cannot be written or read; `nil` if nothing is wrong.
  var problem: LogError? { get }

  var statistics: LogStatistics { get }

  /// The state from which a replay begins.
  func start(usesSnapshot: Bool) throws(LogError) -> LogStart

  /// Calls `body` with each entry after the state of ``start(usesSnapshot:)``, or after the entries
  /// of the last call. The data of an entry is valid only during the call.
  func entries(_ body: (LogLine) throws -> Void) throws

  /// Makes this store one of the writers of a shared log. Called in a turn, after the entries were
  /// read.
  func beginWriting(author: String?, ended: Set<Int>, schema: Value?) throws(LogError)

  /// Whether the store that was a writer has closed the log, or its process has ended, as far as it
  /// is known.
  func hasEnded(_ writer: Int) throws(LogError) -> Bool

  /// Appends an entry, of a shared log in a turn.
  func append(_ kind: LineKind, number: Int, time: Int64, data: [UInt8]) throws(LogError)

  /// Waits until the log has room for an entry.
  func waitForRoom() throws(LogError)

  /// Waits until the entries up to a number are as durable as the settings say; `nil` for all.
  func wait(upTo number: Int?) throws(LogError)

  /// The same without a wait.
  func writeSoon()

  /// Waits as ``wait(upTo:)`` does, and goes on while the log cannot be written.
  func waitWhileOpen(upTo number: Int) -> Bool

  /// Waits until all that was appended is on a disk.
  func sync(until deadline: Deadline?) throws(LogError)

  /// Sets the function that returns what a snapshot is taken of.
  func setSnapshotSource(_ source: SnapshotSource?)

  /// Whether ``work()`` has something to do.
  var hasWork: Bool { get }

  /// Does a part of what is to be done in the background, if nothing else does it.
  ///
  /// - Returns: Whether there was something to do.
  @discardableResult
  func work() -> Bool

  /// Calls a function when the log may have new entries, until the result is released.
  ///
  /// - Returns: `nil` if the system cannot tell.
  func watch(_ onEvent: @escaping @Sendable (WatchEvent) -> Void) -> (any FileWatch)?

  /// Whether the log has more than this store has read and appended. Any thread may ask.
  var hasUnread: Bool { get }

  /// Notes that the store has no turn, so that its log cannot be written.
  func refuse(_ refusal: LogError)

  /// Ends the waits for a server, which then fail with `closed`.
  func stopWaiting()

  /// Ends reading, so that no further turn begins. Called between turns.
  func endReading()

  /// Ends the use of the log.
  ///
  /// - Returns: The error if something could not be written.
  @discardableResult
  func close() -> LogError?

  /// Opens the log again, to read it.
  ///
  /// - Parameter path: That of a copy of the file.
  func openedAgain(at path: String?) throws(LogError) -> any LogStorage

  /// Whether a call has thrown it.
  var isProblemKnown: Bool { get }
}
