import ProductSupport
import SQLiteStorage
import Testing

/// The numbers by which a domain recognizes its own database.
@Suite struct DatabaseFormatTests {
  private let format = DatabaseFormat(application: 7, version: 2)

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
    ("CREATE TABLE notes (id); PRAGMA application_id = 7; PRAGMA user_version = 2", "true"),
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

  @Test func storedNumbersAreCurrent() throws {
    let database = try Database(path: nil, lockTimeout: 0)
    try self.format.store(in: database)
    #expect(try self.format.isCurrent(in: database))
  }
}
