import ImmutableData
import StateLog
import Synchronization
import Threading

/// The turns of a store that appends to a shared log: in each it has the right to append, and has
/// repeated all that others have appended.
///
/// The lock comes first: a store that reduced before it, and compared the log afterwards, would
/// begin again and again beside stores with faster reducers.
final class LogTurns: @unchecked Sendable {
  private let head: any LogHead
  /// Repeats what is new.
  private let read: () throws(EngineError) -> Void
  /// Delivers the commits that were repeated.
  private let deliver: (CallScope) -> Void
  /// Held by the thread that reads the log or has the turn.
  private let lock = Lock()
  /// How many threads wait for a turn or have it. They read what is new.
  private let waiting = Atomic(0)
  /// How long this store had turns since another one appended, when its last one began, and since
  /// when it lets others go first. In milliseconds; guarded by `lock`.
  private var (row, turn, pause) = (0 as Int64, 0 as Int64, nil as Int64?)

  /// From how many unread bytes on a store reads before it has its turn, and how often it does so
  /// at most: others may append faster than it reads.
  static var unreadLimit: Int { 1 << 16 }
  static var readLimit: Int { 3 }

  /// For how many milliseconds a store has turns before it lets others go first, and how long it
  /// waits for them at most.
  static var rowLimit: Int64 { 1 }
  static var pauseLimit: Int64 { 1000 }

  /// - Parameters:
  ///   - read: Repeats what is new. Called by one thread at a time.
  ///   - deliver: Delivers the commits that were repeated. Called without locks.
  init(
    _ head: any LogHead, read: @escaping () throws(EngineError) -> Void,
    deliver: @escaping (CallScope) -> Void
  ) {
    (self.head, self.read, self.deliver) = (head, read, deliver)
  }
}

extension LogTurns {
  /// Waits for a turn of the store, and repeats what is new. The store delivers it when the turn
  /// has ended.
  ///
  /// - Parameter delivers: Whether it delivers meanwhile, too.
  /// - Throws: ``LogError``; ``EngineError`` if an entry cannot be repeated.
  func begin(in scope: CallScope, delivers: Bool = true) throws {
    try self.head.requireProcess()
    self.waiting.wrappingAdd(1, ordering: .relaxed)
    do {
      try self.wait(in: scope, delivers)
    } catch {
      self.waiting.wrappingSubtract(1, ordering: .relaxed)
      throw error
    }
  }

  func end() {
    self.waiting.wrappingSubtract(1, ordering: .relaxed)
    self.row += self.head.uptime - self.turn
    self.head.endTurn()
    self.lock.unlock()
  }

  /// Whether a thread reads what is new anyway.
  var areWaitedFor: Bool {
    self.waiting.load(ordering: .relaxed) > 0
  }

  /// Repeats what is new and delivers it, without a turn.
  func readNow(in scope: CallScope) throws(EngineError) {
    self.lock.lock()
    let result = Result { () throws(EngineError) in try self.read() }
    self.lock.unlock()
    self.deliver(scope)
    try result.get()
  }

  /// Calls `body` while no thread has a turn.
  func between<Result>(_ body: () throws -> Result) rethrows -> Result {
    // In the child of a fork, a thread of the parent may have had one.
    guard (try? self.head.requireProcess()) != nil else { return try body() }
    self.lock.lock()
    defer { self.lock.unlock() }
    return try body()
  }

  private func wait(in scope: CallScope, _ delivers: Bool) throws {
    var wait = LockWait()
    var reads = 0
    while true {
      self.lock.lock()
      let result = Result { try self.take(after: &wait, &reads) }
      if case .success(true) = result { return }
      self.lock.unlock()
      if delivers { self.deliver(scope) }
      _ = try result.get()
      self.head.pause(&wait)
    }
  }

  /// Whether others that wait should have a turn first: a store that appends without a break leaves
  /// them hardly a moment. It waits for them for as long as it had turns: they may reduce what it
  /// has appended, or be stopped.
  private func shouldPause() -> Bool {
    guard self.row >= Self.rowLimit else { return false }
    let now = self.head.uptime
    let pause = self.pause ?? now
    self.pause = pause
    if now - pause <= min(self.row, Self.pauseLimit), self.head.othersWait { return true }
    self.restart()
    return false
  }

  private func restart() {
    (self.row, self.pause) = (0, nil)
  }

  /// Tries to take a turn. Called with the lock.
  ///
  /// - Parameter reads: How often the store has read much before its turn.
  /// - Returns: Whether it has the turn, with nothing unread.
  private func take(after wait: inout LockWait, _ reads: inout Int) throws -> Bool {
    do {
      let isTurn = try !self.shouldPause() && self.head.beginTurn(after: &wait)
      let unread = try self.head.unreadBytes()
      let hasTurn = isTurn && (unread < Self.unreadLimit || reads == Self.readLimit)
      if unread > 0 { self.restart() }
      if hasTurn {
        self.turn = self.head.uptime
      } else if isTurn {
        self.head.endTurn()
        reads += 1
      }
      // While others append or reduce, this store does, too.
      if unread > 0 { try self.read() }
      return hasTurn
    } catch {
      self.head.endTurn()
      throw error
    }
  }
}
