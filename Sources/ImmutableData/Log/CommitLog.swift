import Threading

/// Keeps the commits of a store, so that opening it again restores its state.
///
/// A store appends its commits in order, with the dispatch lock held, before another thread can see
/// them. So what is committed is never missing in the log. If the log is shared, it does so in its
/// turn, with the state that all entries before have led to.
package protocol CommitLog: AnyObject, Sendable {
  /// The time of the next commit, in milliseconds since 1970.
  var time: Int64 { get }

  /// Whether other stores append to it, too, each in its turn. It does not change.
  var isShared: Bool { get }

  /// The number of this store among those that append to it; 0 if it is not shared.
  var writer: Int { get }

  /// Waits for a turn, and commits what other stores have appended. Until ``endTurn()``, only this
  /// store appends. Called without locks, and only if the log is shared.
  ///
  /// - Throws: ``LogRefusal`` if another store keeps its turn for too long. Another error if the
  ///   log cannot be read any more.
  func beginTurn(in scope: CallScope) throws

  func endTurn()

  /// Waits until the log has room for an entry. Called without locks.
  ///
  /// - Throws: ``LogRefusal``
  func waitForRoom() throws

  /// The entry of the commits of one action or batch, or of a jump. Called as a part of the
  /// reducer: it may call code of a domain.
  func encode(_ commits: [AnyCommit]) throws -> LogEntry?

  /// The entry of the next commit, whose action the program passed as text. Called as
  /// ``encode(_:)``.
  ///
  /// - Returns: `nil` if the text must be encoded anew.
  func encode(_ text: UnsafeRawBufferPointer, number: Int, time: Int64) -> LogEntry?

  /// The entry of a call that changes the marks of the history, after the commit with a number.
  func encode(_ marks: HistoryMarks, number: Int) -> LogEntry

  /// Appends an entry. Called with the dispatch lock held. Takes O(length), and does not wait,
  /// except for a driver that keeps the log.
  ///
  /// - Throws: ``LogMoved``. Another error if the log cannot be written. The commits are then not
  ///   made.
  func append(_ entry: LogEntry) throws

  /// Whether an append takes so long that dispatches share one.
  var sharesAppends: Bool { get }

  /// Appends entries together, as ``append(_:)`` does one.
  func append(_ entries: [LogEntry]) throws

  /// Whether an append that was not answered is in the log. Called in a turn; `true` only once.
  func hasArrived(_ append: Int) -> Bool

  /// An error after which it is not known whether the log has what was appended.
  func doubting(_ error: any Error) -> any Error

  /// Waits until the entries up to a commit are as durable as the program asked; `nil` for all
  /// entries. Called without locks; inside a callback, it does not wait.
  ///
  /// - Throws: ``LogFailure``
  func wait(upTo number: Int?, in scope: CallScope) throws

  /// Waits until all entries so far are, also through failures.
  ///
  /// - Returns: `false` if the log was closed first.
  func waitThroughFailures() -> Bool
}

/// What a log keeps of commits.
package struct LogEntry: Sendable {
  /// What caused the commits, or a call that changed the history only.
  package enum Kind: String, Sendable {
    case actions, jump, history, options
  }

  package let kind: Kind
  /// The number of the last commit.
  package let number: Int
  /// The milliseconds since 1970.
  package let time: Int64
  /// JSON text.
  package let text: [UInt8]

  package init(_ kind: Kind, number: Int, time: Int64, text: [UInt8]) {
    self.kind = kind
    self.number = number
    self.time = time
    self.text = text
  }
}

/// The commits of an action were made, but their entry cannot be written.
package struct LogFailure: Error {
  package let underlying: any Error

  package init(_ underlying: any Error) {
    self.underlying = underlying
  }
}

/// The log has entries that the store does not have, so the commits of an action were not made.
/// They are made again after those.
package struct LogMoved: Error {
  /// The number of the append, if it was not answered: then the log may have the entry.
  package let append: Int?

  package init(append: Int?) {
    self.append = append
  }
}

/// The commits of an action were not made, because the log cannot be written.
package struct LogRefusal: Error {
  package let underlying: any Error
  /// Whether commits before are missing in the log, and it refuses all until it has them.
  package let isBehind: Bool

  package init(_ underlying: any Error, isBehind: Bool) {
    (self.underlying, self.isBehind) = (underlying, isBehind)
  }
}
