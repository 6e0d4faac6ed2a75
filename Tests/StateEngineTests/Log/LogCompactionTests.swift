import ImmutableJSON
@testable import StateEngine
import StateLog
import Synchronization
import TestSupport
import Testing
import Threading
import Glibc

/// A store whose log is compacted while it is open.
@Suite struct LogCompactionTests {
  private static func open(
    _ path: String, keeping keep: Value = "all", isReadOnly: Bool = false, _ options: Value = [:],
    _ system: LogSystem = LogSystem()
  ) throws -> AnyStore {
    var members: JSONObject = ["path": .string(path), "readOnly": .bool(isReadOnly)]
    if !isReadOnly { members["keep"] = keep }
    guard case .object(var all) = options else { throw EngineError(.invalidArgument, "") }
    all["log"] = .object(members)
    return try AnyStore(state: 0, options: .object(all), logSystem: system) { state, action in
      guard let number = state.integer, let added = action["payload"]?.integer else { return state }
      return .integer(number + added)
    }
  }

  private static let action: Value = ["type": "added", "payload": 1]

  private func number(_ name: String, of store: AnyStore) throws -> Int64 {
    try #require(try store.statistics()["log"]?[name]?.integer)
  }

  @Test(arguments: [["entries": 1000], ["bytes": 120_000]] as [Value])
  func aLogStaysSmallWhileItIsOpen(_ keep: Value) throws {
    let files = MemoryFiles()
    var system = LogSystem()
    (system.files, system.hasThreads) = (files, false)
    let store = try Self.open("/x.imd", keeping: keep, [:], system)
    let log = try #require(store.logFile)
    try store.dispatch(Self.action)
    let line = try self.number("bytes", of: store) / 3
    var largest: Int64 = 0
    for _ in 1..<6000 {
      try store.dispatch(Self.action)
      while log.work() {}
      largest = max(largest, Int64(log.position.end))
    }
    #expect(largest < 3 * 1000 * line)
    #expect(try self.number("compactions", of: store) > 3)
    #expect(store.close() == nil)
    #expect(files.paths.filter { $0.hasSuffix("-new") } == [])
    #expect(try Self.open("/x.imd", keeping: keep, [:], system).state() == 6000)
  }

  /// Threads dispatch, and a follower sees each commit, while the log is compacted.
  @Test func nothingIsLostOrSeenTwice() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x.imd")
    let history: Value = ["history": ["limit": 3]]
    let writer = try Self.open(path, keeping: ["entries": 100], history)
    let follower = try Self.open(path, isReadOnly: true, history)
    let seen = DeliveryRecorder()
    try follower.observe(expression: "@", to: seen)
    let failures = Recorder<String>()
    let threads = (0..<3).map { _ in
      Thread.start {
        for _ in 0..<1500 {
          do { try writer.dispatch(Self.action) } catch { failures.append("\(error)") }
        }
      }
    }
    for thread in threads { thread?.join() }
    var count: Int64 = 4500
    while try self.number("compactions", of: writer) == 0 {
      try writer.dispatch(Self.action)
      count += 1
    }
    try follower.refresh()
    #expect(failures.all == [])
    #expect(try writer.state() == .integer(count))
    #expect(try follower.state() == .integer(count))
    #expect(try self.number("bytes", of: follower) == self.number("bytes", of: writer))
    let numbers = seen.texts.compactMap { Int($0) }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    #expect(writer.close() == nil)
    follower.close()
    #expect(try Log.verify(path)["first"] != 1)
    let store = try Self.open(path, history)
    #expect(try store.state() == .integer(count))
    #expect(try store.undo(3) == 3)
  }

  /// The writer has a snapshot after the new base.
  @Test func aFollowerGetsEachCommitThatIsThere() throws {
    let files = MemoryFiles()
    var system = LogSystem()
    (system.files, system.hasThreads) = (files, false)
    let writer = try Self.open("/x.imd", keeping: ["entries": 1500], [:], system)
    let log = try #require(writer.logFile)
    try writer.dispatch(Self.action)
    let follower = try Self.open("/x.imd", isReadOnly: true, [:], system)
    let seen = DeliveryRecorder()
    try follower.observe(expression: "@", to: seen)
    var count = 1
    func dispatchUntil(_ name: String, is number: Int64) throws {
      while try self.number(name, of: writer) < number {
        try writer.dispatch(Self.action)
        count += 1
        if count % 50 == 0 { while log.work() {} }
      }
    }
    try dispatchUntil("compactions", is: 1)
    try dispatchUntil("snapshots", is: try self.number("snapshots", of: writer) + 1)
    #expect(try self.number("compactions", of: writer) == 1)
    try follower.refresh()
    let isWhole = seen.texts == (1...count).map { String($0) }
    #expect(isWhole)
  }

  /// The numbers of a page of entries.
  private static func numbers(_ page: Value) -> [Int64] {
    guard case .array(let entries)? = page["entries"] else { return [] }
    return entries.compactMap { $0["number"]?.integer }
  }

  @Test func pagesOfEntriesGoOnAfterACompaction() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x.imd")
    let store = try Self.open(path, ["history": true])
    try store.dispatch(Self.action)
    try store.beginGroup()
    try store.dispatch(Self.action)
    try store.dispatch(Self.action)
    try store.endGroup()
    var page = try Log.entries(path, ["count": 3])
    var numbers = Self.numbers(page)
    #expect(try store.compactLog(keeping: ["entries": 2]))
    try store.dispatch(Self.action)
    while let next = page["next"]?.string {
      page = try Log.entries(path, ["count": 1, "at": .string(next)])
      numbers += Self.numbers(page)
    }
    #expect(numbers == [1, 1] + Self.numbers(try Log.entries(path)))
  }

  @Test func optimisticUpdatesDelayACompaction() throws {
    let files = MemoryFiles()
    var system = LogSystem()
    (system.files, system.hasThreads) = (files, false)
    let store = try Self.open("/x.imd", keeping: ["entries": 10], ["optimistic": true], system)
    let log = try #require(store.logFile)
    try store.dispatch(["type": "added", "payload": 1, "meta": ["optimistic": ["begin": "a"]]])
    for _ in 0..<1000 { try store.dispatch(Self.action) }
    while log.work() {}
    #expect(try self.number("compactions", of: store) == 0)
    try store.dispatch(["type": "added", "payload": 1, "meta": ["optimistic": ["succeed": "a"]]])
    while log.work() {}
    #expect(try self.number("compactions", of: store) == 1)
    #expect(store.close() == nil)
    #expect(try Self.open("/x.imd", ["optimistic": true], system).state() == 1002)
  }
}
