import ImmutableJSON
@testable import StateEngine
import StateLog
import Synchronization
import TestSupport
import Testing

/// What a store of a shared log reads, while others write, fail and end.
@Suite struct SharedLogReadingTests {
  let files = MemoryFiles()
  static let path = "/x.imd"

  /// A list, to which actions append.
  private func open(rejecting rejected: Value = .null, isReadOnly: Bool = false) throws -> AnyStore
  {
    var system = LogSystem()
    (system.files, system.hasThreads) = (self.files, false)
    let log: Value = ["path": .string(Self.path), isReadOnly ? "readOnly" : "shared": true]
    return try AnyStore(state: [], options: ["log": log], logSystem: system) { state, action in
      guard case .array(let list) = state, let item = action["payload"], item != rejected else {
        throw EngineError(.reducerFailed, "it is rejected")
      }
      return .array(JSONArray(Array(list) + [item]))
    }
  }

  private func add(_ items: ClosedRange<Int>, to store: AnyStore) throws {
    for item in items {
      let padding = Value.string(String(repeating: "-", count: 100))
      try store.dispatch(["type": "added", "payload": .integer(Int64(item)), "meta": padding])
    }
  }

  private func lines() throws -> [Value] {
    try String(decoding: self.files.content(of: Self.path) ?? [], as: UTF8.self)
      .split(separator: "\n").map { try Value(json: String($0)) }
  }

  private static func list(_ items: ClosedRange<Int>) -> Value {
    .array(JSONArray(items.map { .integer(Int64($0)) }))
  }

  // MARK: Snapshots

  @Test func aSnapshotAtTheEndHasTheNumbersOfTheWriters() throws {
    let a = try self.open()
    try self.add(1...40, to: a)
    #expect(a.close() == nil)
    #expect(self.files.content(of: Self.path + "-snapshot") != nil)
    let b = try self.open()
    try self.add(41...41, to: b)
    #expect(try self.lines().filter { $0["opened"] != nil }.map { $0["writer"] } == [1, 2])
  }

  @Test func afterASnapshotTheTimeIsNotSetBack() throws {
    self.files.setTime(2_000_000_000_000)
    let a = try self.open()
    self.files.setTime(1_900_000_000_000)
    try self.add(1...40, to: a)
    #expect(a.close() == nil)
    #expect(self.files.content(of: Self.path + "-snapshot") != nil)
    let b = try self.open()
    try self.add(41...41, to: b)
    let times = try self.lines().compactMap { $0["time"]?.integer }
    #expect(times == times.sorted() && times.count == 45)
  }

  /// It has repeated what precedes the entry that it rejects.
  @Test func aStoreThatHasStoppedWritesNoSnapshot() throws {
    let (a, b) = (try self.open(), try self.open(rejecting: 42))
    try self.add(1...40, to: a)
    try b.refresh()
    try self.add(41...42, to: a)
    #expect(throws: EngineError.self) { try b.refresh() }
    b.close()
    #expect(try self.open().state() == Self.list(1...42))
  }

  // MARK: Failures

  @Test func aStoreGoesOnAfterAReadThatFailed() throws {
    for failing in 1...4 {
      let (a, b) = (try self.open(), try self.open())
      try self.add(1...1, to: b)
      let lock = try self.files.open(Self.path + "-lock", .write)
      let isLocked = try lock.lock(byte: 0, isShared: false)
      #expect(isLocked)
      let counts = Mutex((reads: 0, locks: 0))
      self.files.setFault { call in
        counts.withLock { counts in
          if case .read(Self.path) = call {
            counts.reads += 1
            return counts.reads == failing ? MemoryFiles.Fault() : nil
          }
          guard case .lock = call else { return nil }
          counts.locks += 1
          if counts.locks == 2 { lock.unlock(byte: 0) }
          return nil
        }
      }
      let item = Value.integer(Int64(failing))
      #expect(throws: EngineError.self) { try a.dispatch(["type": "added", "payload": item]) }
      self.files.setFault(nil)
      lock.unlock(byte: 0)
      try self.add(2...2, to: a)
      try b.refresh()
      #expect(try a.state() == b.state())
      for store in [a, b] { #expect(store.close() == nil) }
    }
  }

  /// A store has read it in part, too. The rest of the line that is there now is no end of it.
  @Test func whatWasCutMeanwhileIsReadAnew() throws {
    let a = try self.open()
    try self.add(1...1, to: a)
    let content = try #require(self.files.content(of: Self.path))
    let part = Array(#"{"sum":"00000000","data":"00000000","#.utf8)
    self.files.setContent(of: Self.path, to: content + part)
    // Reads after the file of the snapshot was looked for: that of the base, with what follows, and
    // a second one.
    let reads = Mutex<Int?>(nil)
    self.files.setFault { [files] call in
      switch call {
      case .open(Self.path + "-snapshot", _): reads.withLock { $0 = 0 }
      case .read(Self.path):
        let count = reads.withLock { reads in
          reads = reads.map { $0 + 1 }
          return reads
        }
        if count == 2 { files.setContent(of: Self.path, to: content) }
      case .lock(Self.path + "-lock"):
        let isTurn = reads.withLock { reads in
          defer { reads = (reads ?? 0) >= 2 ? nil : reads }
          return (reads ?? 0) >= 2
        }
        if isTurn { try? a.dispatch(["type": "added", "payload": 2]) }
      default: break
      }
      return nil
    }
    let b = try self.open()
    self.files.setFault(nil)
    #expect(try b.state() == [1, 2])
    try self.add(3...3, to: a)
    #expect(try a.state() == [1, 2, 3])
  }

  /// All of a line but its line feed was there, and was cut. The line in its place is as long.
  @Test func aLineIsNotTheBeginningOfOneAndTheEndOfAnother() throws {
    let (a, b) = (try self.open(), try self.open())
    try self.add(1...1, to: a)
    let follower = try self.open(isReadOnly: true)
    try b.refresh()
    try self.add(2...2, to: a)
    let content = try #require(self.files.content(of: Self.path))
    self.files.setContent(of: Self.path, to: content.dropLast())
    let reads = Mutex(0)
    self.files.setFault { call in
      guard case .read(Self.path) = call else { return nil }
      let count = reads.withLock { reads in
        reads += 1
        return reads
      }
      // After that of the last line that it knows, and that of the part.
      if count == 3 { try? self.add(3...3, to: b) }
      return nil
    }
    try follower.refresh()
    self.files.setFault(nil)
    #expect(self.files.content(of: Self.path)?.count == content.count)
    try follower.refresh()
    #expect(try follower.state() == [1, 3])
  }
}
