import Foundation
import ImmutableJSON
import StateEngine
import TestSupport
import Testing

@Suite struct LogMigrationTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.file("x.imd")
  }

  /// Version 1 has a number, and an action that version 2 no longer knows.
  private func openOld() throws -> AnyStore {
    try AnyStore(
      state: ["n": 0], options: ["log": .string(self.path), "history": true],
      reducer: Self.reduceOld)
  }

  private static let reduceOld: Log.Reducer = { state, action in
    guard case .integer(let number)? = state["n"] else { return state }
    return action["type"] == "add" ? ["n": .integer(number + 1)] : ["n": .integer(number + 100)]
  }

  /// Version 2 has a list of what was added.
  private static let reduceNew: Log.Reducer = { state, action in
    guard action["type"] == "added", case .array(let items)? = state["items"] else {
      throw EngineError(.reducerFailed, "unknown")
    }
    return ["items": .array(JSONArray(Array(items) + [action["payload"] ?? .null]))]
  }

  private static var migration: LogMigration {
    var migration = LogMigration(fromVersion: 1) { state in
      guard case .integer(let number)? = state["n"] else { return state }
      return ["items": .array(JSONArray((0..<number % 100).map { .integer($0) }))]
    } action: { action in
      action["type"] == "add" ? ["type": "added", "payload": "x"] : nil
    }
    migration.removes = ["n"]
    return migration
  }

  private func openNew() throws -> AnyStore {
    try AnyStore(
      state: ["items": []],
      options: ["log": ["path": .string(self.path), "version": 2], "history": true],
      reducer: Self.reduceNew)
  }

  private func migrate() throws {
    try Log.migrate(self.path, to: 2, [Self.migration], reducer: Self.reduceNew)
  }

  @Test func entriesAreMigrated() throws {
    let store = try self.openOld()
    for type in ["add", "jump", "add"] { try store.dispatch(["type": .string(type)]) }
    try store.dispatch(batch: [["type": "jump"], ["type": "add"]])
    try store.undo()
    store.close()
    try self.migrate()
    let new = try self.openNew()
    #expect(try new.state() == ["items": ["x", "x"]])
    #expect(try new.redo() == 1)
    #expect(try new.state() == ["items": ["x", "x", "x"]])
    try new.dispatch(["type": "added", "payload": 7])
    new.close()
    try self.migrate()
    #expect(try self.openNew().state() == ["items": ["x", "x", "x", 7]])
    #expect(try Log.verify(self.path)["last"] == 8)
  }

  @Test func theHistoryOfTheBaseIsMigrated() throws {
    let store = try self.openOld()
    for type in ["add", "jump", "add"] { try store.dispatch(["type": .string(type)]) }
    store.close()
    try Log.compact(self.path, ["keep": ["entries": 0]], reducer: Self.reduceOld)
    try self.migrate()
    let new = try self.openNew()
    #expect(try new.state() == ["items": [0, 1]])
    #expect(try new.undo() == 1)
    #expect(try new.state() == ["items": [0]])
    #expect(try new.undo(9) == 1)
    #expect(try new.state() == ["items": []])
  }

  /// The last step is open: the next action may join it.
  @Test func theOpenStepOfTheBaseIsMigrated() throws {
    let history: Value = ["group": ["within": 3_600_000]]
    let store = try AnyStore(
      state: ["n": 0], options: ["log": .string(self.path), "history": history],
      reducer: Self.reduceOld)
    for type in ["jump", "add", "add"] { try store.dispatch(["type": .string(type)]) }
    store.close()
    try Log.compact(self.path, ["keep": ["entries": 0]], reducer: Self.reduceOld)
    try self.migrate()
    let new = try AnyStore(
      state: ["items": []],
      options: ["log": ["path": .string(self.path), "version": 2], "history": history],
      reducer: Self.reduceNew)
    #expect(try new.state() == ["items": [0, 1]])
    #expect(try new.undo() == 1)
    #expect(try new.state() == ["items": []])
    #expect(try new.redo() == 1)
    #expect(try new.state() == ["items": [0, 1]])
  }

  @Test func aLogThatCannotBeMigratedStays() throws {
    let store = try self.openOld()
    try store.dispatch(["type": "add"])
    store.close()
    let content = content(of: self.path)
    for (version, migrations, code) in [
      (3, [Self.migration], EngineError.Code.invalidArgument),
      (2, [Self.migration, Self.migration], .invalidArgument),
      (2, [], .invalidArgument),
      (2, [LogMigration(fromVersion: 1) { $0 }], .reducerFailed),
      (2, [LogMigration(fromVersion: 1) { _ in throw EngineError(.limit, "no") }], .limit),
    ] {
      let error = #expect(throws: EngineError.self) {
        try Log.migrate(self.path, to: version, migrations, reducer: Self.reduceNew)
      }
      #expect(error?.code == code)
      #expect(TestSupport.content(of: self.path) == content)
    }
    var silent = Self.migration
    silent.removes = []
    let loss = #expect(throws: EngineError.self) {
      try Log.migrate(self.path, to: 2, [silent], reducer: Self.reduceNew)
    }
    #expect(
      loss?.message == #"after its migration, the state of the log "\#(self.path)" has no member "#
        + #""n"; return it too, or name it in the option "removes" of the migration"#)
    let other = #expect(throws: EngineError.self) {
      try Log.migrate(
        self.path, to: 2, [Self.migration], application: "another", reducer: Self.reduceNew)
    }
    #expect(other?.code == .invalidArgument)
    #expect(self.folder.names == ["x.imd"])
    #expect(throws: EngineError.self) { try self.openNew() }
    try self.migrate()
    let error = #expect(throws: EngineError.self) {
      try Log.migrate(self.path, to: 1, [])
    }
    #expect(error?.code == .invalidArgument)
    #expect(self.folder.names == ["x.imd", "x.imd-v1"])
    #expect(TestSupport.content(of: self.path + "-v1") == content)
  }

  @Test func theFileOfEachVersionIsKept() throws {
    try self.openOld().close()
    for name in ["x.imd-v1", "x.imd-v1-2"] {
      try self.migrate()
      #expect(self.folder.names.contains(name))
      try FileManager.default.removeItem(atPath: self.path)
      try self.openOld().close()
    }
  }
}
