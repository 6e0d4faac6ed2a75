import SQLiteStorage
import TestSupport
import Testing
import Glibc

// Each test forks in a process of its own. Tests run concurrently, and the child of a fork would
// wait forever for an initialization that another thread had begun.
@Suite struct ForkTests {
  @Test func aChildCannotUseAnInheritedDatabase() async {
    await #expect(processExitsWith: .success) {
      let shared = try makeShared()
      let expected = DatabaseError(
        .closed,
        "the database in memory belongs to the process that this one was forked from; "
          + "open it in this process")
      let status = exitStatusOfChild {
        do {
          try shared.use { try $0.execute("SELECT 1") }
          return 1
        } catch {
          shared.close()
          return error as? DatabaseError == expected ? 0 : 2
        }
      }
      #expect(status == 0)
      #expect(try shared.use { try $0.rows("SELECT 7") { try $0.integer(0) } } == [7])
    }
  }

  /// Forks while this thread uses the database. In the child even this thread is refused.
  @Test func aChildCannotContinueATransaction() async {
    await #expect(processExitsWith: .success) {
      let shared = try makeShared()
      let status = try shared.transaction { database in
        try database.run("INSERT INTO numbers VALUES (1)")
        return exitStatusOfChild {
          do {
            try database.run("COMMIT")
            return 1
          } catch {
            return (error as? DatabaseError)?.code == .closed ? 0 : 2
          }
        }
      }
      #expect(status == 0)
      let numbers = try shared.use {
        try $0.rows("SELECT number FROM numbers") { try $0.integer(0) }
      }
      #expect(numbers == [1])
    }
  }

  /// Of two connections one is enough, the file may have another name, and a child of the child
  /// inherits it too.
  @Test func aChildCannotOpenAFileThatAnInheritedDatabaseHasOpen() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.file("open")
      let first = SharedDatabase(try Database(path: path, lockTimeout: 0))
      let second = SharedDatabase(try Database(path: path, lockTimeout: 0))
      second.close()
      #expect(link(path, folder.file("other")) == 0)
      for name in ["open", "other"] {
        let path = folder.file(name)
        let expected = DatabaseError(
          .io,
          "cannot open \"\(path)\": a store of the process that this one was forked from has it "
            + "open; open it after exec, or in the parent")
        let status = exitStatusOfChild {
          guard openError(path) == expected else { return 1 }
          return exitStatusOfChild { openError(path) == expected ? 0 : 2 }
        }
        #expect(status == 0)
      }
      try first.use { try $0.execute("CREATE TABLE numbers (number)") }
    }
  }

  @Test func aChildCanOpenOtherFiles() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.file("closed")
      let open = SharedDatabase(try Database(path: folder.file("open"), lockTimeout: 0))
      try SharedDatabase(Database(path: path, lockTimeout: 0)).close()
      let status = exitStatusOfChild {
        // Twice: what the child itself has open does not count.
        guard let database = try? Database(path: path, lockTimeout: 0) else { return 1 }
        return withExtendedLifetime(database) { openError(path) == nil ? 0 : 2 }
      }
      #expect(status == 0)
      open.close()
    }
  }
}

private func openError(_ path: String) -> DatabaseError? {
  do throws(DatabaseError) {
    _ = try Database(path: path, lockTimeout: 0)
    return nil
  } catch {
    return error
  }
}

private func makeShared() throws -> SharedDatabase {
  let database = try Database(path: nil, lockTimeout: 0)
  try database.execute("CREATE TABLE numbers (number)")
  return SharedDatabase(database)
}
