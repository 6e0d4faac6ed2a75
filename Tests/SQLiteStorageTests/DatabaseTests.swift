import SQLiteStorage
import Testing

@Suite struct DatabaseTests {
  struct Stop: Error {}

  private let database: Database

  init() throws {
    self.database = try Database(path: nil, lockTimeout: 0)
    try self.database.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY, name)")
  }

  private func put(_ number: Int) throws {
    try self.database.run("INSERT INTO numbers (number) VALUES (?)", [.integer(number)])
  }

  private func numbers() throws -> [Int] {
    try self.database.rows("SELECT number FROM numbers") { try $0.integer(0) }
  }

  // MARK: Values

  @Test(arguments: ["", "a", "ä 🦊", String(repeating: "long ", count: 10_000), "'; --", "\u{1}"])
  func textRoundTrips(_ text: String) throws {
    let texts = try self.database.rows("SELECT ?", [.text(text)]) { try $0.text(0) }
    #expect(texts == [text])
  }

  @Test(arguments: [0, -1, .max, .min])
  func integersRoundTrip(_ integer: Int) throws {
    let integers = try self.database.rows("SELECT ?", [.integer(integer)]) { try $0.integer(0) }
    #expect(integers == [integer])
  }

  @Test func textWithNULIsRejected() {
    #expect(throws: DatabaseError(.invalid, "text with the character U+0000 cannot be stored")) {
      try self.database.run("SELECT ?", [.text("a\0b")])
    }
  }

  @Test(arguments: [
    ("NULL", "name is NULL, not text"),
    ("7", "name is an integer, not text"),
    ("0.5", "name is a number, not text"),
    ("x'61'", "name is a blob, not text"),
    ("CAST(x'FF' AS TEXT)", "name is not UTF-8 without U+0000"),
    ("CAST(x'6100' AS TEXT)", "name is not UTF-8 without U+0000"),
  ])
  func columnsThatAreNotTextAreRejected(_ expression: String, _ message: String) {
    #expect(throws: DatabaseError(.corrupt, message)) {
      try self.database.rows("SELECT \(expression) AS name") { try $0.text(0) }
    }
  }

  @Test func aMissingColumnIsRejected() {
    #expect(throws: DatabaseError(.corrupt, "a column is NULL, not an integer")) {
      try self.database.rows("SELECT 1") { try $0.integer(7) }
    }
  }

  @Test func aStatementRunsAgainAfterAnError() throws {
    #expect(throws: Stop.self) {
      try self.database.rows("SELECT ?", [.text("a")]) { _ in throw Stop() } as [Never]
    }
    #expect(try self.database.rows("SELECT ?", [.text("b")]) { try $0.text(0) } == ["b"])
  }

  @Test func runReturnsTheNumberOfChangedRows() throws {
    try self.put(1)
    try self.put(2)
    #expect(try self.database.run("DELETE FROM numbers") == 2)
    #expect(try self.database.run("DELETE FROM numbers") == 0)
  }

  // MARK: Transactions

  @Test func aTransactionThatThrowsIsRolledBack() throws {
    try self.put(1)
    #expect(throws: Stop.self) {
      try self.database.transaction {
        try self.put(2)
        throw Stop()
      }
    }
    #expect(try self.numbers() == [1])
    try self.database.transaction { try self.put(3) }
    #expect(try self.numbers() == [1, 3])
  }

  @Test func aNestedTransactionIsRolledBackAlone() throws {
    try self.database.transaction {
      try self.put(1)
      #expect(throws: Stop.self) {
        try self.database.transaction {
          try self.put(2)
          throw Stop()
        }
      }
      try self.database.transaction { try self.put(3) }
    }
    #expect(try self.numbers() == [1, 3])
  }

  @Test func aNestedTransactionIsRolledBackWithTheOuterOne() throws {
    #expect(throws: Stop.self) {
      try self.database.transaction {
        try self.database.transaction { try self.put(1) }
        throw Stop()
      }
    }
    #expect(try self.numbers() == [])
  }

  /// SQLite itself may roll back a whole transaction. Its later statements are then rejected.
  @Test func statementsAfterARollbackAreRejected() throws {
    #expect(
      throws: DatabaseError(
        .io, "the database in memory: the transaction was rolled back after an error")
    ) {
      try self.database.transaction {
        try self.put(1)
        try self.database.execute("ROLLBACK")
        #expect(throws: DatabaseError.self) {
          try self.database.transaction { try self.put(2) }
        }
      }
    }
    #expect(try self.numbers() == [])
    try self.database.transaction { try self.put(3) }
    #expect(try self.numbers() == [3])
  }

  @Test func aFullDiskIsReported() throws {
    try self.database.execute("PRAGMA max_page_count = 3")
    let long = Parameter.text(String(repeating: "x", count: 100_000))
    #expect(
      throws: DatabaseError(
        .io, "the disk of the database in memory is full; free some space and try again")
    ) {
      try self.database.transaction {
        try self.put(1)
        try self.database.run("INSERT INTO numbers (name) VALUES (?)", [long])
      }
    }
    #expect(try self.numbers() == [])
    try self.put(2)
  }
}
