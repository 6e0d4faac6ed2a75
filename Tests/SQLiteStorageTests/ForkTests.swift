import ImmutableData
import SQLiteStorage
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if !canImport(Darwin)
  @Suite struct ForkTests {
    private let shared: SharedDatabase

    init() throws {
      let database = try Database(path: nil, patience: 0)
      try database.execute("CREATE TABLE numbers (number)")
      self.shared = SharedDatabase(database)
    }

    @Test func aChildCannotUseAnInheritedDatabase() throws {
      let expected = DatabaseError(
        .closed,
        "the database in memory belongs to the process that this one was forked from; "
          + "open it in this process")
      let status = try exitStatusOfChild {
        do {
          try self.shared.use { try $0.execute("SELECT 1") }
          return 1
        } catch {
          self.shared.close()
          return error as? DatabaseError == expected ? 0 : 2
        }
      }
      #expect(status == 0)
      #expect(try self.shared.use { try $0.rows("SELECT 7") { try $0.integer(0) } } == [7])
    }

    /// Forked within a turn: even this thread, whose turn it is, is refused then.
    @Test func aChildCannotGoOnWithATransaction() throws {
      let status = try self.shared.transaction { database in
        try database.run("INSERT INTO numbers VALUES (1)")
        return try exitStatusOfChild {
          do {
            try database.run("COMMIT")
            return 1
          } catch {
            return (error as? DatabaseError)?.code == .closed ? 0 : 2
          }
        }
      }
      #expect(status == 0)
      #expect(
        try self.shared.use { try $0.rows("SELECT number FROM numbers") { try $0.integer(0) } }
          == [1])
    }

    /// What a thread does with a database while others fork leaves no lock of SQLite behind.
    @Test func aChildOpensDatabasesWhileThreadsUseSQLite() throws {
      let isOver = Mutex(false)
      let threads = (0..<3).compactMap { _ in
        Thread.start {
          while !isOver.withLock({ $0 }) {
            guard let database = try? Database(path: nil, patience: 0) else { continue }
            try? database.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)")
            _ = try? database.rows("SELECT a FROM t") { try $0.integer(0) }
          }
        }
      }
      for _ in 0..<50 {
        let status = try exitStatusOfChild {
          alarm(60)
          guard let database = try? Database(path: nil, patience: 0),
            let rows = try? database.rows("SELECT 1", [], { try $0.integer(0) })
          else { return 1 }
          return rows == [1] ? 0 : 2
        }
        #expect(status == 0)
      }
      isOver.withLock { $0 = true }
      for thread in threads { thread.join() }
    }
  }

  /// What `body` returns in the child of a fork; -1 if a signal ended it.
  private func exitStatusOfChild(_ body: () -> Int32) throws -> Int32 {
    let child = fork()
    // First, as the child may wait forever for what the test library initializes in another thread.
    if child == 0 { _exit(body()) }
    try #require(child >= 0)
    var status: Int32 = 0
    try #require(waitpid(child, &status, 0) == child)
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
  }
#endif
