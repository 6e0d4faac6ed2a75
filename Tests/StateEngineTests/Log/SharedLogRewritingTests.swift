import ImmutableData
import ImmutableJSON
@testable import StateEngine
import StateLog
import TestSupport
import Testing
import Glibc

/// A file that several stores have written is written anew while none has it open.
@Suite struct SharedLogRewritingTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.file("x.imd")
  }

  /// A log of integers, whose state is the list of them.
  private func open(
    _ member: String? = "shared", _ options: Value = ["history": true], version: Int64 = 1,
    hasThreads: Bool = true
  ) throws -> AnyStore {
    var system = LogSystem()
    system.hasThreads = hasThreads
    guard case .object(var options) = options else { throw EngineError(.invalidArgument, "") }
    var log: JSONObject = ["path": .string(self.path), "version": .integer(version)]
    if let member { log[member] = true }
    options["log"] = .object(log)
    return try AnyStore(state: [], options: .object(options), logSystem: system) {
      try Self.reduce($0, $1)
    }
  }

  private static func reduce(_ state: Value, _ action: Value) throws -> Value {
    guard case .array(let list) = state, let item = action["payload"] else { return state }
    return .array(JSONArray(Array(list) + [item]))
  }

  private func add(_ items: Int64..., to store: AnyStore) throws {
    for item in items { try store.dispatch(["type": "added", "payload": .integer(item)]) }
  }

  private func compact(_ options: Value = [:]) throws -> Bool {
    try Log.compact(self.path, options, reducer: { try Self.reduce($0, $1) })
  }

  private func entries() throws -> [Value] {
    guard case .array(let entries)? = try Log.entries(self.path)["entries"] else { return [] }
    return Array(entries)
  }

  /// The base of the file: its second line.
  private func base() throws -> Value {
    let scan = try LogScan(self.path)
    while let line = try scan.next() {
      if line.kind == .base { return try line.value() }
    }
    return .null
  }

  /// Three writers: the second has added 2 and undone it, and the third has left a group open.
  private func write() throws {
    let a = try self.open()
    try self.add(1, to: a)
    let b = try self.open()
    try self.add(2, to: b)
    let c = try self.open()
    try self.add(3, to: c)
    #expect(try b.undo() == 1)
    try c.beginGroup()
    try self.add(4, 5, to: c)
    for store in [a, b, c] { store.close() }
  }

  // MARK: What survives

  @Test func theWritersSurvive() throws {
    try self.write()
    let before = try self.entries()
    #expect(try self.compact())
    #expect(try self.entries() == before)
    #expect(try Log.verify(self.path)["base"] == 6)
    #expect(try self.base()["writers"] == 3)
    #expect(try self.base()["history"]?["savepoints"] == nil)
    #expect(try LogFile.header(self.path)?.isShared == true)

    let (d, e) = (try self.open(), try self.open())
    #expect(try d.state() == [1, 2, 4, 5])
    try self.add(6, to: e)
    #expect(try self.entries().last?["writer"] == 5)
    #expect(try d.undo() == 1)
    #expect(try d.undo(9) == 3)
    #expect(try d.state() == [])
    try e.refresh()
    #expect(try e.history() == d.history())
    #expect(try e.replay()["difference"] == .null)
  }

  @Test func numbersOfWritersWhoseLinesAreGoneAreNotUsedAgain() throws {
    try self.write()
    #expect(try self.compact(["keep": ["entries": 0]]))
    #expect(try self.entries().allSatisfy { $0["actions"] == nil })
    for number: Int64 in 4...5 {
      let store = try self.open()
      try self.add(number, to: store)
      #expect(try self.entries().last?["writer"] == .integer(number))
      store.close()
      #expect(try self.compact(["keep": ["entries": 0]]))
    }
  }

  @Test func aSnapshotIsNotNeeded() throws {
    let options: Value = [:]
    let store = try self.open("shared", options)
    for _ in 0..<200 { try self.add(1, to: store) }
    store.close()
    #expect(try Log.verify(self.path)["snapshot"] == 200)
    #expect(try self.compact())
    #expect(try Log.verify(self.path)["snapshot"] == .null)
    #expect(
      try self.open("shared", options).state() == .array(JSONArray(Array(repeating: 1, count: 200)))
    )
  }

  @Test func aFollowerGoesOn() throws {
    try self.write()
    let follower = try self.open("readOnly")
    #expect(try self.compact(["keep": ["entries": 1]]))
    try follower.refresh()
    let store = try self.open()
    try self.add(6, to: store)
    try follower.refresh()
    #expect(try follower.state() == store.state())
    #expect(try follower.history() == store.history())
  }

  @Test func aFollowerGoesOnFromALaterBase() throws {
    var store = try self.open()
    try self.add(1, to: store)
    // It reads only when it is refreshed.
    let follower = try self.open("readOnly", hasThreads: false)
    try self.add(2, 3, to: store)
    #expect(try store.undo() == 1)
    store.close()
    #expect(try self.compact(["keep": ["entries": 0]]))
    try follower.refresh()
    #expect(try follower.state() == [1, 2])
    store = try self.open()
    #expect(try store.undo() == 1)
    try self.add(4, to: store)
    try follower.refresh()
    #expect(try follower.state() == [1, 4])
    #expect(try follower.history()["undo"] == store.history()["undo"])
  }

  @Test func whatMustBeForgottenIsRedacted() throws {
    try self.write()
    let count = try Log.redact(self.path, reducer: { try Self.reduce($0, $1) }) { entry in
      entry["actions"]?.firstElement?["payload"] == 2
    }
    #expect(count == 1)
    #expect(try self.entries().contains { $0["actions"] == "redacted" && $0["writer"] == 2 })
    let store = try self.open()
    #expect(try store.state() == [1, 2, 4, 5])
    #expect(try store.undo() == 0)
    try self.add(6, to: store)
    #expect(try store.undo() == 1)
    #expect(try self.entries().last?["writer"] == 4)
  }

  private static func tenTimes(_ number: Value?) -> Value {
    .integer(10 * (number?.integer ?? 0))
  }

  @Test(arguments: [false, true]) func itIsMigrated(isCompacted: Bool) throws {
    try self.write()
    if isCompacted { #expect(try self.compact()) }
    let migration = LogMigration(fromVersion: 1) { state in
      guard case .array(let list) = state else { return state }
      return .array(JSONArray(list.map(Self.tenTimes)))
    } action: { action in
      ["type": "added", "payload": Self.tenTimes(action["payload"])]
    }
    try Log.migrate(self.path, to: 2, [migration], reducer: { try Self.reduce($0, $1) })
    let (a, b) = (try self.open(version: 2), try self.open(version: 2))
    #expect(try a.state() == [10, 20, 40, 50])
    try self.add(60, to: b)
    #expect(try self.entries().last?["writer"] == 5)
    #expect(try a.undo(9) >= 3)
    #expect(try a.state() == [])
    try b.refresh()
    #expect(try b.history() == a.history())
  }

  // MARK: Conversion

  @Test func aFileOfOneWriterBecomesAShared() throws {
    var store = try self.open(nil, [:])
    try self.add(1, to: store)
    store.close()
    // The first line of the file does not have these options.
    store = try self.open(nil)
    try self.add(2, to: store)
    try store.beginGroup()
    store.close()
    #expect(try self.compact(["shared": true]))
    #expect(try !self.compact(["shared": true]))
    let header = try #require(try LogFile.header(self.path))
    #expect(header.isShared)
    #expect(header.options == ["history": true])
    #expect(try self.entries().map { $0["options"] != nil } == [false, true, false])

    let (a, b) = (try self.open(), try self.open())
    try self.add(3, to: b)
    #expect(try a.undo(9) == 2)
    #expect(try a.state() == [1])
    try b.refresh()
    #expect(try b.history() == a.history())
    #expect(try b.replay()["difference"] == .null)
    #expect(try self.entries().last?["writer"] == 1)
  }

  @Test func aSharedFileBecomesOneOfOneWriter() throws {
    try self.write()
    #expect(try self.compact(["shared": false]))
    #expect(try !self.compact(["shared": false]))
    #expect(try LogFile.header(self.path)?.isShared == false)
    #expect(try self.base()["writers"] == nil)
    #expect(try self.base()["history"]?["writers"] == nil)
    #expect(try self.entries().allSatisfy { $0["writer"] == nil && $0["opened"] == nil })

    let store = try self.open(nil)
    #expect(try store.state() == [1, 2, 4, 5])
    #expect(throws: EngineError.self) { try self.open(nil) }
    try self.add(6, to: store)
    #expect(try store.undo(9) == 4)
    #expect(try store.state() == [])
    #expect(try store.replay()["difference"] == .null)
    store.close()

    #expect(try self.compact(["shared": true]))
    #expect(try self.open().redo(9) == 4)
  }

  @Test(arguments: [false, true]) func aFollowerOfTheOtherKindStops(isShared: Bool) throws {
    try self.write()
    if !isShared { #expect(try self.compact(["shared": false])) }
    let follower = try self.open("readOnly")
    #expect(try self.compact(["shared": .bool(!isShared)]))
    let message =
      "the log \"\(self.path)\" was replaced by one that is \(isShared ? "not " : "")shared; open "
      + "the store again"
    #expect(throws: EngineError(.corrupt, message)) { try follower.refresh() }
  }

  @Test func optimisticUpdatesOfEndedWritersAreRolledBack() throws {
    let store = try self.open("shared", ["optimistic": true])
    try self.add(1, to: store)
    try store.dispatch([
      "type": "added", "payload": 2, "meta": ["optimistic": ["begin": "k"]],
    ])
    try self.add(3, to: store)
    #expect(store.close() == nil)
    #expect(try self.compact())
    #expect(try self.base()["state"] == [1, 3])
    #expect(try self.compact(["shared": false]))
    #expect(try self.open(nil, ["optimistic": true]).state() == [1, 3])
    #expect(try self.compact(["shared": true]))
    #expect(try self.open("shared", ["optimistic": true]).state() == [1, 3])
  }

  // MARK: Alone

  @Test func whileAStoreHasTheFileOpenItStays() throws {
    let store = try self.open()
    try self.add(1, to: store)
    let content = TestSupport.content(of: self.path)
    let message =
      "cannot open \"\(self.path)\" alone: this process has it open already; close it first"
    #expect(throws: EngineError(.io, message)) { try self.compact(["shared": false]) }
    #expect(throws: EngineError(.io, message)) {
      try Log.redact(self.path, reducer: { try Self.reduce($0, $1) }) { _ in true }
    }
    #expect(throws: EngineError(.io, message)) {
      try Log.migrate(self.path, to: 2, [LogMigration(fromVersion: 1) { $0 }])
    }
    #expect(TestSupport.content(of: self.path) == content)
    try self.add(2, to: store)
    store.close()
    #expect(try self.compact())
    #expect(try !self.compact())
  }

  @Test func aDamagedFileIsRecovered() throws {
    try self.write()
    let written = try #require(content(of: self.path))
    let text = String(decoding: written, as: UTF8.self)
      .replacing("\"payload\":3", with: "\"payload\":7")
    try self.folder.write(text, to: "x.imd")
    #expect(throws: EngineError.self) { try self.open() }
    let log: Value = ["path": .string(self.path), "shared": true, "recover": "before damage"]
    let stores = try (0..<2).map { _ in
      try AnyStore(state: [], options: ["history": true, "log": log]) { try Self.reduce($0, $1) }
    }
    #expect(try stores[1].state() == [1, 2])
    #expect(TestSupport.content(of: self.path + "-damaged") == Array(text.utf8))
    try self.add(8, to: stores[0])
    try stores[1].refresh()
    #expect(try stores[1].state() == [1, 2, 8])
  }

  @Test func aFollowerKeepsNobodyFromIt() throws {
    try self.write()
    let follower = try self.open("readOnly")
    #expect(try self.compact())
    follower.close()
  }
}
