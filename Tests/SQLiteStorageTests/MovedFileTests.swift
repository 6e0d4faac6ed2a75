import SQLiteStorage
import TestSupport
import Testing
import Glibc

/// The file of an open database disappears from its path.
@Suite struct MovedFileTests {
  enum Event: CaseIterable {
    case deletion, renaming, replacement

    func happen(to path: String) {
      switch self {
      case .deletion: unlink(path)
      case .renaming: rename(path, path + "2")
      case .replacement:
        rename(path, path + "2")
        close(open(path, O_CREAT | O_WRONLY, 0o600))
      }
    }
  }

  private let folder: TemporaryFolder
  private let path: String
  private let database: Database
  private let error: DatabaseError

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.file("numbers")
    self.database = try Database(path: self.path, lockTimeout: 0)
    self.error = DatabaseError(
      .io,
      "\"\(self.path)\" was deleted, moved or replaced while it was open, so the change is not in "
        + "the file; open it again")
    try self.database.makeDurable()
    try self.database.execute("CREATE TABLE numbers (number)")
  }

  private func put(_ number: Int) throws {
    try self.database.run("INSERT INTO numbers VALUES (?)", [.integer(number)])
  }

  @Test(arguments: Event.allCases)
  func laterChangesFail(_ event: Event) throws {
    try self.database.transaction { try self.put(1) }
    event.happen(to: self.path)
    for _ in 0..<2 {
      #expect(throws: self.error) {
        try self.database.transaction {
          Issue.record("the change was made")
        }
      }
    }
  }

  @Test(arguments: Event.allCases)
  func aChangeMeanwhileFails(_ event: Event) throws {
    #expect(throws: self.error) {
      try self.database.transaction {
        try self.put(1)
        event.happen(to: self.path)
      }
    }
  }

  @Test func aFileThatIsBackIsUsedAgain() throws {
    rename(self.path, self.path + "2")
    #expect(throws: self.error) { try self.database.transaction { try self.put(1) } }
    rename(self.path + "2", self.path)
    try self.database.transaction { try self.put(2) }
    #expect(try self.database.rows("SELECT number FROM numbers") { try $0.integer(0) } == [2])
  }
}
