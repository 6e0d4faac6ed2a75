import CSQLite
import Threading

/// Every call of SQLite for one connection goes through here, so that the process can be forked.
///
/// SQLite has global locks: of its allocator, its page cache, its list of open files. A child that is
/// forked while another thread holds one of them could never open a database. So a fork waits until
/// no call is under way. A connection that a child inherited is not used there, not even to close
/// it: it believes that it holds locks on files, which the child does not have.
struct SQLiteCalls: Sendable {
  /// What messages call the database.
  let place: String

  private let process = ProcessGeneration.current
  private let lock = ForkLock.shared

  init(place: String) {
    self.place = place
  }
}

extension SQLiteCalls {
  /// Runs `body`, which calls SQLite and waits for nothing else.
  ///
  /// - Throws: What `body` throws; `closed` if the connection was inherited by the child of a fork.
  func callAsFunction<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    guard self.process.isCurrent else { throw .inherited(self.place) }
    return try self.lock.excludingForks(body)
  }

  /// Runs `body`, which releases something, unless it was inherited: then it is left as it is.
  func release(_ body: () -> Void) {
    guard self.process.isCurrent else { return }
    self.lock.excludingForks(body)
  }
}
