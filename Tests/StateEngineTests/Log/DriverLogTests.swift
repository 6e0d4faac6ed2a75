import ImmutableData
import ImmutableJSON
import Simulation
@testable import StateEngine
import StateLog
import TestSupport
import Testing
import Threading
import Glibc

/// Stores with one log that a driver keeps.
@Suite struct DriverLogTests {
  private let server = SimulatedLogServer()
  private let address = "test://user:secret@host/db?log=x&password=secret"
  private let files = MemoryFiles()

  private func open(
    _ log: JSONObject = [:], options: Value = [:], refusing refused: Int64 = 1000,
    factor: Int64 = 10
  ) throws -> AnyStore {
    var system = LogSystem()
    (system.files, system.hasThreads, system.driver) = (self.files, false, self.server)
    guard case .object(var options) = options else { throw EngineError(.invalidArgument, "") }
    var log = log
    log["path"] = .string(self.address)
    options["log"] = .object(log)
    return try AnyStore(state: 0, options: .object(options), logSystem: system) { state, action in
      guard let number = state.integer, let added = action["payload"]?.integer else { return state }
      guard number + added < refused else { throw EngineError(.reducerFailed, "too many") }
      return .integer(number * factor + added)
    }
  }

  private static func add(_ number: Int64) -> Value {
    ["type": "added", "payload": .integer(number)]
  }

  private var log: SimulatedLogServer.Log {
    get throws { try #require(self.server.log(self.address)) }
  }

  private var texts: [String] {
    get throws { try self.log.entries.map { String(decoding: $0.text, as: UTF8.self) } }
  }

  @Test func entriesHaveTheOrderOfTheLog() throws {
    let a = try self.open(["author": "a"])
    let b = try self.open(["author": "b"])
    try a.dispatch(Self.add(1))
    // It has not heard of the entry, is refused, and reduces again.
    try b.dispatch(Self.add(2))
    #expect(try b.state() == 12)
    #expect(try a.state() == 1)
    try a.refresh()
    #expect(try a.state() == 12)
    let texts = try self.texts
    #expect(texts.count == 4)
    #expect(texts[0].hasSuffix(#""version":1}}"#) && texts[0].contains(#""author":"a""#))
    #expect(
      texts[0].hasPrefix(#"{"number":0,"time":"#) && texts[0].contains(#""writer":1,"opened":{"#))
    #expect(texts[3].hasPrefix(#"{"number":2,"time":"#))
    #expect(texts[3].hasSuffix(#""writer":2,"actions":[{"payload":2,"type":"added"}]}"#))
    #expect(
      try a.logPath
        == self.address.replacing(":secret@", with: "@").replacing("&password=secret", with: ""))
  }

  @Test func anAppendThatIsRefusedBringsWhatTheStoreLacks() throws {
    let a = try self.open()
    let b = try self.open()
    try a.refresh()
    let calls = Recorder<SimulatedLogServer.Call>()
    defer { self.server.setOnCall(nil) }
    self.server.setOnCall { call in
      calls.append(call)
      // Before the first append of the other store arrives.
      if calls.all.count == 1 { try? a.dispatch(Self.add(1)) }
    }
    try b.dispatch(Self.add(2))
    #expect(calls.all == [.append, .append, .append])
    try a.refresh()
    #expect(calls.all == [.append, .append, .append, .read])
    #expect(try a.state() == 12 && b.state() == 12)
  }

  @Test func aNewStoreReadsAll() throws {
    let a = try self.open(options: ["history": true])
    for number in 1...4 as ClosedRange<Int64> { try a.dispatch(Self.add(number)) }
    #expect(try a.undo(2) == 2)
    let b = try self.open(options: ["history": true])
    #expect(try b.state() == 12)
    #expect(try b.redo() == 1)
    #expect(try a.undo() == 1)
    try b.refresh()
    #expect(try a.state() == 12 && b.state() == 12)
    #expect(try a.history() == b.history())
  }

  @Test func aReducerThatRefusesAppendsNothing() throws {
    let store = try self.open(refusing: 5)
    #expect(throws: EngineError(.reducerFailed, "too many")) { try store.dispatch(Self.add(7)) }
    #expect(try self.log.entries.count == 1)
    try store.dispatch(Self.add(1))
    #expect(try store.state() == 1)
  }

  @Test func aLogIsTrimmedUpToItsSnapshot() throws {
    let address = try #require(LogAddress(self.address))
    let trim = { () throws(LogError) in
      try DriverLog.trim(address, self.server, files: self.files)
    }
    #expect(throws: LogError.self) { try trim() }
    let store = try self.open(refusing: .max)
    #expect(try trim() == 0)
    for number in 1...9 as ClosedRange<Int64> { try store.dispatch(Self.add(number)) }
    let place = try self.log.entries[4].place
    try self.log.snapshot.place = place
    let calls = Recorder<SimulatedLogServer.Call>()
    self.server.setFault { call in
      calls.append(call)
      return call == .trim && calls.all.count == 3 ? .answerIsLost : .none
    }
    #expect(try trim() == 5)
    #expect(calls.all == [.open, .snapshot, .trim, .trim])
    #expect(try self.log.start == place && self.log.entries.count == 5)
    try store.dispatch(Self.add(0))
    #expect(try self.log.entries.count == 6)
  }

  /// The entries of one that does not arrive before it is asked for are withdrawn.
  @Test(
    arguments: [
      (.answerIsLost, 5), (.isLost, 5), (.isLate(by: 1), 5), (.isLate(by: 2), 5),
      (.isLate(by: 3), 6), (.isLate(by: 4), 6), (.isLate(by: 9), 6),
    ] as [(SimulatedLogServer.Fault, Int)])
  func anAppendWithoutAnAnswerIsMadeOnce(fault: SimulatedLogServer.Fault, entries: Int) throws {
    let store = try self.open()
    let other = try self.open()
    let own = Recorder<Value>()
    try store.setRule { action, _, _ in
      own.append(action)
      return []
    }
    try store.dispatch(Self.add(1))
    let appends = Recorder<Bool>()
    self.server.setFault { call in
      guard call == .append else { return .none }
      appends.append(true)
      return appends.all.count == 1 ? fault : .none
    }
    try store.dispatch(Self.add(2))
    try other.dispatch(Self.add(3))
    try store.refresh()
    #expect(try store.state() == 123 && other.state() == 123)
    #expect(try self.texts.count == entries)
    #expect(try self.texts.filter { $0.contains("withdrawn") }.count == entries - 5)
    // A rule gets its own, although one may have been read.
    try store.settle()
    #expect(own.all == [Self.add(1), Self.add(2)])
  }

  @Test func aServerThatNeverAnswersAppendsIsGivenUp() throws {
    let store = try self.open(["timeout": 100])
    try store.dispatch(Self.add(1))
    self.server.setFault { $0 == .append ? .isLate(by: .max) : .none }
    let error = failure { () throws(EngineError) in try store.dispatch(Self.add(2)) }
    #expect(error?.code == .timeout)
    #expect(error?.message.hasSuffix("it may still take effect") == true)
    #expect(try store.state() == 1)
    self.server.setFault(nil)
    try store.dispatch(Self.add(3))
    #expect(try store.state() == 13)
  }

  @Test func threadsShareAnAppend() throws {
    let store = try self.open(options: ["history": true], refusing: 50)
    let other = try self.open(options: ["history": true])
    let seen = Recorder<Value>()
    try store.setRule { action, _, _ in
      seen.append(action)
      return []
    }
    let appends = Recorder<Int>()
    let isFirst = Mutex(true)
    let threads = Mutex<[Thread]>([])
    let outcomes = Recorder<EngineError.Code?>()
    defer { self.server.setOnCall(nil) }
    self.server.setOnCall { call in
      guard call == .append else { return }
      appends.append(1)
      let wasFirst = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard wasFirst else { return }
      // While the first append is under way, five threads dispatch, one of them what is refused.
      for number in [0, 0, 70, 0, 1] as [Int64] {
        let thread = Thread.start {
          outcomes.append(
            failure { () throws(EngineError) in try store.dispatch(Self.add(number)) }?.code)
        }
        threads.withLock { $0 += [thread].compactMap(\.self) }
        store.waitForDispatches(threads.withLock { $0.count } + 1)
      }
    }
    try store.dispatch(Self.add(0))
    for thread in threads.withLock({ $0 }) { thread.join() }
    #expect(appends.all.count == 2)
    #expect(outcomes.all.filter { $0 == nil }.count == 4)
    #expect(outcomes.all.compactMap(\.self) == [.reducerFailed])
    try store.settle()
    #expect(seen.all.count == 5)
    try other.refresh()
    #expect(try store.state() == 1 && other.state() == 1)
    #expect(try store.history() == other.history())
    #expect(try store.undo(5) == 1)
  }

  @Test func aServerThatCannotBeReachedLeavesAStoreReadable() throws {
    let store = try self.open(["timeout": 1000])
    try store.dispatch(Self.add(1))
    self.server.setFault { _ in .isLost }
    for _ in 0..<2 {
      let error = failure { () throws(EngineError) in try store.dispatch(Self.add(2)) }
      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("the server cannot be reached") == true)
    }
    #expect(try store.state() == 1)
    #expect(try store.problem != .null)
    self.server.setFault(nil)
    // Until the next attempt, it fails at once.
    while failure({ () throws(EngineError) in try store.dispatch(Self.add(2)) }) != nil {}
    #expect(try store.state() == 12)
    #expect(try store.problem == .null)
  }

  @Test func aRefusalIsAnotherError() throws {
    let store = try self.open(["timeout": 1])
    self.server.setFault { $0 == .append ? .isRefused : .none }
    let error = #expect(throws: EngineError.self) { try store.dispatch(Self.add(2)) }
    #expect(error?.code == .refused)
    #expect(error?.message == "\"\(try store.logPath)\": permission denied")
    #expect(try store.problem == .string(error?.message ?? ""))
    // It does not concern what is dispatched next, which need not wait.
    self.server.setFault(nil)
    try store.dispatch(Self.add(2))
    #expect(try store.problem == .null)
  }

  @Test func aLogThatWasRestoredIsNoticed() throws {
    let store = try self.open()
    for number in 1...3 as ClosedRange<Int64> { try store.dispatch(Self.add(number)) }
    try self.log.entries.removeLast()
    let error = #expect(throws: EngineError.self) { try store.dispatch(Self.add(4)) }
    #expect(error?.code == .diverged)
    #expect(try store.state() == 123)
    #expect(try self.log.entries.count == 3)
  }

  @Test func anEntryThatTheReducerRefusesStopsAStore() throws {
    let a = try self.open(refusing: 1_000_000)
    let b = try self.open(refusing: 5)
    try b.dispatch(Self.add(1))
    try a.dispatch(Self.add(7))
    for _ in 0..<2 {
      let error = #expect(throws: EngineError.self) { try b.dispatch(Self.add(1)) }
      #expect(error?.code == .outdated)
      #expect(error?.message.contains("too many") == true)
    }
    #expect(try b.state() == 1)
    #expect(try self.log.entries.count == 4)
  }

  @Test func afterThreeRefusalsOthersWait() throws {
    let a = try self.open()
    let b = try self.open()
    let other = try self.open(["timeout": 1])
    let appends = Recorder<Int>()
    let isInside = Mutex(false)
    self.server.setOnCall { call in
      guard call == .append, !isInside.withLock({ $0 }) else { return }
      appends.append(1)
      isInside.withLock { $0 = true }
      // Unless it is locked.
      _ = try? other.dispatch(Self.add(0))
      isInside.withLock { $0 = false }
    }
    try a.dispatch(Self.add(1))
    self.server.setOnCall(nil)
    #expect(appends.all.count == 4)
    try b.refresh()
    #expect(try a.state() == b.state())
    #expect(try self.log.holder == nil)
  }

  @Test func aStoreThatReadsOutsideOfATurnKeepsNoOtherOut() throws {
    let a = try self.open(refusing: 100)
    let b = try self.open()
    let calls = Recorder<Int>()
    self.server.setOnCall { call in
      guard call == .append else { return }
      calls.append(1)
      // Before each append of the first store.
      guard [1, 3, 5].contains(calls.all.count) else { return }
      try? b.dispatch(Self.add(1))
    }
    // The third entry of the other store makes the reducer refuse it.
    let error = failure { () throws(EngineError) in try a.dispatch(Self.add(0)) }
    #expect(error?.code == .reducerFailed)
    self.server.setOnCall(nil)
    try a.refresh()
    #expect(try self.log.holder == nil)
    #expect(try a.state() == 111)
  }

  @Test func anAppendWhoseWithdrawalIsRefusedIsSettledBeforeTheNextOne() throws {
    let store = try self.open()
    let faults = Mutex(
      [.isLate(by: 3), .isRefused, .answerIsLost] as [SimulatedLogServer.Fault])
    self.server.setFault { call in
      guard call == .append else { return .none }
      return faults.withLock { $0.isEmpty ? .none : $0.removeFirst() }
    }
    let error = failure { () throws(EngineError) in try store.dispatch(Self.add(1)) }
    #expect(error?.code == .refused || error?.code == .timeout)
    try store.dispatch(Self.add(2))
    try store.dispatch(Self.add(3))
    #expect(try store.state() == 123)
  }

  @Test func anAppendWithoutAnAnswerCanBeTrimmedBeforeItIsRead() throws {
    let store = try self.open(refusing: .max)
    let other = try self.open(refusing: .max)
    try store.refresh()
    let faults = Mutex([.answerIsLost] as [SimulatedLogServer.Fault])
    self.server.setFault { call in
      guard call == .append else { return .none }
      return faults.withLock { $0.isEmpty ? .none : $0.removeFirst() }
    }
    let log = try self.log
    self.server.setOnCall { [server] call in
      guard call == .read else { return }
      server.setOnCall(nil)
      try? self.dispatchMuch(to: other)
      other.implementation.log?.storage.work()
      log.trim(to: log.snapshot.place.number)
    }
    try store.dispatch(Self.add(1))
    #expect(log.start.number > 3)
    try store.dispatch(Self.add(2))
    try other.refresh()
    let states = try [store, other].map { try $0.state() }
    #expect(states == [1_000_000_002, 1_000_000_002])
  }

  @Test(
    arguments: [
      ("durability", "full"), ("keep", "all"), ("shared", true), ("recover", "before damage"),
    ] as [(String, Value)])
  func optionsOfFilesAreRefused(name: String, value: Value) throws {
    let error = #expect(throws: EngineError.self) { try self.open([name: value]) }
    #expect(error?.message == "options/log/\(name): only a file has this option")
  }

  @Test func anUnknownSchemeIsNamed() throws {
    let error = #expect(throws: EngineError.self) {
      try AnyStore(state: 0, options: ["log": "nowhere://u:secret@h/d"]) { state, _ in state }
    }
    #expect(
      error?.message == """
        options/log: no driver is registered for the scheme "nowhere" of "nowhere://u@h/d"; \
        register one first, or write "./" before the path of a file
        """)
  }

  /// Dispatches more than a snapshot needs.
  private func dispatchMuch(to store: AnyStore) throws {
    let action: Value = [
      "type": "added", "payload": 0,
      "meta": ["text": .string(String(repeating: "x", count: 10_000))],
    ]
    for _ in 0..<8 { try store.dispatch(action) }
  }

  @Test func theStoreWhoseTurnItIsPutsASnapshot() throws {
    let options: Value = ["history": true]
    let a = try self.open(options: options)
    let b = try self.open(options: options)
    try self.dispatchMuch(to: a)
    try a.dispatch(Self.add(1))
    try a.dispatch(Self.add(2))
    try b.refresh()
    let storages = try [a, b].map { try #require($0.implementation.log?.storage) }
    #expect(storages.map(\.hasWork) == [true, false])
    #expect(storages[0].work() && !storages[0].hasWork)
    #expect(try self.log.snapshot.place == self.log.head)
    try b.dispatch(Self.add(3))
    let reads = Recorder<Int>()
    self.server.setOnCall { if $0 == .read { reads.append(1) } }
    try self.log.start = self.log.snapshot.place
    try self.log.entries.removeAll { [start = self.log.start] in $0.place.number <= start.number }
    let c = try self.open(options: options)
    #expect(try c.state() == 123)
    #expect(try c.undo(2) == 2)
    for store in [a, b] { try store.refresh() }
    #expect(try [a, b, c].map { try $0.state() } == [1, 1, 1])
    #expect(try a.history() == c.history() && b.history() == c.history())
  }

  @Test func aStoreWithAnotherStateStops() throws {
    let a = try self.open()
    let b = try self.open(factor: 0)
    try self.dispatchMuch(to: a)
    try a.dispatch(Self.add(1))
    try a.dispatch(Self.add(2))
    try b.refresh()
    #expect(try a.state() != b.state())
    #expect(a.implementation.log?.storage.work() == true)
    let error = failure { () throws(EngineError) in try b.refresh() }
    #expect(error?.code == .outdated)
    let text = try self.texts.last ?? ""
    #expect(text.hasPrefix(#"{"number":10,"time":"#) && text.contains(#","state":""#))
    let hash = text.dropLast(2).suffix(64).prefix(8)
    #expect(error?.message.contains("the SHA-256 \(hash)…, this one has ") == true)
    #expect(error?.message.hasPrefix("cannot replay the entry 10 of the log") == true)
  }

  @Test func aSnapshotThatIsNotAsItWasPutCounts() throws {
    let a = try self.open()
    try self.dispatchMuch(to: a)
    let log = try self.log
    self.server.setOnCall { if $0 == .snapshot { log.snapshot.text.removeLast() } }
    #expect(a.implementation.log?.storage.work() == false)
    #expect(a.implementation.log?.storage.statistics.failedSnapshots == 1)
  }

  @Test func aStoreThatWasAwayGoesOnWithTheSnapshot() throws {
    let a = try self.open(options: ["history": true])
    let b = try self.open(options: ["history": true])
    try self.dispatchMuch(to: a)
    try a.dispatch(Self.add(1))
    try a.dispatch(Self.add(2))
    #expect(a.implementation.log?.storage.work() == true)
    try self.log.start = self.log.snapshot.place
    try self.log.entries.removeAll()
    try a.dispatch(Self.add(3))
    try b.dispatch(Self.add(4))
    try a.refresh()
    #expect(try a.state() == b.state() && a.history() == b.history())
    #expect(try b.statistics()["log"]?["skippedCommits"] == 10)
    #expect(try b.undo() == 1)
  }

  @Test func aDispatchInACallbackIsRefused() throws {
    let store = try self.open()
    try store.define("count", "@")
    let codes = Recorder<EngineError.Code?>()
    let observation = try store.observe("count") { _ in
      codes.append(failure { () throws(EngineError) in try store.dispatch(Self.add(1)) }?.code)
    }
    defer { observation.cancel() }
    try store.dispatch(Self.add(1))
    #expect(codes.all == [.reentrant, .reentrant])
  }

  @Test func aCallbackDispatchesLater() throws {
    let store = try self.open()
    try store.define("count", "@")
    let failures = Recorder<EngineError?>()
    let observation = try store.observe("count") { _ in
      guard (try? store.state()) != 111 else { return }
      try? store.dispatchLater(Self.add(1)) { failures.append($0) }
    }
    defer { observation.cancel() }
    try store.settle()
    #expect(try store.state() == 111)
    #expect(failures.all == [nil, nil, nil])
  }

  @Test func whatIsDispatchedLaterSharesAnAppend() throws {
    let store = try self.open(refusing: 105)
    let failures = Recorder<EngineError.Code?>()
    let append = { @Sendable (number: Int64) in
      try store.dispatchLater(Self.add(number)) { failures.append($0?.code) }
    }
    let appends = Recorder<Int>()
    defer { self.server.setOnCall(nil) }
    self.server.setOnCall { call in
      guard call == .append else { return }
      appends.append(1)
      // Those that come while the first one is appended.
      guard appends.all.count == 1 else { return }
      for number in [0, 99, 0, 1] as [Int64] { try? append(number) }
    }
    try append(1)
    try store.settle()
    #expect(try store.state() == 1001)
    #expect(appends.all.count == 2)
    #expect(failures.all == [nil, nil, .reducerFailed, nil, nil])
  }
}

extension AnyStore {
  fileprivate var logPath: String {
    get throws { try self.select("@@log")["path"]?.string ?? "" }
  }

  /// Waits until so many dispatches wait for the log, or are made.
  fileprivate func waitForDispatches(_ count: Int) {
    while (self.implementation as? TypedStore<ValueModel>)?.store.waitingCount != count {
      sched_yield()
    }
  }

  fileprivate var problem: Value {
    get throws { try self.select("@@log")["problem"] ?? .null }
  }
}
