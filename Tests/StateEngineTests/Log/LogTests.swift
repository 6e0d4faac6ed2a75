import CounterData
import ImmutableJSON
import StateEngine
import StateLog
import TestSupport
import Testing
import Glibc

@Suite struct LogTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.file("x.imd")
  }

  private func open(
    _ log: Value? = nil, _ options: Value = [:], isDoubling: Bool = false
  ) throws -> AnyStore {
    guard case .object(var options) = options else { return try self.open(log) }
    options["log"] = log ?? .string(self.path)
    return try AnyStore(state: ["items": []], options: .object(options)) { state, action in
      try Self.reduce(state, action, isDoubling: isDoubling)
    }
  }

  private static func reduce(
    _ state: Value, _ action: Value, isDoubling: Bool = false
  ) throws -> Value {
    guard action["type"] == "added", let item = action["payload"] else {
      throw EngineError(.reducerFailed, "unknown action")
    }
    let added: JSONArray = isDoubling ? [item, item] : [item]
    guard case .object(var members) = state, case .array(let items)? = members["items"] else {
      return state
    }
    members["items"] = .array(JSONArray(Array(items) + Array(added)))
    return .object(members)
  }

  private static func add(_ item: Value) -> Value {
    ["type": "added", "payload": item]
  }

  private func add(_ items: Value..., to store: AnyStore) throws {
    for item in items { try store.dispatch(Self.add(item)) }
  }

  // MARK: Opening

  @Test func aBatchIsOneEntry() throws {
    let store = try self.open()
    try store.dispatch(batch: [Self.add(1), Self.add(2)])
    try self.add(3, to: store)
    store.close()
    let entries = try Log.entries(self.path)["entries"]
    #expect(entries?[0]?["actions"] == [Self.add(1), Self.add(2)])
    #expect(entries?[0]?["number"] == 2)
    #expect(entries?[1]?["number"] == 3)
    #expect(try self.open().state() == ["items": [1, 2, 3]])
  }

  /// The base and the snapshot have them, and its history, and what is replayed afterwards.
  @Test(arguments: [1, 100]) func statesThatLackAMember(_ count: Int) throws {
    let history: Value = ["history": ["limit": 3]]
    var store = try self.open(nil, history)
    for _ in 0..<count { try self.add(1, to: store) }
    store.close()
    #expect(try Log.verify(self.path)["snapshot"] == (count == 1 ? .null : 100))
    let defaults: Value = [
      "/tags": ["a"], "/items": 5, "/none/at": 5, "/none/too": 6, "/tags/0": 5,
    ]
    store = try self.open(["path": .string(self.path), "defaults": defaults], history)
    for expected in [count, count - 1] {
      let state = try store.state()
      #expect(state["tags"] == ["a"] && state["none"] == ["at": 5, "too": 6])
      guard case .array(let items)? = state["items"] else { Issue.record(); return }
      #expect(items.count == expected)
      #expect(try store.undo() == 1 || expected == 0)
    }
    #expect(try store.replay()["difference"] == .null)
    store.close()
    for wrong: Value in [5, ["tags": 5], ["/~": 5], ["/items/x": 5], ["/items/200/x": 5]] {
      #expect(throws: EngineError.self) {
        try self.open(["path": .string(self.path), "defaults": wrong])
      }
    }
  }

  @Test func aDomainKeepsALog() throws {
    let options: Value = ["log": .string(self.path)]
    let store = try AnyStore(CounterDomain.self, options: options)
    try store.dispatch(["type": "didTapIncrementButton", "meta": ["by": "me"]])
    store.close()
    #expect(try AnyStore(CounterDomain.self, options: options).select("selectValue") == 1)
    #expect(
      try Log.entries(self.path)["entries"]?[0]?["actions"]
        == [["type": "didTapIncrementButton", "meta": ["by": "me"]]])
    let error = #expect(throws: EngineError.self) { try self.open() }
    #expect(error?.code == .invalidArgument)
  }

  @Test func oneStoreWrites() throws {
    let store = try self.open()
    let error = #expect(throws: EngineError.self) { try self.open() }
    #expect(error?.code == .io)
    store.close()
    #expect(try self.open().state() == ["items": []])
  }

  @Test func anActionThatTheReducerRejectsIsNoEntry() throws {
    let store = try self.open()
    #expect(throws: EngineError.self) { try store.dispatch(["type": "removed"]) }
    try self.add(1, to: store)
    store.close()
    #expect(try Log.verify(self.path)["last"] == 1)
  }

  /// The base has it in its state, and deeper in its history.
  @Test func theDeepestStateIsKept() throws {
    var store = try self.open(nil, ["history": true])
    var deep: Value = []
    for _ in 0..<(ValueLimits.depth - 3) { deep = [deep] }
    try self.add(deep, to: store)
    try self.add(1, to: store)
    let state = try store.state()
    store.close()
    try Log.compact(self.path, reducer: { try Self.reduce($0, $1) })
    store = try self.open(nil, ["history": true])
    // The macro takes long to describe values as deep as these.
    let isReopened = try store.state() == state
    #expect(isReopened)
    try store.undo(2)
    try store.redo()
    let isRedone = try store.state() == ["items": [deep]]
    #expect(isRedone)
    #expect(throws: EngineError.self) { try self.add([[deep]], to: store) }
  }

  @Test func aReducerThatRejectsAnEntryIsNamed() throws {
    let store = try self.open()
    try self.add(1, to: store)
    store.close()
    let error = #expect(throws: EngineError.self) {
      try AnyStore(state: [:], options: ["log": .string(self.path)]) { _, _ in
        throw EngineError(.reducerFailed, "no")
      }
    }
    #expect(error?.code == .reducerFailed)
    #expect(error?.message.contains("entry 1 of the log") == true)
  }

  @Test func otherHistoryOptionsApplyFromTheOpeningOn() throws {
    var store = try self.open(nil, ["history": ["limit": 2]])
    try self.add(1, 2, 3, to: store)
    try store.undo()
    store.close()
    store = try self.open(nil, ["history": true])
    #expect(try store.select("@@history")["undo"] == 1)
    try self.add(4, 5, 6, to: store)
    #expect(try store.undo(9) == 4)
    store.close()
    store = try self.open()
    #expect(throws: EngineError.self) { try store.undo() }
    #expect(try store.state() == ["items": [1]])
    store.close()
    #expect(try self.open(nil, ["history": true]).select("@@history")["undo"] == 0)
  }

  @Test func whatIsBeforeADamageCanBeRecovered() throws {
    var store = try self.open()
    try self.add(1, 2, 3, to: store)
    try store.sync()
    try self.add(4, to: store)
    store.close()
    var bytes = try #require(content(of: self.path))
    // In the second entry.
    let second = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }[2]
    bytes[second + 30] ^= 1
    try self.folder.write(String(decoding: bytes, as: UTF8.self), to: "x.imd")
    let error = #expect(throws: EngineError.self) { try self.open() }
    #expect(error?.code == .corrupt)
    #expect(content(of: self.path) == bytes)
    let log: Value = ["path": .string(self.path), "recover": "before damage"]
    store = try self.open(log)
    #expect(try store.state() == ["items": [1]])
    #expect(content(of: self.path + "-damaged") == bytes)
    try self.add(5, to: store)
    store.close()
    #expect(try self.open(log).state() == ["items": [1, 5]])
    // A file that is damaged again gets another name.
    try self.folder.write(String(decoding: bytes, as: UTF8.self), to: "x.imd")
    #expect(try self.open(log).state() == ["items": [1]])
    #expect(content(of: self.path + "-damaged-2") == bytes)
  }

  @Test(arguments: [["entries": 1, "days": 1], ["entries": -1], "none", ["weeks": 1]] as [Value])
  func whatIsKeptIsOneOfFour(_ keep: Value) throws {
    let error = #expect(throws: EngineError.self) {
      try self.open(["path": .string(self.path), "keep": keep])
    }
    #expect(error?.code == .invalidArgument)
  }

  // MARK: Writing anew

  @Test func compactingKeepsTheStateAndTheHistory() throws {
    var store = try self.open(nil, ["history": true])
    try self.add(1, 2, 3, to: store)
    try store.undo()
    store.close()
    #expect(try Log.compact(self.path, reducer: { try Self.reduce($0, $1) }))
    #expect(try !Log.compact(self.path, reducer: { try Self.reduce($0, $1) }))
    #expect(try Log.verify(self.path)["base"] == 4)
    #expect(try Log.verify(self.path)["entries"] == 4)
    store = try self.open(nil, ["history": true])
    #expect(try store.state() == ["items": [1, 2]])
    #expect(try store.redo() == 1)
    #expect(try store.undo(9) == 3)
    store.close()
    #expect(
      try Log.compact(self.path, ["keep": ["entries": 1]], reducer: { try Self.reduce($0, $1) }))
    #expect(try Log.verify(self.path)["entries"] == 1)
    #expect(try self.open(nil, ["history": true]).redo(9) == 3)
  }

  @Test func aMarkAfterACompactionIsWritten() throws {
    let store = try self.open(nil, ["history": ["limit": 1]])
    // The compacted file is shorter.
    for _ in 1...50 { try self.add(1, to: store) }
    #expect(try store.compactLog(keeping: ["entries": 0]))
    try store.markClean()
    // The process ends here: what was written stays.
    try self.folder.copy(self.path, to: "y.imd")
    let other = try self.open(.string(self.folder.file("y.imd")), ["history": ["limit": 1]])
    #expect(try store.select("@@history")["clean"] == true)
    #expect(try other.select("@@history")["clean"] == true)
  }

  @Test func aLogSaysTheSchemaAndItsChanges() throws {
    let (first, second): (Value, Value) = (
      ["state": ["type": "object"]], ["actions": ["added": [:]]]
    )
    for schema in [first, first, second] {
      let store = try self.open(nil, ["schema": schema])
      try self.add(1, to: store)
      store.close()
    }
    guard case .array(let entries)? = try Log.entries(self.path)["entries"] else { return }
    #expect(try LogFile.header(self.path)?.options == ["schema": first])
    #expect(entries.map { $0["options"] } == [nil, nil, ["schema": second], nil])
    // Other functions keep it.
    try Log.compact(self.path) { state, action in try Self.reduce(state, action) }
    let store = try self.open(nil, ["schema": second])
    #expect(try store.statistics()["log"]?["entries"] == 0)
  }

  @Test func openingCompactsALogWithTwiceTheEntries() throws {
    var store = try self.open()
    try self.add(1, 2, 3, 4, 5, 6, to: store)
    store.close()
    let log: Value = ["path": .string(self.path), "keep": ["entries": 2]]
    store = try self.open(log)
    #expect(try Log.verify(self.path)["first"] == 5)
    try self.add(7, to: store)
    store.close()
    #expect(try Log.verify(self.path)["entries"] == 3)
    #expect(try self.open(log).state() == ["items": [1, 2, 3, 4, 5, 6, 7]])
  }

  @Test func whatIsRedactedIsGone() throws {
    var store = try self.open(nil, ["history": true])
    try self.add("secret", 2, to: store)
    store.close()
    let count = try Log.redact(self.path, reducer: { try Self.reduce($0, $1) }) { entry in
      entry["actions"]?[0]?["payload"] == "secret"
    }
    #expect(count == 1)
    #expect(try Log.entries(self.path)["entries"]?[0]?["actions"] == "redacted")
    #expect(try Log.verify(self.path)["redacted"] == 1)
    store = try self.open(nil, ["history": true])
    #expect(try store.undo() == 0)
    try self.add(3, to: store)
    store.close()
    #expect(try self.open().state() == ["items": ["secret", 2, 3]])
    #expect(try Log.compact(self.path, ["keep": "all"], reducer: { try Self.reduce($0, $1) }))
  }

  /// Marks and options have nothing that a program has dispatched.
  @Test func whateverIsSelectedTheLogCanBeOpened() throws {
    var store = try self.open(nil, ["history": true])
    try self.add(1, 2, to: store)
    try store.markClean()
    store.close()
    store = try self.open(nil, ["history": ["limit": 5]])
    store.close()
    #expect(try Log.redact(self.path, reducer: { try Self.reduce($0, $1) }) { _ in true } == 2)
    store = try self.open(nil, ["history": ["limit": 5]])
    #expect(try store.state() == ["items": [1, 2]])
    #expect(try store.select("@@history")["clean"] == true)
  }

  // MARK: Reading

  @Test func entriesAreReadPageByPage() throws {
    let store = try self.open()
    for item in 1...5 { try self.add(.integer(Int64(item)), to: store) }
    var page = try Log.entries(self.path, ["count": 2])
    var numbers: [Value?] = []
    while true {
      if case .array(let entries)? = page["entries"] { numbers += entries.map { $0["number"] } }
      guard let next = page["next"], next != .null else { break }
      page = try Log.entries(self.path, ["count": 2, "at": next])
    }
    #expect(numbers == [1, 2, 3, 4, 5])
    #expect(try Log.entries(self.path, ["from": 5])["entries"]?[0]?["number"] == 5)
    #expect(throws: EngineError.self) { try Log.entries(self.path, ["at": "x"]) }
  }

  @Test func aPageEndsAfterSoManyBytes() throws {
    let store = try self.open()
    for item in ["a", "bb", "ccc"] as [Value] { try self.add(item, to: store) }
    let whole = try Log.entries(self.path)
    let first = try #require(whole["entries"]?[0])
    #expect(try Log.entries(self.path, ["bytes": 1])["entries"] == [first])
    let line = try Log.verify(self.path)["bytes"]
    #expect(try Log.entries(self.path, ["bytes": try #require(line)]) == whole)
    let error = #expect(throws: EngineError.self) { try Log.entries(self.path, ["bytes": 0]) }
    #expect(error?.message == "options/bytes: 0 is not 1 or more")
  }

  @Test(arguments: [1, 100]) func theLastStateNeedsNoReducer(_ count: Int) throws {
    let store = try self.open()
    for _ in 0..<count { try self.add(1, to: store) }
    let state = try store.state()
    store.close()
    let found = try Log.snapshot(self.path)
    #expect(found["last"] == .integer(Int64(count)))
    #expect(found["number"] == (count == 1 ? 0 : 100))
    #expect(found["entries"] == (count == 1 ? 1 : 0))
    #expect(found["state"] == (count == 1 ? ["items": []] : state))
    #expect(throws: EngineError.self) { try Log.snapshot(self.path + "-none") }
  }

  @Test func optionsThatAreNoPath() throws {
    for (log, message) in [
      (
        true,
        #"options/log: expected the path of a file, or an object with the member "path", "#
          + "found a boolean"
      ),
      (
        ["path": .string(self.path), "durabilty": "full", "color": 1],
        #"options/log: unknown member "durabilty"; did you mean "durability"? "#
          + #"Also unknown: "color""#
      ),
    ] as [(Value, String)] {
      let error = #expect(throws: EngineError.self) { try self.open(log) }
      #expect(error?.message == message)
    }
  }

  @Test func blameGoesOnInTheLog() throws {
    let store = try self.open(nil, ["history": ["limit": 1]])
    try self.add(1, 2, 3, to: store)
    let pointer = try JSONPointer("/items")
    #expect(try store.blame(pointer)[1] == nil)
    let changes = try store.blame(pointer, ["log": true])
    #expect(changes[0]?["number"] == 3)
    #expect(changes[1]?["number"] == 2)
    #expect(changes[1]?["step"] == nil)
    #expect(changes[1]?["type"] == "added")
    #expect(changes[1]?["before"] == [1])
    #expect(changes[2]?["after"] == [1])
    #expect(changes[3] == nil)
    #expect(try store.blame(pointer, ["log": true, "count": 2])[2] == nil)
  }

  @Test func aPastStateCanBeRead() throws {
    let store = try self.open()
    try self.add(1, 2, to: store)
    try store.dispatch(batch: [Self.add(3), Self.add(4)])
    func state(_ number: Int) throws -> Value {
      try Log.state(at: number, of: self.path, reducer: { try Self.reduce($0, $1) })
    }
    #expect(try state(0) == ["items": []])
    #expect(try state(2) == ["items": [1, 2]])
    #expect(try state(4) == ["items": [1, 2, 3, 4]])
    for number in [5, .max] {
      let error = #expect(throws: EngineError.self) { try state(number) }
      #expect(error?.code == .notFound)
    }
  }

  @Test func aReplayFindsAReducerThatHasChanged() throws {
    var store = try self.open(nil, ["history": true])
    try self.add(1, 2, to: store)
    #expect(try store.replay()["difference"] == .null)
    store.close()
    try Log.compact(self.path, reducer: { try Self.reduce($0, $1) })
    store = try self.open(nil, ["history": true], isDoubling: true)
    try self.add(3, to: store)
    #expect(try store.replay()["difference"] == .null)
    #expect(try store.state() == ["items": [1, 2, 3, 3]])
  }

  @Test func devToolsGetTheStatesAndGiveThemBack() throws {
    let store = try self.open()
    try self.add(1, 2, to: store)
    store.close()
    let reducer: Log.Reducer = { try Self.reduce($0, $1) }
    let exported = try Log.export(self.path, reducer: reducer)
    #expect(exported["computedStates"]?[1] == ["state": ["items": [1]]])
    #expect(exported["actionsById"]?["2"]?["action"] == Self.add(2))
    #expect(exported["currentStateIndex"] == 2)
    #expect(throws: EngineError.self) { try Log.import(exported, to: self.path, reducer: reducer) }
    let other = self.folder.file("y.imd")
    let error = #expect(throws: EngineError.self) {
      try Log.import(exported, to: other) { try Self.reduce($0, $1, isDoubling: true) }
    }
    #expect(error?.message == "the state after action 1 differs from that in the text")
    #expect(self.folder.names == ["x.imd"])
    try Log.import(exported, to: other, reducer: reducer)
    #expect(try Log.export(other, reducer: reducer) == exported)
    #expect(try self.open(.string(other)).state() == ["items": [1, 2]])
  }

  @Test func aStoreFollowsOneThatWrites() throws {
    let store = try self.open(nil, ["history": true])
    try self.add(1, to: store)
    let reader = try self.open(["path": .string(self.path), "readOnly": true])
    let recorder = DeliveryRecorder()
    try reader.observe(expression: "items", to: recorder)
    #expect(throws: EngineError.self) { try self.add(9, to: reader) }
    try store.dispatch(batch: [Self.add(2), Self.add(3)])
    try store.undo()
    try reader.refresh()
    #expect(try reader.state() == ["items": [1]])
    #expect(recorder.texts.last == "[1]")
    try self.add(4, to: store)
    store.close()
    try Log.compact(self.path, ["keep": ["entries": 0]], reducer: { try Self.reduce($0, $1) })
    let next = try self.open(nil, ["history": true])
    try self.add(5, to: next)
    try reader.refresh()
    try reader.refresh()
    #expect(try reader.state() == ["items": [1, 4, 5]])
    #expect(recorder.texts.last == "[1,4,5]")
  }

  @Test func aFollowerTakesTheOptionsOfAFileWrittenAnew() throws {
    var store = try self.open()
    try self.add(1, to: store)
    let reader = try self.open(["path": .string(self.path), "readOnly": true])
    store.close()
    try self.open(nil, ["history": true]).close()
    try Log.compact(self.path, ["keep": ["entries": 0]], reducer: { try Self.reduce($0, $1) })
    store = try self.open(nil, ["history": true])
    try self.add(2, to: store)
    try store.undo()
    try reader.refresh()
    try reader.refresh()
    #expect(try reader.state() == ["items": [1]])
  }

  // MARK: A file that others change

  private func problem(of store: AnyStore) throws -> Value? {
    let selected = try store.select("@@log")
    #expect(selected["path"] == .string(self.path))
    #expect(try store.statistics()["log"]?["problem"] == selected["problem"])
    return selected["problem"]
  }

  @Test func theProblemOfALogIsSelected() throws {
    let store = try self.open()
    try self.add(1, to: store)
    let recorder = DeliveryRecorder()
    try store.observe("@@log") { recorder.append($0) }
    #expect(try self.problem(of: store) == .null)
    let moved = self.folder.file("y.imd")
    #expect(rename(self.path, moved) == 0)
    let found =
      "\"\(self.path)\" was deleted, moved or replaced while it was open; put it back, or "
      + "open it again"
    #expect(throws: EngineError.self) { try self.add(2, to: store) }
    #expect(try self.problem(of: store) == .string(found))
    #expect(recorder.texts.count == 2)
    #expect(rename(moved, self.path) == 0)
    try store.sync()
    #expect(try self.problem(of: store) == .null)
    #expect(recorder.texts.count == 3)
    store.close()
    #expect(try self.open().state() == ["items": [1, 2]])
  }

  @Test(arguments: [
    ("deleted", "was deleted, moved or replaced while it was open; put it back, or open it again"),
    ("anew", "was replaced by another log; open the store again"),
    ("restored", "was replaced by one that ends with the commit 1, before 2; open the store again"),
    ("continued", "was replaced by one with other entries; open the store again"),
  ])
  func aFollowerSaysThatItStops(_ change: String, _ problem: String) throws {
    let store = try self.open()
    try self.add(1, to: store)
    try store.sync()
    try self.folder.copy(self.path, to: "copy.imd")
    try self.add(2, to: store)
    let reader = try self.open(["path": .string(self.path), "readOnly": true])
    store.close()
    let (errors, recorder) = (Recorder<String>(), DeliveryRecorder())
    try reader.setEffectErrorHandler { errors.append($0.message) }
    try reader.observe("@@log") { recorder.append($0) }
    #expect(try self.problem(of: reader) == .null)
    let next = self.folder.file(change == "anew" ? "new.imd" : "copy.imd")
    if change == "anew" || change == "continued" {
      let writer = try self.open(.string(next))
      try self.add(7, 8, 9, to: writer)
      writer.close()
    }
    #expect((change == "deleted" ? unlink(self.path) : rename(next, self.path)) == 0)
    for _ in 0..<2 {
      #expect(throws: EngineError.self) { try reader.refresh() }
    }
    let found = try #require(self.problem(of: reader)?.string)
    #expect(found.hasSuffix(problem), "\(found)")
    #expect(try reader.state() == ["items": [1, 2]])
    reader.close()
    #expect(errors.all == [found])
    #expect(recorder.texts.count == 2)
  }
}

extension Value {
  fileprivate subscript(index: Int) -> Value? {
    guard case .array(let elements) = self, index < elements.count else { return nil }
    return elements[index]
  }
}
