import AnimalsData
import ImmutableJSON
import StateEngine
import TestSupport
import Testing
import Threading

/// Backups of stores while they are in use.
@Suite struct BackupTests {
  private let folder: TemporaryFolder
  private let copy: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.copy = self.folder.file("copy")
  }

  private func open(_ path: String?) throws(EngineError) -> AnyStore {
    let options: JSONObject = path.map { ["store": .string($0)] } ?? [:]
    return try AnyStore(AnimalsDomain.self, options: .object(options))
  }

  private func add(_ name: String, to store: AnyStore) throws(EngineError) {
    try store.dispatch([
      "type": "ui/animalEditor/onTapAddAnimalButton",
      "payload": [
        "id": .string(name), "name": .string(name), "diet": "Carnivore", "categoryId": "Bird",
      ],
    ])
  }

  /// The names of the animals in a database, in order.
  private func names(in path: String) throws -> [String] {
    let store = try self.open(path)
    defer { store.close() }
    try store.dispatch(["type": "ui/animalList/onAppear"])
    try store.settle()
    guard case .array(let names) = try store.query("sort(animals.data.*.name)") else {
      Issue.record("the names are not an array")
      return []
    }
    return names.compactMap { if case .string(let name) = $0 { name } else { nil } }
  }

  private func check(
    _ store: AnyStore, _ path: String, _ code: EngineError.Code, _ message: String,
    at location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: EngineError.self, sourceLocation: location) {
      try store.backup(to: path)
    }
    #expect(error?.code == code, sourceLocation: location)
    #expect(error?.message == message, sourceLocation: location)
  }

  @Test(arguments: [true, false])
  func aCopyHasTheAnimals(_ isInMemory: Bool) throws {
    let store = try self.open(isInMemory ? nil : self.folder.file("animals"))
    defer { store.close() }
    try self.add("Eagle", to: store)
    try store.settle()
    try store.backup(to: self.copy)
    try self.add("Falcon", to: store)
    try store.settle()
    let names = try self.names(in: self.copy)
    #expect(names.contains("Eagle"))
    #expect(!names.contains("Falcon"))
  }

  @Test func anObserverMayMakeABackup() throws {
    let store = try self.open(nil)
    defer { store.close() }
    let copy = self.copy
    let failures = Mutex<[EngineError]>([])
    try store.observe("selectCategoriesStatus", [:], .init(["initial": false])) { _ in
      do throws(EngineError) {
        try store.backup(to: copy)
      } catch {
        failures.withLock { $0.append(error) }
      }
    }
    try store.dispatch(["type": "ui/categoryList/onAppear"])
    try store.settle()
    // The status changed twice: when the fetch began, and when it succeeded.
    #expect(
      failures.withLock { $0.map(\.message) }
        == ["\"\(self.copy)\" already exists; remove it, or choose another path"])
    #expect(try !self.names(in: self.copy).isEmpty)
  }

  @Test func aReducerMayNotMakeABackup() throws {
    let own = Mutex<AnyStore?>(nil)
    let copy = self.copy
    let store = try AnyStore(state: 0) { state, _ in
      try own.withLock { $0 }?.backup(to: copy)
      return state
    }
    own.withLock { $0 = store }
    let error = #expect(throws: EngineError.self) { try store.dispatch(["type": "any"]) }
    #expect(error?.code == .reentrant)
    own.withLock { $0 = nil }
  }

  @Test func storesWithoutADatabase() throws {
    let message = "the store has no database to back up; save its state instead"
    let remote = try AnyStore(AnimalsDomain.self, options: ["remote": "http://127.0.0.1:1"])
    for store in [remote, try AnyStore(state: 0) { state, _ in state }] {
      self.check(store, self.copy, .invalidArgument, message)
      store.close()
    }
  }

  @Test func invalidPaths() throws {
    let store = try self.open(self.folder.file("animals"))
    defer { store.close() }
    let invalid = "a path cannot be empty or contain U+0000"
    self.check(store, "", .invalidArgument, invalid)
    self.check(store, "\(self.copy)\0a", .invalidArgument, invalid)
    let folder = self.folder.path
    let exists = "already exists; remove it, or choose another path"
    self.check(store, folder, .invalidArgument, "\"\(folder)\" \(exists)")
    let own = self.folder.file("animals")
    self.check(store, own, .invalidArgument, "\"\(own)\" \(exists)")
    let missing = self.folder.file("no")
    self.check(
      store, "\(missing)/copy", .io,
      "cannot create \"\(missing)/copy\": the directory \"\(missing)\" does not exist")
    let long = self.folder.file(String(repeating: "n", count: 300))
    let shown = "\(long.prefix(34))…\(long.suffix(34))"
    self.check(store, long, .io, "cannot create \"\(shown)\": File name too long")
  }

  @Test func aClosedStore() throws {
    let store = try self.open(nil)
    store.close()
    self.check(store, self.copy, .closed, "the store was closed; open another one")
  }

  /// The animals in a copy are the first of those that are added, without gaps.
  @Test(arguments: [true, false])
  func anotherThreadAddsAnimals(_ isInMemory: Bool) async throws {
    let store = try self.open(isInMemory ? nil : self.folder.file("animals"))
    defer { store.close() }
    let added = (100..<150).map { "animal \($0)" }
    try await withThrowingTaskGroup { group in
      group.addTask {
        for name in added { try self.add(name, to: store) }
      }
      group.addTask {
        for index in 0..<5 { try store.backup(to: "\(self.copy)\(index)") }
      }
      try await group.waitForAll()
    }
    for index in 0..<5 {
      let copied = try self.names(in: "\(self.copy)\(index)").filter { $0.hasPrefix("animal ") }
      #expect(copied == Array(added.prefix(copied.count)))
    }
  }
}
