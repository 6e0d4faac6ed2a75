import SQLiteStorage
import Testing
import Threading

/// Statements that would never end are interrupted.
@Suite struct StatementLimitTests {
  /// A query without an end after its first row.
  private static let endless = """
    WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless)
    SELECT n FROM endless WHERE n < 2
    """

  private func open(
    instructions: Int = .max, milliseconds: Int32 = .max
  ) throws -> sending Database {
    let database = try Database(
      path: nil, lockTimeout: 0,
      limit: StatementLimit(instructions: instructions, milliseconds: milliseconds))
    try database.execute(
      """
      CREATE TABLE numbers (number);
      CREATE TABLE slow (number);
      CREATE TRIGGER slow AFTER INSERT ON slow BEGIN
        SELECT count(*) FROM (\(Self.endless));
      END;
      """)
    return database
  }

  private func error(_ reason: String) -> DatabaseError {
    DatabaseError(
      .io,
      "the database in memory: a statement was interrupted after \(reason); a trigger or view of "
        + "another program may cause this")
  }

  @Test(arguments: [endless, "INSERT INTO slow VALUES (1)"])
  func theLimits(_ statement: String) throws {
    for (limited, reason) in [
      (try self.open(instructions: 100_000), "100000 instructions"),
      (try self.open(milliseconds: 0), "0 ms"),
    ] {
      #expect(throws: self.error(reason)) { try limited.execute(statement) }
      #expect(throws: self.error(reason)) { try limited.run(statement) }
      #expect(throws: self.error(reason)) {
        try limited.transaction {
          try limited.run("INSERT INTO numbers VALUES (1)")
          try limited.run(statement)
        }
      }
      #expect(try limited.rows("SELECT number FROM numbers") { try $0.integer(0) } == [])
    }
  }

  /// Each statement has all of the limit: SQLite itself counts the instructions of all its runs.
  @Test func aStatementMayRunOften() throws {
    let database = try self.open(instructions: 100_000)
    for number in 0..<100 {
      for _ in 0..<100 {
        try database.run("INSERT INTO numbers VALUES (?)", [.integer(number)])
      }
    }
    #expect(try database.rows("SELECT count(*) FROM numbers") { try $0.integer(0) } == [10_000])
  }

  @Test func closingInterrupts() throws {
    let shared = SharedDatabase(try self.open())
    let hasRow = Mutex(false)
    let change = Condition()
    let error = Mutex<(any Error)?>(nil)
    let thread = try #require(
      Thread.start {
        do {
          try shared.use { database in
            _ = try database.rows(Self.endless) { _ in
              hasRow.withLock { $0 = true }
              change.broadcast()
            }
          }
        } catch let thrown {
          error.withLock { $0 = thrown }
        }
      })
    hasRow.wait(for: change) { $0 }
    shared.close()
    thread.join()
    #expect(
      error.withLock { $0 } as? DatabaseError
        == DatabaseError(.closed, "the database was closed; open it again"))
  }

  /// A transaction of short statements is completed.
  @Test func closingWaitsForShortStatements() throws {
    let shared = SharedDatabase(try self.open())
    let count = try shared.transaction { database in
      shared.close()
      for number in 0..<5_000 {
        try database.run("INSERT INTO numbers VALUES (?)", [.integer(number)])
      }
      return try database.rows("SELECT number FROM numbers WHERE number = 4999") { _ in }.count
    }
    #expect(count == 1)
  }
}
