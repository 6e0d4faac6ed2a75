import SQLiteStorage
import Testing
import Threading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that two connections use. One of them holds a lock when the other comes.
@Suite final class LockTimeoutTests {
  private let path: String

  init() throws {
    var template = Array("/tmp/database-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    close(descriptor)
    self.path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    try self.open().execute("CREATE TABLE numbers (number); INSERT INTO numbers VALUES (1)")
  }

  deinit {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(self.path + suffix) }
  }

  private func open(patience: Int32 = 0) throws -> sending Database {
    try Database(path: self.path, patience: patience)
  }

  private func numbers() throws -> [Int] {
    try self.open().rows("SELECT number FROM numbers") { try $0.integer(0) }
  }

  /// Runs `body` on a thread of its own while this thread runs `release`.
  private func during(_ body: @escaping @Sendable () -> Void, _ release: () throws -> Void) throws {
    let hasBegun = Mutex(false)
    let change = Condition()
    let thread = try #require(
      Thread.start {
        hasBegun.withLock { $0 = true }
        change.broadcast()
        body()
      })
    hasBegun.wait(for: change) { $0 }
    try release()
    thread.join()
  }

  @Test func withoutPatienceALockIsAnErrorAtOnce() throws {
    let holder = try self.open()
    try holder.execute("BEGIN IMMEDIATE")
    let message = "\"\(self.path)\" is locked by another program; try again when that is done"
    let other = try self.open()
    #expect(throws: DatabaseError(.io, message)) {
      try other.transaction { try other.run("DELETE FROM numbers") }
    }
    #expect(throws: DatabaseError(.io, message)) { try other.run("DELETE FROM numbers") }
    try holder.execute("COMMIT")
    #expect(try other.run("DELETE FROM numbers") == 1)
  }

  @Test func aTransactionBeginsWhenTheLockIsFree() throws {
    let holder = try self.open()
    try holder.execute("BEGIN IMMEDIATE; INSERT INTO numbers VALUES (2)")
    let other = SharedDatabase(try self.open(patience: .max))
    try self.during {
      try? other.transaction { try $0.run("INSERT INTO numbers VALUES (3)") }
    } _: {
      // Each time that the other tries, it reads for a moment, and then this cannot commit.
      while (try? holder.execute("COMMIT")) == nil {}
    }
    #expect(try self.numbers() == [1, 2, 3])
  }

  /// Without a write-ahead log a reader keeps others from committing.
  @Test func aCommitWaitsForReaders() throws {
    let reader = try self.open()
    try reader.execute("BEGIN; SELECT number FROM numbers")
    let writer = SharedDatabase(try self.open(patience: .max))
    try self.during {
      try? writer.transaction { try $0.run("INSERT INTO numbers VALUES (2)") }
    } _: {
      try reader.execute("COMMIT")
    }
    #expect(try self.numbers() == [1, 2])
  }

  @Test func closingEndsTheWait() throws {
    let holder = try self.open()
    try holder.execute("BEGIN IMMEDIATE")
    let other = SharedDatabase(try self.open(patience: .max))
    let error = Mutex<DatabaseError?>(nil)
    try self.during {
      do {
        try other.transaction { try $0.run("DELETE FROM numbers") }
      } catch let thrown {
        error.withLock { $0 = thrown as? DatabaseError }
      }
    } _: {
      other.close()
    }
    #expect(
      error.withLock { $0 } == DatabaseError(.closed, "the database was closed; open it again"))
    try holder.execute("COMMIT")
    #expect(try self.numbers() == [1])
  }

  /// Inside a callback nothing waits for another thread: the file is closed after its turn.
  @Test func closingInsideACallbackDoesNotWaitForATurn() throws {
    let shared = SharedDatabase(try self.open())
    let isInTurn = Mutex(false)
    let mayEnd = Mutex(false)
    let change = Condition()
    let thread = try #require(
      Thread.start {
        try? shared.use { _ in
          isInTurn.withLock { $0 = true }
          change.broadcast()
          mayEnd.wait(for: change) { $0 }
        }
      })
    isInTurn.wait(for: change) { $0 }
    CallScope.callback { shared.close() }
    #expect(throws: DatabaseError(.closed, "the database was closed; open it again")) {
      try shared.use { _ in }
    }
    mayEnd.withLock { $0 = true }
    change.broadcast()
    thread.join()
  }
}
