import ProductSupport
import SQLiteStorage
import Testing

/// The numbers by which a domain recognizes its own database.
@Suite struct DatabaseFormatTests {
  private let format = DatabaseFormat(
    application: 7, version: 2,
    schema: """
      CREATE TABLE notes (id TEXT PRIMARY KEY, text);
      CREATE TABLE changes (number INTEGER PRIMARY KEY AUTOINCREMENT, note);
      """)

  /// `isCurrent` for a database that a script has prepared: the result, or the message.
  private func result(after script: String) throws -> String {
    let database = try Database(path: nil, lockTimeout: 0)
    try database.execute(script)
    do {
      return "\(try self.format.isCurrent(in: database))"
    } catch let error as DatabaseError {
      return error.message
    }
  }

  @Test(arguments: [
    ("", "false"),
    ("CREATE TABLE notes (id); PRAGMA application_id = 7; PRAGMA user_version = 1", "false"),
    (
      "CREATE TABLE notes (id); PRAGMA application_id = 7; PRAGMA user_version = 3",
      "the database in memory has tables of version 3, but this program supports only versions "
        + "up to 2; use a newer program"
    ),
    ("CREATE TABLE notes (id)", "the database in memory is a database of another program"),
    (
      "CREATE TABLE notes (id); PRAGMA user_version = 2",
      "the database in memory is a database of another program"
    ),
    (
      "CREATE TABLE notes (id); PRAGMA application_id = 7",
      "the database in memory is a database of another program"
    ),
    (
      "PRAGMA application_id = 8; PRAGMA user_version = 2",
      "the database in memory is a database of another program"
    ),
  ])
  func aDatabaseIsRecognizedByItsNumbers(_ script: String, _ expected: String) throws {
    #expect(try self.result(after: script) == expected)
  }

  @Test func createdTablesAreCurrent() throws {
    let database = try Database(path: nil, lockTimeout: 0)
    try self.format.create(in: database)
    #expect(try self.format.isCurrent(in: database))
  }

  private static let endless =
    "WITH RECURSIVE e(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM e) SELECT n FROM e WHERE n < 0"

  /// What differs from the schema; `nil` if the differences are allowed.
  @Test(
    arguments: [
      ("", nil),
      ("ALTER TABLE notes ADD COLUMN color; CREATE INDEX texts ON notes (text)", nil),
      ("CREATE TABLE more (id); CREATE VIRTUAL TABLE search USING fts5 (text)", nil),
      ("DROP TABLE notes; CREATE TABLE Notes (Id, TEXT)", nil),
      (
        "DROP TABLE notes",
        #"does not have the expected tables: there is no table "notes""#
      ),
      (
        "ALTER TABLE notes DROP COLUMN text",
        #"does not have the expected tables: the table "notes" has no column "text""#
      ),
      (
        "DROP TABLE notes; CREATE VIEW notes AS SELECT 1 AS id, 2 AS text",
        #"does not have the expected tables: "notes" is a view, not a table"#
      ),
      (
        "DROP TABLE notes; CREATE VIEW notes AS \(endless)",
        #"does not have the expected tables: "notes" is a view, not a table"#
      ),
      (
        "DROP TABLE notes; CREATE VIRTUAL TABLE notes USING fts5 (id, text)",
        #"does not have the expected tables: "notes" is a virtual table, not a table"#
      ),
      (
        "CREATE TRIGGER log AFTER INSERT ON notes BEGIN \(endless); END",
        #"has the trigger "log" of another program; remove it with "DROP TRIGGER""#
      ),
      (
        "CREATE TRIGGER changes AFTER DELETE ON changes BEGIN SELECT 1; END",
        #"has the trigger "changes" of another program; remove it with "DROP TRIGGER""#
      ),
      (
        "CREATE VIEW everything AS \(endless)",
        #"has the view "everything" of another program; remove it with "DROP VIEW""#
      ),
    ] as [(String, String?)])
  func theTablesAreThoseOfTheSchema(_ script: String, _ problem: String?) throws {
    let database = try Database(path: nil, lockTimeout: 0)
    try self.format.create(in: database)
    try database.execute(script)
    let expected = problem.map { DatabaseError(.corrupt, "the database in memory \($0)") }
    do {
      #expect(try self.format.isCurrent(in: database))
      #expect(expected == nil)
    } catch let error as DatabaseError {
      #expect(error == expected)
    }
  }
}
