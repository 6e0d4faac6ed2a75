import SQLiteStorage
import TestSupport
import Testing
import Glibc

/// Copies of a database that is in use.
@Suite struct BackupTests {
  private let folder: TemporaryFolder
  private let path: String
  private let copy: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.file("numbers")
    self.copy = self.folder.file("copy")
  }

  /// A database with the numbers below `count`, each in a row of 4,000 bytes.
  private func makeNumbers(_ path: String?, count: Int = 3) throws -> SharedDatabase {
    let database = try Database(path: path, lockTimeout: 5_000)
    try database.makeDurable()
    try database.execute("CREATE TABLE numbers (number, filler)")
    try database.transaction {
      for number in 0..<count {
        try database.run(
          "INSERT INTO numbers VALUES (?, zeroblob(4000))", [.integer(number)])
      }
    }
    return SharedDatabase(database)
  }

  private func numbers(in path: String) throws -> [Int] {
    try Database(path: path, lockTimeout: 0)
      .rows("SELECT number FROM numbers ORDER BY number") { try $0.integer(0) }
  }

  private func check(
    _ error: DatabaseError, _ body: () throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: error, sourceLocation: sourceLocation, performing: body)
  }

  @Test func aFileIsCopied() throws {
    let numbers = try self.makeNumbers(self.path, count: 1_000)
    chmod(self.path, 0o640)
    try numbers.backup(to: self.copy)
    #expect(self.folder.names == ["copy", "numbers", "numbers-shm", "numbers-wal"])
    var status = stat()
    #expect(stat(self.copy, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(try self.numbers(in: self.copy) == Array(0..<1_000))
    #expect(self.folder.names == ["copy", "numbers", "numbers-shm", "numbers-wal"])
  }

  @Test func aDatabaseInMemoryIsCopied() throws {
    try self.makeNumbers(nil, count: 1_000).backup(to: self.copy)
    var status = stat()
    #expect(stat(self.copy, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try self.numbers(in: self.copy) == Array(0..<1_000))
  }

  /// The copy has what was committed before the transaction, even if the same thread makes it.
  @Test func aCopyIsMadeDuringATransaction() throws {
    let numbers = try self.makeNumbers(self.path)
    try numbers.transaction { database in
      try database.run("INSERT INTO numbers VALUES (3, '')")
      try numbers.backup(to: self.copy)
    }
    #expect(try self.numbers(in: self.copy) == [0, 1, 2])
    #expect(try self.numbers(in: self.path) == [0, 1, 2, 3])
  }

  /// Another connection writes between the steps of a copy. The copy is still of one state.
  @Test func othersWriteDuringACopy() async throws {
    let numbers = try self.makeNumbers(self.path, count: 600)
    let other = SharedDatabase(try Database(path: self.path, lockTimeout: 5_000))
    try await withThrowingTaskGroup { group in
      for writer in [numbers, other] {
        group.addTask {
          for _ in 0..<20 {
            _ = try writer.transaction { database in
              try database.run("UPDATE numbers SET number = number + 10000")
            }
          }
        }
      }
      for index in 0..<5 {
        let copy = "\(self.copy)\(index)"
        group.addTask { try numbers.backup(to: copy) }
      }
      try await group.waitForAll()
    }
    for index in 0..<5 {
      let copied = try self.numbers(in: "\(self.copy)\(index)")
      #expect(copied.count == 600)
      #expect((copied.last ?? 0) - (copied.first ?? 0) == 599)
    }
  }

  @Test(arguments: ["copy", "copy-journal", "copy-wal"])
  func noFileIsReplaced(_ name: String) throws {
    let file = self.folder.file(name)
    close(open(file, O_CREAT | O_WRONLY, 0o600))
    self.check(
      DatabaseError(
        .invalid, "\"\(file)\" already exists; remove it, or choose another path")
    ) {
      try self.makeNumbers(nil).backup(to: self.copy)
    }
    #expect(self.folder.names == [name])
  }

  @Test func errors() throws {
    let numbers = try self.makeNumbers(self.path)
    self.check(.init(.invalid, "a path cannot be empty or contain U+0000")) {
      try numbers.backup(to: "")
    }
    let directory = self.folder.file("none")
    self.check(
      .init(
        .io,
        "cannot create \"\(directory)/copy\": the directory \"\(directory)\" does not exist")
    ) {
      try numbers.backup(to: "\(directory)/copy")
    }
    let memory = try self.makeNumbers(nil)
    self.check(
      .init(
        .invalid,
        "the database in memory cannot be backed up inside a transaction; "
          + "back it up after the transaction")
    ) {
      try memory.transaction { _ in try memory.backup(to: self.copy) }
    }
    numbers.close()
    self.check(.init(.closed, "the database was closed; open it again")) {
      try numbers.backup(to: self.copy)
    }
    #expect(self.folder.names == ["numbers"])
  }

  /// SQLite could not open a file whose name leaves no room for the suffix of its journal.
  @Test(arguments: [247, 248, 255, 256])
  func longNames(_ length: Int) throws {
    let path = self.folder.file(String(repeating: "n", count: length))
    let numbers = try self.makeNumbers(nil)
    if length == 247 {
      try numbers.backup(to: path)
      #expect(try self.numbers(in: path) == [0, 1, 2])
    } else {
      let start = path.prefix(34)
      let end = path.suffix(34)
      self.check(.init(.io, "cannot create \"\(start)…\(end)\": File name too long")) {
        try numbers.backup(to: path)
      }
      #expect(self.folder.names == [])
    }
  }

  /// A character is omitted as a whole.
  @Test func longNamesThatAreNotASCII() throws {
    let path = "/" + String(repeating: "ü", count: 128)
    let part = String(repeating: "ü", count: 17)
    let start = part.dropLast()
    self.check(.init(.io, "cannot create \"/\(start)…\(part)\": File name too long")) {
      try self.makeNumbers(nil).backup(to: path)
    }
  }

  /// SQLite does not notice this damage while it copies the pages.
  @Test func aDatabaseWithADamagedTableIsNotCopied() throws {
    let numbers = try self.makeNumbers(self.path, count: 10)
    try numbers.use { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    let file = open(self.path, O_WRONLY)
    pwrite(file, "garbage", 7, 4_096)
    close(file)
    self.check(
      .init(
        .corrupt,
        "\"\(self.path)\" is damaged (database disk image is malformed); "
          + "restore it from a backup")
    ) {
      try numbers.backup(to: self.copy)
    }
    #expect(!self.folder.names.contains { $0.hasPrefix("copy") || $0.hasPrefix("backup") })
  }

  /// SQLite finds this damage before it copies a page.
  @Test func aDamagedDatabaseIsNotCopied() throws {
    let numbers = try self.makeNumbers(self.path, count: 1_000)
    try numbers.use { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    let file = open(self.path, O_WRONLY)
    pwrite(file, "garbage", 7, 0)
    close(file)
    self.check(.init(.corrupt, "\"\(self.path)\" is not a database")) {
      try numbers.backup(to: self.copy)
    }
    #expect(!self.folder.names.contains { $0.hasPrefix("copy") || $0.hasPrefix("backup") })
  }
}
