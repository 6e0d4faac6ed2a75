import SQLiteStorage
import TestSupport
import Testing

@testable import QuakesData
import Glibc

/// The cache in a file. `PATH` in a message stands for the path of the file.
@Suite struct LocalStoreTests {
  private let folder: TemporaryFolder

  init() throws {
    self.folder = try TemporaryFolder()
  }

  private var path: String {
    self.folder.file("quakes.sqlite")
  }

  private func open() throws -> LocalStore {
    try LocalStore(path: self.path, lockTimeout: 0)
  }

  private func check(
    _ code: LocalStore.Error.Code, _ message: String,
    at location: SourceLocation = #_sourceLocation, _ use: () throws -> Void
  ) {
    let error = #expect(throws: LocalStore.Error.self, sourceLocation: location) { try use() }
    let expected = message.replacing("PATH", with: "\"\(self.path)\"")
    #expect(error?.message == expected, sourceLocation: location)
    #expect(error?.code == code, sourceLocation: location)
  }

  private func quakes(_ store: LocalStore) throws -> [Quake] {
    try store.fetchLocalQuakesQuery().sorted { $0.id < $1.id }
  }

  @discardableResult
  private func save(
    _ inserted: [Quake], updated: [Quake] = [], deleted: [Quake] = [], in store: LocalStore
  ) throws -> Int {
    try store.didFetchRemoteQuakesMutation(inserted: inserted, updated: updated, deleted: deleted)
  }

  @Test func quakesRoundTrip() throws {
    let quakes = [
      Quake("", magnitude: -0.5, time: .min, name: ""),
      Quake("'; DROP TABLE quakes; --", magnitude: 0.1, time: .max, name: "Île d'Yeu 東\n"),
      Quake("e\u{301}", magnitude: 1e300),
      Quake("z", magnitude: .leastNonzeroMagnitude),
    ]
    let store = try self.open()
    #expect(try self.quakes(store) == [])
    #expect(try self.save(quakes, in: store) == 4)
    store.close()
    #expect(try Set(self.quakes(self.open())) == Set(quakes))
  }

  @Test func rowsThatAreEqualAreNotWritten() throws {
    let store = try self.open()
    let quakes = [Quake("1"), Quake("2"), Quake("3")]
    #expect(try self.save(quakes, in: store) == 3)
    #expect(try self.save(quakes, updated: quakes, in: store) == 0)
    #expect(try self.save([], updated: [Quake("1", magnitude: 2)], in: store) == 1)
    #expect(try self.save([], updated: [Quake("1", magnitude: 2, time: 5)], in: store) == 1)
    #expect(try self.save([], updated: [Quake("2", name: "")], in: store) == 1)
    // An updated quake that is not there is inserted; a deleted one that is not there is ignored.
    #expect(try self.save([], updated: [Quake("4")], deleted: [Quake("5")], in: store) == 1)
    #expect(try self.save([], deleted: [Quake("3"), Quake("4")], in: store) == 2)
    #expect(
      try self.quakes(store) == [Quake("1", magnitude: 2, time: 5), Quake("2", name: "")])
  }

  @Test func deletions() throws {
    let store = try self.open()
    try self.save([Quake("1"), Quake("2"), Quake("3")], in: store)
    try store.deleteLocalQuakeMutation(quakeId: "2")
    try store.deleteLocalQuakeMutation(quakeId: "2")
    try store.deleteLocalQuakeMutation(quakeId: "a\0b")
    #expect(try self.quakes(store).map(\.id) == ["1", "3"])
    try store.deleteLocalQuakesMutation()
    #expect(try self.quakes(store) == [])
  }

  @Test func aBackupIsACopy() throws {
    let store = try self.open()
    try self.save([Quake("1")], in: store)
    let copy = self.folder.file("copy.sqlite")
    try store.backup(to: copy)
    #expect(try self.quakes(LocalStore(path: copy)) == [Quake("1")])
  }

  // MARK: Errors

  @Test func filesOfOthersAreRefused() throws {
    let other = try Database(path: self.path, lockTimeout: 0)
    try other.execute("CREATE TABLE quakes (name); PRAGMA user_version = 1")
    check(.corrupt, "PATH is a database of another program") { _ = try self.open() }
    #expect(try other.rows("PRAGMA journal_mode") { try $0.text(0) } == ["delete"])
  }

  @Test func aNewerVersionIsRefused() throws {
    try self.open().close()
    try Database(path: self.path, lockTimeout: 0).execute("PRAGMA user_version = 2")
    check(
      .corrupt,
      "PATH has tables of version 2, but this program supports only versions up to 1; use a newer "
        + "program"
    ) { _ = try self.open() }
  }

  @Test func filesThatAreNoDatabases() throws {
    try self.folder.write(
      String(repeating: "These are my notes. ", count: 100), to: "quakes.sqlite")
    check(.corrupt, "PATH is not a database") { _ = try self.open() }
  }

  @Test func aDamagedFileIsReported() throws {
    let store = try self.open()
    try self.save((0..<1_000).map { Quake("\($0)") }, in: store)
    store.close()
    let file = try #require(fopen(self.path, "r+"))
    fseek(file, 100, SEEK_SET)
    fputs(String(repeating: "\u{7F}", count: 8_000), file)
    fclose(file)
    check(.corrupt, "PATH is damaged (database disk image is malformed); restore it from a backup")
    {
      _ = try self.open()
    }
  }

  @Test func aLockedFileIsReported() throws {
    let store = try self.open()
    try self.save([Quake("1")], in: store)
    let other = try Database(path: self.path, lockTimeout: 0)
    try other.execute("BEGIN IMMEDIATE")
    let message = "PATH is locked by another program; try again later"
    check(.io, message) { try self.save([Quake("2")], in: store) }
    check(.io, message) { try store.deleteLocalQuakeMutation(quakeId: "1") }
    check(.io, message) { try store.deleteLocalQuakesMutation() }
    // Nothing to write needs no lock, and reading is still possible.
    #expect(try self.save([], in: store) == 0)
    #expect(try self.quakes(store) == [Quake("1")])
    try other.execute("COMMIT")
    #expect(try self.save([Quake("2")], in: store) == 1)
  }

  @Test func aFullDiskLosesNothing() throws {
    let store = try self.open()
    try self.save([Quake("1")], in: store)
    let pages = try store.database.read { try $0.rows("PRAGMA page_count") { try $0.integer(0) } }
    try store.database.read { try $0.execute("PRAGMA max_page_count = \(pages[0])") }
    let many = (0..<1_000).map { Quake("many \($0)") }
    check(.io, "the disk of PATH is full; free some space and try again") {
      try self.save(many, deleted: [Quake("1")], in: store)
    }
    #expect(try self.quakes(store) == [Quake("1")])
    try store.database.read { try $0.execute("PRAGMA max_page_count = 1000000") }
    #expect(try self.save(many, deleted: [Quake("1")], in: store) == 1_001)
  }

  @Test(arguments: [
    (
      "NULL, 1.5, 1, 1, 'n', 0.0, 0.0", "a quake in PATH cannot be read: quake_id is NULL, not text"
    ),
    (
      "'1', '1.5?', 1, 1, 'n', 0.0, 0.0",
      "the quake \"1\" in PATH cannot be read: magnitude is text, not a number"
    ),
    (
      "'1', NULL, 1, 1, 'n', 0.0, 0.0",
      "the quake \"1\" in PATH cannot be read: magnitude is NULL, not a number"
    ),
    (
      "'1', -9e999, 1, 1, 'n', 0.0, 0.0",
      "the quake \"1\" in PATH cannot be read: magnitude is -inf, not a finite number"
    ),
    (
      "'1', 1.5, 1.5, 1, 'n', 0.0, 0.0",
      "the quake \"1\" in PATH cannot be read: time is a number, not an integer"
    ),
    (
      "'1', 1.5, 1, 1, x'00', 0.0, 0.0",
      "the quake \"1\" in PATH cannot be read: name is a blob, not text"
    ),
  ])
  func theErrorNamesAnUnreadableRow(_ row: String, _ message: String) throws {
    let database = try Database(path: self.path, lockTimeout: 0)
    try database.execute(
      """
      CREATE TABLE quakes (
        quake_id, magnitude REAL, time INTEGER, updated INTEGER, name, longitude REAL,
        latitude REAL);
      INSERT INTO quakes VALUES (\(row));
      PRAGMA application_id = 1365338981;
      PRAGMA user_version = 1;
      """)
    let advice = "; correct the row, or restore the database from a backup"
    check(.corrupt, message + advice) { _ = try self.quakes(self.open()) }
  }
}
