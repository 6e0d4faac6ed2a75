import ImmutableData
import ImmutableJSON
@testable import StateEngine
import Synchronization
import TestSupport
import Testing
import Threading
import Glibc

/// Several stores write to one file, each as another process would.
@Suite struct SharedLogTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.file("x.imd")
  }

  /// A log of integers, whose state is the list of them.
  private func open(
    _ options: Value = [:], author: String? = nil, isReadOnly: Bool = false
  ) throws -> AnyStore {
    guard case .object(var options) = options else { throw EngineError(.invalidArgument, "") }
    var log: JSONObject = ["path": .string(self.path)]
    log[isReadOnly ? "readOnly" : "shared"] = true
    log["author"] = author.map(Value.string)
    options["log"] = .object(log)
    return try AnyStore(state: [], options: .object(options)) { state, action in
      guard case .array(let list) = state, let item = action["payload"] else {
        throw EngineError(.reducerFailed, "not a number")
      }
      if action["type"] == "cleared" { return [] }
      return .array(JSONArray(Array(list) + [item]))
    }
  }

  /// - Parameter item: What the reducer refuses.
  private func open(on files: MemoryFiles, failsOn item: Value? = nil) throws -> AnyStore {
    var system = LogSystem()
    (system.files, system.hasThreads) = (files, false)
    return try AnyStore(
      state: [], options: ["log": ["path": "/x.imd", "shared": true]], logSystem: system
    ) { state, action in
      guard case .array(let list) = state, let added = action["payload"] else { return state }
      guard added != item else { throw EngineError(.reducerFailed, "refused") }
      return .array(JSONArray(Array(list) + [added]))
    }
  }

  private static func add(_ item: Value) -> Value {
    ["type": "added", "payload": item]
  }

  private func entries() throws -> [Value] {
    guard case .array(let entries)? = try Log.entries(self.path)["entries"] else { return [] }
    return Array(entries)
  }

  // MARK: Turns

  @Test func eachDispatchIsReducedOnAllBefore() throws {
    let (a, b) = (try self.open(author: "ann"), try self.open())
    try a.dispatch(Self.add(1))
    try b.dispatch(Self.add(2))
    #expect(try b.state() == [1, 2])
    try a.dispatch(batch: [Self.add(3), Self.add(4)])
    #expect(try a.state() == [1, 2, 3, 4])
    #expect(a.close() == nil)
    #expect(b.close() == nil)
    let entries = try self.entries()
    #expect(entries.map { $0["writer"] } == [1, 2, 1, 2, 1])
    #expect(entries.map { $0["number"] } == [0, 0, 1, 2, 4])
    #expect(entries[0]["opened"]?["author"] == "ann")
    #expect(entries[1]["opened"]?["author"] == nil)
    #expect(try Log.verify(self.path)["last"] == 4)
    #expect(try self.open().state() == [1, 2, 3, 4])
    #expect(try self.open(isReadOnly: true).state() == [1, 2, 3, 4])
  }

  @Test func eachStoreHasItsSchema() throws {
    let (first, second): (Value, Value) = (
      ["actions": ["added": [:]]], ["actions": ["removed": [:]]]
    )
    let a = try self.open(["schema": first])
    let b = try self.open(["schema": second])
    let c = try self.open(["schema": second])
    let d = try self.open()
    let e = try self.open(["schema": first])
    try a.dispatch(Self.add(1))
    #expect(throws: EngineError.self) { try b.dispatch(Self.add(1)) }
    for store in [b, c, d, e] {
      try store.refresh()
      #expect(try store.state() == [1])
    }
    let schemas = try self.entries().prefix(5).map { $0["opened"]?["schema"] }
    #expect(schemas == [nil, second, nil, nil, first])
  }

  @Test func aRejectedActionIsNoEntry() throws {
    let (a, b) = (try self.open(), try self.open())
    try a.dispatch(Self.add(1))
    #expect(throws: EngineError.self) { try b.dispatch(["type": "added"]) }
    #expect(try b.state() == [1])
    try b.dispatch(Self.add(2))
    try a.refresh()
    #expect(try a.state() == [1, 2])
  }

  @Test func aStoreThatWaitsHearsOfCommits() throws {
    let (a, b) = (try self.open(), try self.open())
    let numbers = Recorder<Int>()
    let subscription = b.commits.subscribe(.observers) { commit, _ in numbers.append(commit.number)
    }
    try a.dispatch(Self.add(1))
    try a.dispatch(Self.add(2))
    numbers.wait(for: 2)
    #expect(numbers.all == [1, 2])
    subscription.cancel()
    let stream = try b.makeStream()
    try a.dispatch(Self.add(3))
    let next = try stream.next()
    guard case .element(let element) = next else {
      Issue.record("\(next)")
      return
    }
    #expect(try element.action == Self.add(3))
  }

  @Test func blameAndTraceNameTheWriter() throws {
    let (a, b) = (try self.open(["history": true]), try self.open(["history": true]))
    let lines = Recorder<Value>()
    try TraceRecorder().record(a) { lines.append($0) }
    try a.dispatch(Self.add(1))
    try b.dispatch(Self.add(2))
    try a.dispatch(Self.add(3))
    #expect(lines.all.filter { $0["trace"] == "action" }.map { $0["writer"] } == [1, 2, 1])
    let pointer = try JSONPointer("/1")
    for options in [[:], ["log": true]] as [Value] {
      guard case .array(let found) = try a.blame(pointer, options) else { continue }
      #expect(found.map { $0["writer"] } == [2])
    }
  }

  @Test func foreignCommitsStartNoEffects() throws {
    let (a, b) = (try self.open(), try self.open())
    let calls = Recorder<Value>()
    try b.setRule { action, _, _ in
      calls.append(action)
      return []
    }
    try a.dispatch(Self.add(1))
    try b.dispatch(Self.add(2))
    try b.settle()
    #expect(calls.all == [Self.add(2)])
  }

  @Test func threadsOfSeveralStoresLoseNothing() throws {
    let stores = try (0..<4).map { _ in try self.open() }
    let failures = Recorder<String>()
    let threads = stores.indices.map { index in
      Thread.start {
        for number in 0..<50 {
          do {
            try stores[index].dispatch(Self.add(.integer(Int64(1000 * index + number))))
          } catch {
            failures.append("\(error)")
          }
        }
      }
    }
    for thread in threads { thread?.join() }
    #expect(failures.all == [])
    var states: [Value] = []
    for store in stores {
      try store.refresh()
      states.append(try store.state())
      #expect(store.close() == nil)
    }
    guard case .array(let list) = states[0] else { return }
    let items = list.compactMap(\.integer)
    #expect(items.count == 200)
    // Each store's own actions are in its order.
    for index in stores.indices {
      #expect(items.filter { $0 / 1000 == index } == (0..<50).map { Int64(1000 * index + $0) })
    }
    #expect(states.allSatisfy { $0 == states[0] })
    #expect(try self.open().state() == states[0])
    #expect(try Log.verify(self.path)["entries"] == 200)
  }

  // MARK: Snapshots

  /// Stores that begin with a snapshot have the same steps and marks as one that repeats all.
  @Test func aSnapshotHasTheMarksOfAllWriters() throws {
    let options: Value = ["history": ["limit": 8]]
    let (a, b) = (try self.open(options), try self.open(options))
    try b.beginGroup()
    for number in 0..<300 {
      try a.dispatch(Self.add(.integer(Int64(number))))
      if number % 100 == 0 { try b.dispatch(Self.add(-1)) }
    }
    try a.dispatch(["type": "cleared", "payload": 0])
    try b.dispatch(Self.add(1))
    #expect(a.close() == nil)
    // It may not have heard of the last one.
    let number = try Log.verify(self.path)["snapshot"]?.integer
    #expect(number == 304 || number == 305)
    try b.dispatch(Self.add(2))
    let first = try self.open(options)
    #expect(unlink(self.path + "-snapshot") == 0)
    let second = try self.open(options)
    try b.dispatch(Self.add(3))
    try b.endGroup()
    for store in [first, second] {
      try store.refresh()
      #expect(try store.state() == [1, 2, 3])
    }
    #expect(try first.history() == second.history())
    #expect(try first.blame(JSONPointer("/0")) == second.blame(JSONPointer("/0")))
    #expect(try first.undo() == 1)
    try second.refresh()
    #expect(try second.state() == [])
    #expect(try first.history() == second.history())
    // The marks of the store that has ended are gone; the numbers go on.
    let opened = try self.entries().filter { $0["opened"] != nil }
    #expect(opened.map { $0["writer"] } == [1, 2, 3, 4])
    #expect(opened.map { $0["opened"]?["ended"] } == [nil, nil, [1], nil])
  }

  // MARK: Failures

  @Test func aFailedWriteChangesNothing() throws {
    let files = MemoryFiles()
    let (a, b) = (try self.open(on: files), try self.open(on: files))
    #expect(
      try b.select("@@log") == [
        "path": "/x.imd", "problem": .null, "readOnly": false, "writer": 2,
      ])
    try a.dispatch(Self.add(1))
    // A part of the line is written.
    files.setFault { call in
      if case .write("/x.imd", _) = call { MemoryFiles.Fault(ENOSPC, after: 10) } else { nil }
    }
    let problems = DeliveryRecorder()
    try b.observe("@@log") { problems.append($0) }
    #expect(throws: EngineError.self) { try b.dispatch(Self.add(2)) }
    #expect(try b.state() == [1])
    files.setFault(nil)
    try b.dispatch(Self.add(3))
    let found = problems.texts.map { (try? Value(json: $0))?["problem"]?.string }
    let full = "cannot write \"/x.imd\": the disk is full; free some space and try again"
    #expect(found == [nil, full, nil])
    try a.dispatch(Self.add(4))
    #expect(try a.state() == [1, 3, 4])
    #expect(a.close() == nil)
    #expect(b.close() == nil)
    #expect(try self.open(on: files).state() == [1, 3, 4])
  }

  /// The system may also have dropped what another store has written, and this one reads later.
  @Test func aFailedSyncLosesNothingOfOtherStores() throws {
    let files = MemoryFiles()
    let (a, b) = (try self.open(on: files), try self.open(on: files))
    try a.dispatch(Self.add(1))
    try b.dispatch(Self.add(2))
    files.setFault { call in call == .sync("/x.imd") ? MemoryFiles.Fault() : nil }
    #expect(throws: EngineError.self) { try a.sync() }
    files.setFault(nil)
    try a.sync()
    try a.refresh()
    try a.sync()
    files.cutPower()
    #expect(try self.open(on: files).state() == [1, 2])
    withExtendedLifetime(b) {}
  }

  @Test func anOutcomeWaitsUntilTheFileCanBeWritten() throws {
    let files = MemoryFiles()
    let a = try self.open(on: files)
    let failures = Recorder<String>()
    try a.setRule { action, _, _ in
      guard action["payload"] == 1 else { return [] }
      return try RequestedEffect.effects(from: [["effect": "echo", "success": "added"]])
    }
    try a.setEffect("echo") { effect in
      files.setFault { call in
        guard case .write("/x.imd", _) = call, failures.all.count < 2 else { return nil }
        failures.append("")
        return MemoryFiles.Fault(ENOSPC)
      }
      try? effect.resolve(2)
    }
    try a.dispatch(Self.add(1))
    try a.settle()
    #expect(failures.all.count == 2)
    #expect(try a.state() == [1, 2])
  }

  @Test(arguments: [true, false])
  func aFileThatIsGoneIsMissedUntilItIsBack(isDeleted: Bool) throws {
    let files = MemoryFiles()
    let a = try self.open(on: files)
    try a.dispatch(Self.add(1))
    try files.rename("/x.imd", to: "/y.imd")
    if !isDeleted {
      // Another log.
      try self.open(on: files).dispatch(Self.add(1))
    }
    let message =
      "\"/x.imd\" was deleted, moved or replaced while it was open; put it back, or open it again"
    let error = EngineError(.io, message)
    #expect(throws: error) { try a.refresh() }
    #expect(throws: error) { try a.dispatch(Self.add(2)) }
    #expect(throws: error) { try a.sync() }
    try files.rename("/y.imd", to: "/x.imd")
    try a.sync()
    try a.refresh()
    try a.dispatch(Self.add(3))
    #expect(try a.state() == [1, 3])
    #expect(try self.open(on: files).state() == [1, 3])
  }

  @Test func aCopyThatTakesThePlaceOfTheFileIsGoneOverTo() throws {
    let files = MemoryFiles()
    let a = try self.open(on: files)
    try a.dispatch(Self.add(1))
    try files.rename("/x.imd", to: "/y.imd")
    files.setContent(of: "/x.imd", to: files.content(of: "/y.imd"))
    try a.sync()
    try a.dispatch(Self.add(2))
    #expect(try a.state() == [1, 2])
    #expect(try self.open(on: files).state() == [1, 2])
    // It lacks what was dispatched since.
    try files.rename("/y.imd", to: "/x.imd")
    let message =
      "the log \"/x.imd\" was replaced by one that ends with the commit 1, before 2; open the "
      + "store again"
    #expect(throws: EngineError(.corrupt, message)) { try a.dispatch(Self.add(3)) }
  }

  @Test func aWriterWhoseReducerFailsOnTheActionOfAnotherOneStops() throws {
    let files = MemoryFiles()
    let a = try self.open(on: files)
    let b = try self.open(on: files, failsOn: 1)
    try a.dispatch(Self.add(1))
    let content = files.content(of: "/x.imd")
    var errors: [EngineError] = []
    for _ in 0..<2 {
      do { try b.dispatch(Self.add(2)) } catch { errors.append(error) }
      do { try b.refresh() } catch { errors.append(error) }
    }
    #expect(errors.count == 4 && errors.allSatisfy { $0 == errors[0] })
    #expect(errors[0].message.hasPrefix("cannot replay the entry 1 of the log"))
    #expect(files.content(of: "/x.imd") == content)
  }

  @Test func whatAWriterHasLeftInPartIsCut() throws {
    let files = MemoryFiles()
    let a = try self.open(on: files)
    try a.dispatch(Self.add(1))
    guard let content = files.content(of: "/x.imd") else { return }
    files.setContent(of: "/x.imd", to: content + Array(#"{"sum":"0"#.utf8))
    try a.refresh()
    #expect(files.content(of: "/x.imd")?.count == content.count + 9)
    try a.dispatch(Self.add(2))
    #expect(files.content(of: "/x.imd-cut") == Array(#"{"sum":"0"#.utf8))
    #expect(try self.open(on: files).state() == [1, 2])
  }

  @Test func theTimeIsNeverSetBack() throws {
    let files = MemoryFiles()
    let a = try self.open(on: files)
    files.setTime(2_000_000_000_000)
    try a.dispatch(Self.add(1))
    let b = try self.open(on: files)
    files.setTime(1_900_000_000_000)
    try b.dispatch(Self.add(2))
    try a.dispatch(Self.add(3))
    let text = String(decoding: files.content(of: "/x.imd") ?? [], as: UTF8.self)
    let times = try text.split(separator: "\n").compactMap { line in
      try Value(json: String(line))["time"]?.integer
    }
    #expect(times == times.sorted() && times.count == 6)
  }

  @Test func aKilledWriterBlocksNobody() throws {
    let files = MemoryFiles()
    let a = try self.open(on: files)
    try a.dispatch(Self.add(1))
    files.killProcess()
    #expect(throws: EngineError.self) { try a.dispatch(Self.add(2)) }
    let b = try self.open(on: files)
    try b.dispatch(Self.add(3))
    #expect(try b.state() == [1, 3])
  }

  // MARK: Refusals

  @Test func aLogIsSharedByAllOrNobody() throws {
    let shared = try self.open()
    let message = "\"\(self.path)\" is a shared log; open it with \"shared\": true"
    #expect(throws: EngineError(.invalidArgument, message)) {
      try AnyStore(state: [], options: ["log": .string(self.path)]) { state, _ in state }
    }
    shared.close()
  }

  // MARK: History

  @Test func anUndoIsOfAnybodysNewestStep() throws {
    let (a, b) = (try self.open(["history": true]), try self.open(["history": true]))
    try a.dispatch(Self.add(1))
    try b.dispatch(Self.add(2))
    #expect(try a.undo() == 1)
    #expect(try a.state() == [1])
    #expect(try b.redo() == 1)
    #expect(try b.state() == [1, 2])
    try a.refresh()
    #expect(try a.state() == [1, 2])
    #expect(try a.undo(5) == 2)
    try b.refresh()
    #expect(try b.state() == [])
  }

  /// Otherwise it would be lost without a step that brings it back.
  @Test func anUndoKeepsWhatAnotherWriterHasDoneWithoutAStep() throws {
    let options: Value = ["history": ["ignore": ["noted"]]]
    let (a, b) = (try self.open(options), try self.open(options))
    try a.dispatch(Self.add(1))
    try b.dispatch(["type": "noted", "payload": 2])
    #expect(throws: EngineError.self) { try a.undo() }
    #expect(try a.state() == [1, 2])
    // It may take back its own.
    #expect(try b.undo() == 1)
    #expect(try b.state() == [])
  }

  @Test func actionsOfTwoWritersDoNotJoin() throws {
    let options: Value = ["history": ["group": ["within": 1_000_000]]]
    let (a, b) = (try self.open(options), try self.open(options))
    for number in 1...2 { try a.dispatch(Self.add(.integer(Int64(number)))) }
    for number in 3...4 { try b.dispatch(Self.add(.integer(Int64(number)))) }
    #expect(try b.undo() == 1)
    #expect(try b.state() == [1, 2])
    #expect(try a.undo() == 1)
    #expect(try a.state() == [])
  }

  @Test func aGroupHasTheStepsOfOneWriter() throws {
    let (a, b) = (try self.open(["history": true]), try self.open(["history": true]))
    try a.beginGroup()
    try a.dispatch(Self.add(1))
    try a.dispatch(Self.add(2))
    try b.dispatch(Self.add(3))
    try a.dispatch(Self.add(4))
    #expect(throws: EngineError.self) { try a.cancelGroup() }
    try a.endGroup()
    for store in [a, b] { try store.refresh() }
    #expect(try b.undo() == 1)
    #expect(try b.state() == [1, 2, 3])
    #expect(try a.undo() == 1)
    #expect(try a.state() == [1, 2])
    #expect(try b.undo() == 1)
    #expect(try b.state() == [])
  }
}
