import SQLiteStorage
import Testing

@Suite struct SharedDatabaseTests {
  private let shared: SharedDatabase

  init() throws {
    let database = try Database(path: nil, lockTimeout: 0)
    try database.execute("CREATE TABLE numbers (number)")
    self.shared = SharedDatabase(database)
  }

  private func count() throws -> Int {
    try self.shared.use { database in
      try database.rows("SELECT count(*) FROM numbers") { try $0.integer(0) }.first ?? -1
    }
  }

  @Test func threadsUseItOneAtATime() async throws {
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { [shared] in
          for number in 0..<100 {
            try? shared.transaction { database in
              try database.run("INSERT INTO numbers VALUES (?)", [.integer(number)])
              _ = try shared.use { database in
                try database.run("INSERT INTO numbers VALUES (?)", [.integer(-number)])
              }
            }
          }
        }
      }
    }
    #expect(try self.count() == 1_600)
  }

  @Test func usesAfterCloseFail() {
    self.shared.close()
    self.shared.close()
    #expect(throws: DatabaseError(.closed, "the database was closed; open it again")) {
      try self.count()
    }
  }

  @Test func closingInsideATransactionTakesEffectAfterIt() throws {
    let count = try self.shared.transaction { _ in
      self.shared.close()
      return try self.count()
    }
    #expect(count == 0)
    #expect(throws: DatabaseError.self) { try self.count() }
  }
}
