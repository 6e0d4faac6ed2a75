import SQLiteStorage
import TestSupport
import Testing
import Threading
import Glibc

/// Two connections use one file. One of them holds a lock that the other needs.
@Suite struct LockRetryTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.file("numbers")
    try self.open().execute("CREATE TABLE numbers (number); INSERT INTO numbers VALUES (1)")
  }

  private func open(lockTimeout: Int32 = 0) throws -> sending Database {
    try Database(path: self.path, lockTimeout: lockTimeout)
  }

  private func numbers() throws -> [Int] {
    try self.open().rows("SELECT number FROM numbers") { try $0.integer(0) }
  }

  /// Runs `body` on another thread and, once that has started, `release` on this one.
  ///
  /// - Returns: The error that `body` throws, if any.
  private func run(
    _ body: @escaping @Sendable () throws -> Void, while release: () throws -> Void
  ) throws -> (any Error)? {
    let error = Mutex<(any Error)?>(nil)
    let hasStarted = Mutex(false)
    let change = Condition()
    let thread = try #require(
      Thread.start {
        hasStarted.withLock { $0 = true }
        change.broadcast()
        do { try body() } catch let thrown { error.withLock { $0 = thrown } }
      })
    hasStarted.wait(for: change) { $0 }
    try release()
    thread.join()
    return error.withLock { $0 }
  }

  @Test func withATimeoutOfZeroALockIsReportedImmediately() throws {
    let holder = try self.open()
    try holder.execute("BEGIN IMMEDIATE")
    let message = "\"\(self.path)\" is locked by another program; try again later"
    let other = try self.open()
    #expect(throws: DatabaseError(.io, message)) {
      try other.transaction { try other.run("DELETE FROM numbers") }
    }
    #expect(throws: DatabaseError(.io, message)) { try other.run("DELETE FROM numbers") }
    try holder.execute("COMMIT")
    #expect(try other.run("DELETE FROM numbers") == 1)
  }

  @Test func aTransactionBeginsWhenTheLockIsReleased() throws {
    // The other connection's attempts may lock the file for a moment, so this COMMIT may wait too.
    let holder = try self.open(lockTimeout: .max)
    try holder.execute("BEGIN IMMEDIATE; INSERT INTO numbers VALUES (2)")
    let other = SharedDatabase(try self.open(lockTimeout: .max))
    let error = try self.run {
      _ = try other.transaction { try $0.run("INSERT INTO numbers VALUES (3)") }
    } while: {
      try holder.run("COMMIT")
    }
    #expect(error == nil)
    #expect(try self.numbers() == [1, 2, 3])
  }

  /// Without a write-ahead log a reader prevents others from committing.
  @Test func aCommitWaitsForReaders() throws {
    let reader = try self.open()
    try reader.execute("BEGIN; SELECT number FROM numbers")
    let writer = SharedDatabase(try self.open(lockTimeout: .max))
    let error = try self.run {
      _ = try writer.transaction { try $0.run("INSERT INTO numbers VALUES (2)") }
    } while: {
      try reader.execute("COMMIT")
    }
    #expect(error == nil)
    #expect(try self.numbers() == [1, 2])
  }

  @Test func closingEndsTheWait() throws {
    let holder = try self.open()
    try holder.execute("BEGIN IMMEDIATE")
    let other = SharedDatabase(try self.open(lockTimeout: .max))
    let error = try self.run {
      _ = try other.transaction { try $0.run("DELETE FROM numbers") }
    } while: {
      other.close()
    }
    #expect(
      error as? DatabaseError
        == DatabaseError(.closed, "the database was closed; open it again"))
    try holder.execute("COMMIT")
    #expect(try self.numbers() == [1])
  }

  /// Inside a callback nothing waits for another thread: the file is closed after that thread's
  /// use.
  @Test func closingInsideACallbackDoesNotWaitForOtherUses() throws {
    let shared = SharedDatabase(try self.open())
    let isInUse = Mutex(false)
    let mayEnd = Mutex(false)
    let change = Condition()
    let thread = try #require(
      Thread.start {
        try? shared.use { _ in
          isInUse.withLock { $0 = true }
          change.broadcast()
          mayEnd.wait(for: change) { $0 }
        }
      })
    isInUse.wait(for: change) { $0 }
    CallScope.callback { shared.close() }
    #expect(throws: DatabaseError(.closed, "the database was closed; open it again")) {
      try shared.use { _ in }
    }
    mayEnd.withLock { $0 = true }
    change.broadcast()
    thread.join()
  }
}
