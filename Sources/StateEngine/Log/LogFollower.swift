import ImmutableData
import ImmutableJSON
import StateLog
import Synchronization
import Threading

/// Follows a log that other stores write, on a thread of its own: repeats each new entry in a store
/// that only reads, or that appends to a shared log in its turns.
///
/// A watch of the file wakes the thread. It also looks by itself: now and then, because the system
/// may fail to tell of a change, and often if the file cannot be watched.
final class LogFollower: @unchecked Sendable {
  /// Whether `onFailure` was called, and has returned.
  private enum Report {
    case none, running, done
  }

  private struct State {
    /// How often the program asked for what is new, and how many of these requests are answered.
    var requested = 0
    var answered = 0
    /// Why it has stopped.
    var failure: EngineError?
    /// Why the file could not be read last, if that may pass.
    var readError: EngineError?
    /// What happened to the file since the thread looked at it.
    var event: WatchEvent?
    var isWatched = false
    var report = Report.none
    var isClosed = false
    /// Called when the history has changed without a commit, and when the follower stops.
    var onMarks: (@Sendable () -> Void)?
    var onFailure: (@Sendable (EngineError) -> Void)?
  }

  private let state = Mutex(State())
  private let hasWork = Condition()
  private let hasAnswer = Condition()
  /// Repeats what is new. Returns whether the history has changed without a commit. Called only by
  /// the thread, after it has started; for a shared log, by the thread that `turns` admit.
  private let repeatNew: () throws(EngineError) -> Bool
  /// Tells those who observe the log that its server can be reached again, or cannot.
  private let noteConnection: () -> Void
  /// Rolls back what writers that have ended have left. Called by the thread.
  private let rollBackEnded: () throws -> Void
  /// Whether the history has changed without a commit, and observers were not told.
  private let hasNewMarks = Atomic(false)
  /// `nil` unless several stores write to the log.
  private var turns: LogTurns?
  private let log: any LogStorage
  private var thread: Thread?
  private let hasThread: Bool
  /// Used only by the thread, after it has started.
  private var watch: (any FileWatch)?
  /// When the thread looks for writers that have ended.
  private var nextLook = Deadline(milliseconds: 0)

  /// How long an entry waits at most without a watch, and how long the next attempt to read does
  /// after a failure that may pass, in milliseconds.
  private static var shortInterval: Int32 { 50 }
  private static var retryInterval: Int32 { 1000 }

  init<Model>(_ replay: LogReplay<Model>) throws(EngineError) {
    var replay = replay
    let commits = replay.store.commits
    self.log = replay.log.storage
    self.rollBackEnded = replay.rollBackEnded
    self.noteConnection = { [log = replay.log] in if log.file == nil { log.notifyOfProblem() } }
    self.repeatNew = { () throws(EngineError) in
      try replay.follow()
      defer { replay.hasNewMarks = false }
      return replay.hasNewMarks
    }
    self.hasThread = self.log.settings.hasThread
    if self.log.header.isShared {
      let read = { [unowned self] () throws(EngineError) in try self.repeatUnread() }
      self.turns = LogTurns(self.log, read: read) { commits.deliverOthers(in: $0) }
    }
    guard self.hasThread else { return }
    self.watchFile()
    // What was written before the watch began.
    _ = try self.repeatNew()
    self.thread = Thread.start { [weak self] in
      while let self, self.isOpen { self.turn() }
      self?.watch = nil
    }
    guard self.thread != nil else {
      throw EngineError(.limit, "the process cannot start a thread that follows the log")
    }
  }
}

extension LogFollower {
  /// Sets what is called when the history has changed without a commit.
  func onMarks(_ body: @escaping @Sendable () -> Void) {
    self.state.withLock { $0.onMarks = body }
  }

  /// Sets what is called when the log can no longer be followed.
  func onFailure(_ body: @escaping @Sendable (EngineError) -> Void) {
    self.state.withLock { $0.onFailure = body }
  }

  /// Why it has stopped; `nil` while it follows the log.
  var failure: EngineError? {
    self.state.withLock { $0.failure }
  }

  private var readError: EngineError? {
    self.state.withLock { $0.readError }
  }

  /// Why the log is not followed, for now or for good.
  var problem: EngineError? {
    self.state.withLock { $0.failure ?? $0.readError }
  }

  /// Repeats what is new, and tells those who wait for it.
  private func follow() throws(EngineError) {
    defer { self.reportFailure() }
    if let turns { try turns.readNow(in: .current) } else { try self.repeatUnread() }
    if self.hasNewMarks.exchange(false, ordering: .relaxed) {
      self.state.withLock { $0.onMarks }?()
    }
  }

  /// Repeats what is new. The first failure is the last one, unless a store can go on when the log
  /// can be read again.
  private func repeatUnread() throws(EngineError) {
    if let failure { throw failure }
    do {
      if try self.repeatNew() { self.hasNewMarks.store(true, ordering: .relaxed) }
    } catch {
      let passes: Bool =
        switch error.code {
        case .unavailable, .refused, .closed: true
        case .io: self.log.isShared
        default: false
        }
      if !passes { self.state.withLock { $0.failure = error } }
      throw error
    }
  }

  /// Reports why it has stopped, once. Called without locks.
  private func reportFailure() {
    let report: (() -> Void)? = self.state.withLock { state in
      guard let failure = state.failure, state.report == .none else { return nil }
      state.report = .running
      return { [onFailure = state.onFailure] in onFailure?(failure) }
    }
    guard let report else { return }
    report()
    self.state.withLock { $0.report = .done }
    self.hasAnswer.broadcast()
  }

  /// Lets the thread repeat what is new.
  @discardableResult
  private func request() -> Int {
    defer { self.hasWork.broadcast() }
    return self.state.withLock { state in
      state.requested += 1
      return state.requested
    }
  }

  /// Repeats what the log has now.
  func refresh() throws(EngineError) {
    if self.hasThread { try self.waitForThread() } else { try self.follow() }
  }

  private func waitForThread() throws(EngineError) {
    let request = self.request()
    // A callback may be what the failure is reported to.
    let mayWait = !CallScope.isInsideCallback
    let end = self.state.withLock(after: self.hasAnswer, orAt: nil) { state in
      let hasFailed = state.failure != nil && (state.report == .done || !mayWait)
      return state.answered >= request || state.isClosed || hasFailed
    } do: {
      $0
    }
    if let failure = end.failure { throw failure }
    guard end.answered >= request else { throw .closed }
    if let readError = end.readError { throw readError }
  }

  /// Ends the thread. Inside a callback, does not wait for it.
  func close() {
    self.state.withLock { $0.isClosed = true }
    self.hasWork.broadcast()
    self.hasAnswer.broadcast()
    let thread = self.state.withLock { _ in self.thread.take() }
    if CallScope.isInsideCallback { thread?.detach() } else { thread?.join() }
  }

  private var isOpen: Bool {
    self.state.withLock { !$0.isClosed && $0.failure == nil }
  }

  /// Waits for a request, a change of the file or the next turn, and repeats what is new.
  private func turn() {
    let work = self.state.withLock(
      after: self.hasWork, orAt: Deadline(milliseconds: self.interval)
    ) { state in
      state.requested > state.answered || state.event != nil || state.isClosed
    } do: { state in
      state.isClosed ? nil : (requested: state.requested, event: state.event.take())
    }
    guard let work else { return }
    // First: a file that replaces this one later is an event of the new watch.
    if work.event != .written { self.watchFile() }
    let result = Result { () throws(EngineError) in try self.follow() }
    guard self.isOpen else { return }
    let readError: EngineError? = if case .failure(let error) = result { error } else { nil }
    self.state.withLock { ($0.answered, $0.readError) = (work.requested, readError) }
    self.hasAnswer.broadcast()
    self.noteConnection()
    if self.log.hasWork { self.log.work() }
    self.lookForEnded()
  }

  /// How long the thread waits for work, in milliseconds.
  private var interval: Int32 {
    if self.watch == nil { return Self.shortInterval }
    return self.readError == nil ? self.log.settings.watchTimeout : Self.retryInterval
  }

  /// Rolls back what writers of a shared log that have ended have left; now and then, since it asks
  /// the system for each.
  private func lookForEnded() {
    guard self.log.isShared, self.log.number > 0, self.nextLook.hasPassed else { return }
    self.nextLook = Deadline(milliseconds: self.log.settings.watchTimeout)
    // If the file cannot be locked or written, it tries again later.
    try? self.rollBackEnded()
  }
}

// MARK: Turns

extension LogFollower {
  /// Waits for a turn of the store, and repeats what is new. The commits are delivered when it has
  /// ended.
  func beginTurn(in scope: CallScope) throws {
    do {
      if let failure { throw failure }
      try self.turns?.begin(in: scope)
    } catch {
      self.reportFailure()
      // Something may not have been read.
      self.request()
      throw error
    }
  }

  func endTurn() {
    self.turns?.end()
    // The thread tells those who observe the history.
    if self.hasNewMarks.load(ordering: .relaxed) || self.log.hasWork { self.request() }
  }

  /// Calls `body` in a turn, with all that others have appended. What was repeated is delivered
  /// later, since this thread must not wait for functions of the program.
  func inTurn(_ body: () throws -> Void) throws {
    if let failure { throw failure }
    guard let turns else { return try body() }
    try turns.begin(in: .current, delivers: false)
    defer {
      self.endTurn()
      self.request()
    }
    try body()
  }

  /// Calls `body` while no thread has a turn.
  func betweenTurns<Result>(_ body: () -> Result) -> Result {
    self.turns?.between(body) ?? body()
  }
}

// MARK: The watch

extension LogFollower {
  /// How it learns of new entries; `nil` if only by ``refresh()``.
  var source: String? {
    guard self.hasThread else { return nil }
    return self.state.withLock { $0.isWatched } ? "inotify" : "timer"
  }

  /// Watches the file that has the path now.
  private func watchFile() {
    self.watch = self.log.watch { [weak self] in self?.wake($0) }
    let isWatched = self.watch != nil
    self.state.withLock { $0.isWatched = isWatched }
  }

  private func wake(_ event: WatchEvent) {
    // It is what this store has appended itself, or what a thread reads that appends next.
    if event == .written, let turns, turns.areWaitedFor || !self.log.hasUnread { return }
    let isFirst = self.state.withLock { state in
      defer { if state.event != .moved { state.event = event } }
      return state.event == nil
    }
    if isFirst { self.hasWork.broadcast() }
  }
}
