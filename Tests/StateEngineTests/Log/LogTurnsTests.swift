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
    self.calls.append("pause")
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

  @Test func aStoreBesideOthersLetsThemGoFirst() throws {
    let head = TestHead(unread: [1])
    let turns = self.turns(of: head)
    try self.take(10 * LogTurns.pauseInterval, of: turns)
    #expect(head.calls.count { $0 == "pause" } == 10)
    // Alone for long, it no longer does.
    try self.take(LogTurns.aloneLimit, of: turns)
    _ = head.takeCalls()
    try self.take(LogTurns.aloneLimit, of: turns)
    #expect(!head.calls.contains("pause"))
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
