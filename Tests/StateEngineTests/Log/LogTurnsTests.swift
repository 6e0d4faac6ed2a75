import StateLog
import Testing
import Threading

@testable import StateEngine

/// A log to whose head other stores have appended.
private final class TestHead: LogHead {
  /// How many bytes each call finds unread; then there are none.
  var unread: [Int]
  /// How often another store has the turn.
  var refusals = 0
  var uptime: Int64 = 0
  /// How often others still wait when the store asks.
  var waits = 0
  var failure: EngineError?
  private(set) var calls: [String] = []

  init(unread: [Int] = []) {
    self.unread = unread
  }

  func requireProcess() {}

  func beginTurn(after wait: inout LockWait) -> Bool {
    self.refusals -= 1
    self.calls.append(self.refusals < 0 ? "begin" : "refused")
    return self.refusals < 0
  }

  func endTurn() {
    self.calls.append("end")
  }

  func unreadBytes() -> Int {
    self.unread.isEmpty ? 0 : self.unread.removeFirst()
  }

  func pause(_ wait: inout LockWait) {
    self.uptime += 1
    self.calls.append("pause")
  }

  var othersWait: Bool {
    self.waits -= 1
    return self.waits >= 0
  }

  func read() throws(EngineError) {
    if let failure { throw failure }
    self.calls.append("read")
  }

  func takeCalls() -> [String] {
    defer { self.calls = [] }
    return self.calls.filter { $0 != "pause" }
  }
}

@Suite struct LogTurnsTests {
  private func turns(of head: TestHead) -> LogTurns {
    LogTurns(head, read: { () throws(EngineError) in try head.read() }, deliver: { _ in })
  }

  private func take(_ count: Int, of turns: LogTurns) throws {
    for _ in 0..<count {
      try turns.begin(in: .current)
      turns.end()
    }
  }

  private func takeTurn(of turns: LogTurns, _ head: TestHead, for milliseconds: Int64) throws {
    try turns.begin(in: .current)
    head.uptime += milliseconds
    turns.end()
  }

  @Test func whatIsUnreadIsReadInTheTurn() throws {
    let head = TestHead(unread: [0, 100])
    try self.take(2, of: self.turns(of: head))
    #expect(head.calls == ["begin", "end", "begin", "read", "end"])
  }

  @Test func muchIsReadBeforeTheTurn() throws {
    let head = TestHead(unread: [LogTurns.unreadLimit, 0])
    try self.take(1, of: self.turns(of: head))
    #expect(head.takeCalls() == ["begin", "end", "read", "begin", "end"])
  }

  @Test func aStoreThatReadsMoreSlowlyThanOthersAppendHasItsTurn() throws {
    let head = TestHead(unread: Array(repeating: LogTurns.unreadLimit, count: 100))
    try self.take(1, of: self.turns(of: head))
    let before = Array(repeating: ["begin", "end", "read"], count: LogTurns.readLimit)
    #expect(head.takeCalls() == before.joined() + ["begin", "read", "end"])
  }

  @Test func aStoreThatWaitsReads() throws {
    let head = TestHead(unread: [0, 7, 0, 8])
    head.refusals = 3
    try self.take(1, of: self.turns(of: head))
    #expect(
      head.takeCalls() == ["refused", "refused", "read", "refused", "begin", "read", "end"])
  }

  @Test func aStoreLetsOthersThatWaitGoFirst() throws {
    let head = TestHead()
    let turns = self.turns(of: head)
    head.waits = 3
    // It was idle for long.
    head.uptime += 1_000_000
    try self.take(5, of: turns)
    try self.takeTurn(of: turns, head, for: 10)
    #expect(!head.calls.contains("pause"))
    try self.take(1, of: turns)
    #expect(head.calls.suffix(5) == ["pause", "pause", "pause", "begin", "end"])
    // Nobody waits any more.
    _ = head.takeCalls()
    try self.takeTurn(of: turns, head, for: 10)
    try self.take(5, of: turns)
    #expect(!head.calls.contains("pause"))
  }

  @Test func aStoreLetsOthersGoFirstUntilOneHasAppended() throws {
    let head = TestHead()
    let turns = self.turns(of: head)
    try self.takeTurn(of: turns, head, for: 10)
    _ = head.takeCalls()
    (head.waits, head.unread) = (100, [0, 0, 7])
    try self.take(1, of: turns)
    #expect(head.calls == ["pause", "pause", "read", "pause", "begin", "end"])
  }

  @Test func aStoreThatIsStoppedWhileItWaitsTakesHalfOfTheTime() throws {
    let head = TestHead()
    let turns = self.turns(of: head)
    head.waits = .max
    for _ in 0..<3 {
      try self.takeTurn(of: turns, head, for: 10)
      _ = head.takeCalls()
      try self.take(2, of: turns)
      #expect(head.calls.count { $0 == "pause" } == 11)
      head.uptime += 1_000_000
    }
  }

  @Test func aFailureGivesTheTurnBack() throws {
    let head = TestHead(unread: [1])
    let turns = self.turns(of: head)
    head.failure = EngineError(.corrupt, "x")
    #expect(throws: EngineError(.corrupt, "x")) { try turns.begin(in: .current) }
    #expect(head.calls == ["begin", "end"])
    #expect(!turns.areWaitedFor)
    head.failure = nil
    try self.take(1, of: turns)
  }
}
