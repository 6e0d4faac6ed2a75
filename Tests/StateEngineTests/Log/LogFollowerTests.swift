import ImmutableJSON
import StateEngine
import StateLog
import TestSupport
import Testing
import Glibc

/// What wakes a follower is its watch: its timer never fires here.
@Suite struct LogFollowerTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.file("x.imd")
  }

  func open(
    isReadOnly: Bool = false, _ change: (inout LogSystem) -> Void = { _ in }
  ) throws -> AnyStore {
    var system = LogSystem()
    system.watchTimeout = .max
    change(&system)
    let log: Value = ["path": .string(self.path), "readOnly": .bool(isReadOnly)]
    return try AnyStore(state: 0, options: ["log": log], logSystem: system) { state, action in
      try Self.reduce(state, action)
    }
  }

  private static func reduce(_ state: Value, _ action: Value) throws -> Value {
    guard action["type"] == "set", let next = action["payload"] else { return state }
    return next
  }

  func set(_ number: Int64, in store: AnyStore) throws {
    try store.dispatch(["type": "set", "payload": .integer(number)])
  }

  func observe(_ store: AnyStore) throws -> DeliveryRecorder {
    let recorder = DeliveryRecorder()
    try store.observe(expression: "@", to: recorder)
    return recorder
  }

  private func watch(of store: AnyStore) throws -> Value? {
    try store.statistics()["log"]?["watch"]
  }

  @Test func aWriteWakesAllFollowers() throws {
    let writer = try self.open()
    let readers = [try self.open(isReadOnly: true), try self.open(isReadOnly: true)]
    let recorders = try readers.map { try self.observe($0) }
    for number in 1...50 {
      try self.set(Int64(number), in: writer)
      for recorder in recorders { recorder.wait(for: number + 1) }
    }
    #expect(recorders.allSatisfy { $0.texts == (0...50).map { String($0) } })
    #expect(try self.watch(of: readers[0]) == "inotify")
    #expect(try self.watch(of: writer) == nil)
    readers[0].close()
    try self.set(51, in: writer)
    recorders[1].wait(for: 52)
    #expect(recorders[0].all.count == 51)
  }

  @Test func afterTheFileWasReplacedTheNewOneIsWatched() throws {
    try self.open().close()
    let reader = try self.open(isReadOnly: true)
    let recorder = try self.observe(reader)
    for number in 1...5 {
      let writer = try self.open()
      try self.set(Int64(number), in: writer)
      recorder.wait(for: number + 1)
      writer.close()
      try Log.compact(self.path, ["keep": ["entries": 0]]) { try Self.reduce($0, $1) }
    }
    #expect(recorder.texts == (0...5).map { String($0) })
    #expect(try self.watch(of: reader) == "inotify")
  }

  @Test func aFileThatIsDeletedEndsTheFollower() throws {
    let writer = try self.open()
    let reader = try self.open(isReadOnly: true)
    let errors = Recorder<String>()
    try reader.setEffectErrorHandler { errors.append($0.message) }
    #expect(unlink(self.path) == 0)
    #expect(errors.first()?.contains("was deleted, moved or replaced") == true)
    withExtendedLifetime(writer) {}
  }

  @Test func withoutAWatchATimerWakesTheFollower() throws {
    let files = MemoryFiles()
    let writer = try self.open { $0.files = files }
    let reader = try self.open(isReadOnly: true) { $0.files = files }
    let recorder = try self.observe(reader)
    #expect(try self.watch(of: reader) == "timer")
    try self.set(1, in: writer)
    recorder.wait(for: 2)
    #expect(recorder.texts == ["0", "1"])
    reader.close()
    writer.close()
  }

  @Test func aFollowerWithoutAThreadHasNeither() throws {
    let writer = try self.open()
    let reader = try self.open(isReadOnly: true) { $0.hasThreads = false }
    #expect(try self.watch(of: reader) == nil)
    withExtendedLifetime(writer) {}
  }
}
