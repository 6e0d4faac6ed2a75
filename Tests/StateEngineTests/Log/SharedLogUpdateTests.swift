import ImmutableData
import ImmutableJSON
@testable import StateEngine
import StateLog
import TestSupport
import Testing

/// Optimistic updates of several stores that write to one file.
@Suite struct SharedLogUpdateTests {
  let files = MemoryFiles()

  /// A store whose state is a list, to which actions "added" append.
  private func open(_ system: LogSystem? = nil, _ options: Value = [:]) throws -> AnyStore {
    var quiet = LogSystem()
    (quiet.files, quiet.hasThreads) = (self.files, false)
    guard case .object(var members) = options else { throw EngineError(.invalidArgument, "") }
    members["optimistic"] = true
    if members["log"] == nil { members["log"] = ["path": "/x.imd", "shared": true] }
    return try AnyStore(state: [], options: .object(members), logSystem: system ?? quiet) {
      state, action in
      guard case .array(let list) = state, action["type"] == "added", let item = action["payload"]
      else { return state }
      // So that an action may be refused when it is reduced again.
      guard item != -1 || !list.isEmpty else { throw EngineError(.reducerFailed, "it is empty") }
      return .array(JSONArray(Array(list) + [item]))
    }
  }

  private static func add(_ item: Int64, begin key: String? = nil) -> Value {
    let meta: Value = key.map { ["optimistic": ["begin": .string($0)]] } ?? [:]
    return ["type": "added", "payload": .integer(item), "meta": meta]
  }

  private static func end(_ outcome: String, _ key: String) -> Value {
    ["type": "answered", "meta": ["optimistic": .object([outcome: .string(key)])]]
  }

  @Test func aKeyBelongsToOneWriter() throws {
    let (a, b) = (try self.open(), try self.open())
    try a.dispatch(Self.add(1, begin: "k"))
    try b.dispatch(Self.add(2, begin: "k"))
    try b.dispatch(Self.end("fail", "k"))
    #expect(try b.state() == [1])
    try a.dispatch(Self.end("succeed", "k"))
    try a.dispatch(Self.add(3))
    try b.refresh()
    #expect(try b.state() == [1, 3])
    #expect(try b.confirmedState() == [1, 3])
  }

  @Test func openingRollsBackWhatEndedWritersHaveLeft() throws {
    let (a, b, c) = (try self.open(), try self.open(), try self.open())
    try a.dispatch(Self.add(1, begin: "k"))
    try b.dispatch(Self.add(2, begin: "k"))
    try c.dispatch(Self.add(3, begin: "k"))
    try a.dispatch(Self.add(4))
    #expect(a.close() == nil)
    #expect(b.close() == nil)
    let d = try self.open()
    #expect(try d.state() == [3, 4])
    #expect(try d.confirmedState() == [4])
    // The next one has nothing to do.
    let e = try self.open()
    try c.dispatch(Self.end("fail", "k"))
    for store in [d, e] {
      try store.refresh()
      #expect(try store.state() == [4])
    }
    let text = String(decoding: self.files.content(of: "/x.imd") ?? [], as: UTF8.self)
    let jumps = try text.split(separator: "\n").map { try Value(json: String($0)) }
      .filter { $0["jump"] != nil }
    #expect(jumps.map { $0["jump"]?["writers"] } == [[1, 2]])
    #expect(jumps.map { $0["number"] } == [5])
  }

  @Test func whatIsRolledBackIsNotClean() throws {
    let (a, b) = (try self.open(nil, ["history": true]), try self.open(nil, ["history": true]))
    try b.dispatch(Self.add(1))
    try a.dispatch(Self.add(2, begin: "k"))
    try b.dispatch(Self.add(3))
    try b.markClean()
    try a.dispatch(Self.end("fail", "k"))
    try b.refresh()
    #expect(try b.state() == [1, 3])
    #expect(try b.select("@@history")["clean"] == false)
  }

  @Test func othersNoticeThatAWriterHasEnded() throws {
    var system = LogSystem()
    (system.files, system.watchTimeout) = (self.files, 1)
    let (a, b) = (try self.open(), try self.open(system))
    try a.dispatch(Self.add(1, begin: "k"))
    try b.dispatch(Self.add(2))
    let jumps = Recorder<Jump>()
    let subscription = b.commits.subscribe(.observers) { commit, _ in
      if let jump = commit.jump { jumps.append(jump) }
    }
    #expect(a.close() == nil)
    #expect(jumps.first()?.writers == [1])
    #expect(try b.state() == [2])
    subscription.cancel()
  }

  /// All stores have the same state and the same steps after each change.
  @Test(arguments: seeds(12))
  func allStoresHaveTheSameHistory(_ seed: Int) throws {
    var random = SeededGenerator(seed)
    let options: Value = [
      "history": random.isOne(in: 2) ? true : ["limit": 5, "group": ["within": 1_000_000]]
    ]
    var stores = try (0..<3).map { _ in try self.open(nil, options) }
    for _ in 0..<60 {
      let index = Int.random(in: 0..<3, using: &random)
      let store = stores[index]
      let key = "\(Int.random(in: 0..<2, using: &random))"
      let item = Int64.random(in: -1..<9, using: &random)
      // What is refused changes nothing.
      switch Int.random(in: 0..<16, using: &random) {
      case 0: _ = try? store.undo()
      case 1: _ = try? store.redo()
      case 2: try? store.beginGroup()
      case 3: try? store.endGroup()
      case 4: try? store.cancelGroup()
      case 5: try? store.markClean()
      case 6, 7: try? store.dispatch(Self.end("succeed", key))
      case 8, 9: try? store.dispatch(Self.end("fail", key))
      case 10, 11, 12: try? store.dispatch(Self.add(item, begin: key))
      case 13 where random.isOne(in: 3):
        #expect(store.close() == nil)
        stores[index] = try self.open(nil, options)
      default: try? store.dispatch(Self.add(item))
      }
      for store in stores { try store.refresh() }
      let states = try stores.map { try $0.state() }
      let steps = try stores.map { try $0.history(["patches": true]) }
      #expect(states.allSatisfy { $0 == states[0] })
      #expect(steps.allSatisfy { $0 == steps[0] })
    }
    let state = try stores[0].confirmedState()
    for store in stores { #expect(store.close() == nil) }
    #expect(try self.open(nil, options).state() == state)
  }

  /// What rolls back the updates is an entry, too.
  @Test func whatWritesTheLogAnewDoesNotSetTheTimeBack() throws {
    let a = try self.open()
    self.files.setTime(2_000_000_000_000)
    try a.dispatch(Self.add(1, begin: "k"))
    a.close()
    self.files.setTime(1_900_000_000_000)
    var system = LogSystem()
    (system.files, system.hasThreads) = (self.files, false)
    let alone = try AnyStore(
      state: [], options: ["optimistic": true, "log": "/x.imd"], keepsOptions: true,
      logSystem: system
    ) { _, _ in [] }
    #expect(try alone.compactLog(keeping: "all"))
    alone.close()
    let lines = try String(decoding: self.files.content(of: "/x.imd") ?? [], as: UTF8.self)
      .split(separator: "\n").map { try Value(json: String($0)) }
    let times = lines.filter { $0["actions"] != nil || $0["jump"] != nil }.compactMap {
      $0["time"]?.integer
    }
    #expect(times == times.sorted() && times.count == 2)
  }
}
