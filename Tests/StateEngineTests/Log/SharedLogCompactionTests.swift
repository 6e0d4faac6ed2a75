import ImmutableData
import ImmutableJSON
@testable import StateEngine
import StateLog
import Synchronization
import TestSupport
import Testing
import Threading
import Glibc

/// A log that several stores have open is compacted by one of them.
@Suite struct SharedLogCompactionTests {
  private let files = MemoryFiles()

  private func open(
    keeping keep: Value = "all", author: String? = nil, isReadOnly: Bool = false,
    options: Value = [:]
  ) throws -> AnyStore {
    var system = LogSystem()
    (system.files, system.hasThreads) = (self.files, false)
    return try Self.open(
      "/x.imd", system, keeping: keep, author: author, isReadOnly: isReadOnly, options: options)
  }

  private static func open(
    _ path: String, _ system: LogSystem = LogSystem(), keeping keep: Value = "all",
    author: String? = nil, isReadOnly: Bool = false, options: Value = [:]
  ) throws -> AnyStore {
    var log: JSONObject = ["path": .string(path)]
    if isReadOnly {
      log["readOnly"] = true
    } else {
      (log["shared"], log["keep"]) = (true, keep)
      log["author"] = author.map(Value.string)
    }
    guard case .object(var options) = options else { throw EngineError(.invalidArgument, "") }
    options["log"] = .object(log)
    return try AnyStore(state: 0, options: .object(options), logSystem: system) { state, action in
      guard let number = state.integer, let added = action["payload"]?.integer else { return state }
      return .integer(number + added)
    }
  }

  private static let action: Value = ["type": "added", "payload": 1]

  private func statistics(_ name: String, of store: AnyStore) throws -> Int64 {
    try #require(try store.statistics()["log"]?[name]?.integer)
  }

  @Test func theFileStaysSmallAndEachStoreGoesOn() throws {
    let stores = try [
      self.open(keeping: ["entries": 1000], author: "a"),
      self.open(keeping: ["bytes": 150_000], author: "b"), self.open(author: "c"),
    ]
    let follower = try self.open(isReadOnly: true)
    let seen = DeliveryRecorder()
    try follower.observe(expression: "@", to: seen)
    var largest = 0
    for count in 1...6000 {
      let store = stores[count % 3]
      try store.dispatch(Self.action)
      largest = max(largest, self.files.content(of: "/x.imd")?.count ?? 0)
      if count % 100 == 0 { for store in stores { while store.logFile?.work() == true {} } }
      if count % 500 == 0 { try follower.refresh() }
    }
    #expect(largest < 600_000)
    let compactions = try stores.map { try self.statistics("compactions", of: $0) }
    #expect(compactions[0] + compactions[1] > 2 && compactions[2] == 0, "\(compactions)")
    for store in stores { try store.refresh() }
    try follower.refresh()
    #expect(try (stores + [follower]).map { try $0.state() } == [6000, 6000, 6000, 6000])
    let isWhole = seen.texts == (0...6000).map { String($0) }
    #expect(isWhole)
    #expect(try self.statistics("skippedCommits", of: follower) == 0)
    #expect(try self.statistics("firstEntry", of: stores[0]) > 1000)
    // The names of the stores stay.
    let text = String(decoding: self.files.content(of: "/x.imd") ?? [], as: UTF8.self)
    for name in ["a", "b", "c"] { #expect(text.contains("\"author\":\"\(name)\"")) }
    for store in stores { #expect(store.close() == nil) }
    #expect(self.files.paths == ["/x.imd", "/x.imd-lock", "/x.imd-snapshot"])
    #expect(try self.open().state() == 6000)
  }

  @Test func aStoreThatWasStoppedAcrossTwoCompactionsGoesToTheLaterState() throws {
    let options: Value = ["history": true]
    let a = try self.open(options: options)
    let b = try self.open(options: options)
    let seen = DeliveryRecorder()
    try b.observe(expression: "@", to: seen)
    for _ in 0..<2 {
      for _ in 0..<3 { try a.dispatch(Self.action) }
      #expect(try a.compactLog(keeping: ["entries": 0]))
    }
    try b.dispatch(Self.action)
    // It had the old file open, which has the first three.
    #expect(seen.texts == ["0", "1", "2", "3", "6", "7"])
    #expect(try self.statistics("skippedCommits", of: b) == 3)
    #expect(try b.undo(2) == 2)
    try a.refresh()
    #expect(try a.state() == 5)
    #expect(try a.history() == b.history())
  }

  @Test func groupsAndMarksOfEachWriterStay() throws {
    let options: Value = ["history": true]
    let a = try self.open(options: options)
    let b = try self.open(options: options)
    try a.beginGroup()
    try a.dispatch(Self.action)
    try b.refresh()
    try b.markClean()
    for keep in [["entries": 0], ["entries": 1], "all"] as [Value] {
      // Only the first time something has to be done.
      #expect(try b.compactLog(keeping: keep) == (keep == ["entries": 0]))
      try a.refresh()
    }
    try a.dispatch(Self.action)
    try a.endGroup()
    try b.refresh()
    #expect(try b.select("@@history")["clean"] == false)
    #expect(try a.undo() == 1)
    try b.refresh()
    #expect(try b.state() == 0)
    #expect(try self.open(options: options).history() == a.history())
  }

  @Test func optimisticUpdatesOfAnotherStoreDelayIt() throws {
    let options: Value = ["optimistic": true]
    let a = try self.open(options: options)
    let b = try self.open(options: options)
    try a.dispatch(["type": "added", "payload": 1, "meta": ["optimistic": ["begin": "k"]]])
    let message = "optimistic updates are in flight; try again when they have ended"
    #expect(throws: EngineError(.invalidArgument, message)) {
      try b.compactLog(keeping: ["entries": 0])
    }
    try a.dispatch(["type": "added", "payload": 1, "meta": ["optimistic": ["succeed": "k"]]])
    #expect(try b.compactLog(keeping: ["entries": 0]))
    #expect(try b.state() == 2)
  }

  @Test func aForkThatTakesThePlaceOfTheFileIsRefused() throws {
    let a = try self.open()
    try a.dispatch(Self.action)
    let copy = self.files.content(of: "/x.imd")
    try a.dispatch(Self.action)
    try self.files.rename("/x.imd", to: "/y.imd")
    self.files.setContent(of: "/x.imd", to: copy)
    let b = try self.open()
    for _ in 0..<3 { try b.dispatch(Self.action) }
    let message =
      "the log \"/x.imd\" was replaced by one with other entries; open the store again"
    #expect(throws: EngineError(.corrupt, message)) { try a.dispatch(Self.action) }
    #expect(try a.state() == 2)
  }

  @Test func aCompactionThatChangesNothingWritesNothing() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x.imd")
    let store = try Self.open(path)
    for _ in 0..<10 { try store.dispatch(Self.action) }
    func compact() throws -> Bool {
      try Log.compact(path, ["keep": ["entries": 5]]) { state, action in
        .integer((state.integer ?? 0) + (action["payload"]?.integer ?? 0))
      }
    }
    #expect(try compact())
    let content = TestSupport.content(of: path)
    #expect(try !compact())
    #expect(TestSupport.content(of: path) == content)
    try store.dispatch(Self.action)
    #expect(try store.replay()["difference"] == .null)
  }

  /// A snapshot that waits for the disk ends when another store replaces the file.
  @Test func replaysGoOnBesideCompactions() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x.imd")
    let store = try Self.open(path)
    let other = try Self.open(path)
    let failures = Recorder<String>()
    let isDone = Atomic(false)
    let compactor = Thread.start {
      while !isDone.load(ordering: .relaxed) {
        do { _ = try other.compactLog(keeping: ["entries": 3]) } catch {
          failures.append("\(error)")
        }
      }
    }
    let dispatcher = Thread.start {
      for _ in 0..<3000 {
        do { try store.dispatch(Self.action) } catch { failures.append("\(error)") }
      }
    }
    for _ in 0..<20 { #expect(try store.replay()["difference"] == .null) }
    dispatcher?.join()
    isDone.store(true, ordering: .relaxed)
    compactor?.join()
    #expect(failures.all == [])
    #expect(try store.state() == 3000)
  }

  /// What the stores have is not read again while others wait: they do not notice its damage.
  @Test func onlyTheEndIsReadAnew() throws {
    let a = try self.open()
    let b = try self.open()
    for _ in 0..<4000 { try a.dispatch(Self.action) }
    try b.refresh()
    let isFirst = Atomic(true)
    self.files.setFault { call in
      if case .write("/x.imd-new", _) = call, isFirst.exchange(false, ordering: .relaxed) {
        _ = try? b.dispatch(Self.action)
      }
      return nil
    }
    #expect(try a.compactLog(keeping: ["entries": 3000]))
    var content = try #require(self.files.content(of: "/x.imd"))
    #expect(content.count > 400_000)
    content[content.count - 300_000] ^= 1
    self.files.setContent(of: "/x.imd", to: content)
    for _ in 0..<3 {
      try a.dispatch(Self.action)
      try b.dispatch(Self.action)
    }
    #expect(try b.state() == 4007)
    #expect(throws: EngineError.self) { try self.open() }
  }

  @Test func aStoreThatIsFarBehindReadsAllOfTheNewFile() throws {
    let a = try self.open()
    let b = try self.open()
    for _ in 0..<10 { try a.dispatch(Self.action) }
    try b.refresh()
    #expect(try a.compactLog(keeping: ["entries": 5]))
    for _ in 0..<3000 { try a.dispatch(Self.action) }
    let size = try #require(self.files.content(of: "/x.imd")).count
    #expect(size > 300_000)
    try b.dispatch(Self.action)
    #expect(try b.state() == 3011)
    #expect(try self.statistics("skippedCommits", of: b) == 0)
  }

  /// A log of which another store is written anew is not compacted by a second one.
  @Test func oneStoreCompacts() throws {
    let a = try self.open(keeping: ["entries": 10])
    let file = try self.files.open("/x.imd-lock", .write)
    #expect(try file.lock(byte: 2, isShared: false))
    for _ in 0..<2000 { try a.dispatch(Self.action) }
    while a.logFile?.work() == true {}
    #expect(try self.statistics("compactions", of: a) == 0)
    #expect(try a.statistics()["log"]?["compactionProblem"] == .null)
    file.unlock(byte: 2)
    for _ in 0..<1000 { try a.dispatch(Self.action) }
    while a.logFile?.work() == true {}
    #expect(try self.statistics("compactions", of: a) == 1)
  }

  /// Processes would do the same: stores have descriptors of their own.
  @Test func threadsLoseNothing() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x.imd")
    let stores = try (0..<3).map { _ in try Self.open(path, keeping: ["entries": 100]) }
    let follower = try Self.open(path, isReadOnly: true)
    let failures = Recorder<String>()
    let threads = stores.map { store in
      Thread.start {
        for _ in 0..<1500 {
          do { try store.dispatch(Self.action) } catch { failures.append("\(error)") }
        }
      }
    }
    for thread in threads { thread?.join() }
    #expect(failures.all == [])
    var count: Int64 = 4500
    func compactions() throws -> Int64 {
      try stores.map { try self.statistics("compactions", of: $0) }.reduce(0, +)
    }
    while try compactions() == 0 {
      try stores[0].dispatch(Self.action)
      count += 1
    }
    for store in stores + [follower] {
      try store.refresh()
      #expect(try store.state() == .integer(count))
    }
    for store in stores { #expect(store.close() == nil) }
    #expect(try Log.verify(path)["last"] == .integer(count))
    #expect(try Self.open(path).state() == .integer(count))
  }

  @Test func aFileThatIsOpenIsCompactedByName() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x.imd")
    let store = try Self.open(path)
    for _ in 0..<100 { try store.dispatch(Self.action) }
    let isDone = try Log.compact(path, ["keep": ["entries": 5]]) { state, action in
      .integer((state.integer ?? 0) + (action["payload"]?.integer ?? 0))
    }
    #expect(isDone)
    #expect(try Log.verify(path)["first"] == 96)
    try store.dispatch(Self.action)
    #expect(try store.state() == 101)
    #expect(try Log.verify(path)["last"] == 101)
  }
}
