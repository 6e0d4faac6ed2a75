import CSQLiteFunctions
import Threading

/// Makes all calls to SQLite for one connection, so that the process can be forked safely.
///
/// SQLite has global locks: in its allocator, page cache and list of open files. If a process
/// forked while another thread held one of them, the child could never open a database. So a fork
/// waits until no call is in progress. The child neither uses nor closes an inherited connection,
/// because it records file locks that the child does not have.
struct SQLiteCalls: Sendable {
  /// The name of the database in messages.
  let label: String

  private let process = ProcessGeneration.current
  private let lock = ForkLock.shared

  init(label: String) {
    self.label = label
  }
}

extension SQLiteCalls {
  /// Runs `body`, which must only call SQLite and must not wait.
  ///
  /// - Throws: The error of `body`; `closed` if the connection was inherited by the child of a
  ///   fork.
  func callAsFunction<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    guard self.process.isCurrent else { throw .inherited(self.label) }
    return try self.lock.excludingForks(body)
  }

  /// Runs `body`, which releases a resource. Does nothing in the child of a fork, where the
  /// resource is inherited.
  func release(_ body: () -> Void) {
    guard self.process.isCurrent else { return }
    self.lock.excludingForks(body)
  }
}
