import ImmutableData
import ImmutableJSON
import StateLog
import Threading

/// Follows a log that another store writes, on a thread of its own: repeats each new entry in a
/// store that only reads.
final class LogFollower: @unchecked Sendable {
  private struct State {
    /// How often the program asked for what is new, and how many of these requests are answered.
    var requested = 0
    var answered = 0
    var failure: EngineError?
    /// Whether `onFailure` has returned.
    var isReported = false
    var isClosed = false
    /// Called when the history has changed without a commit, and when the follower stops.
    var onMarks: (@Sendable () -> Void)?
    var onFailure: (@Sendable (EngineError) -> Void)?
  }

  private let state = Mutex(State())
  private let hasRequest = Condition()
  private let hasAnswer = Condition()
  /// Repeats what is new. Returns whether the history has changed without a commit. Called only by
  /// the thread, after it has started.
  private let repeatNew: () throws(EngineError) -> Bool
  private var thread: Thread?
  private let hasThread: Bool

  /// How long an entry waits at most, in milliseconds.
  private static var interval: Int32 { 50 }

  init<Model>(_ replay: LogReplay<Model>) throws(EngineError) {
    var replay = replay
    self.repeatNew = { () throws(EngineError) in
      try replay.follow()
      defer { replay.hasNewMarks = false }
      return replay.hasNewMarks
    }
    self.hasThread = replay.log.file.settings.hasThread
    guard self.hasThread else { return }
    self.thread = Thread.start { [weak self] in
      while let self, self.isOpen { self.turn() }
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

  /// Repeats what is new. The first failure is the last one: it stops.
  private func follow() throws(EngineError) {
    if let failure { throw failure }
    do throws(EngineError) {
      if try self.repeatNew() { self.state.withLock { $0.onMarks }?() }
    } catch {
      let onFailure = self.state.withLock { state in
        state.failure = error
        return state.onFailure
      }
      onFailure?(error)
      self.state.withLock { $0.isReported = true }
      self.hasAnswer.broadcast()
      throw error
    }
  }

  /// Repeats what the log has now.
  func refresh() throws(EngineError) {
    guard self.hasThread else { return try self.follow() }
    let request = self.state.withLock { state in
      state.requested += 1
      return state.requested
    }
    self.hasRequest.broadcast()
    // A callback may be what the failure is reported to.
    let mayWait = !CallScope.isInsideCallback
    let end = self.state.withLock(after: self.hasAnswer, orAt: nil) { state in
      let hasFailed = state.failure != nil && (state.isReported || !mayWait)
      return state.answered >= request || state.isClosed || hasFailed
    } do: {
      $0
    }
    if let failure = end.failure { throw failure }
    guard end.answered >= request else { throw .closed }
  }

  /// Ends the thread. Inside a callback, does not wait for it.
  func close() {
    self.state.withLock { $0.isClosed = true }
    self.hasRequest.broadcast()
    self.hasAnswer.broadcast()
    let thread = self.state.withLock { _ in self.thread.take() }
    if CallScope.isInsideCallback { thread?.detach() } else { thread?.join() }
  }

  private var isOpen: Bool {
    self.state.withLock { !$0.isClosed && $0.failure == nil }
  }

  /// Waits for a request or the next turn, and repeats what is new.
  private func turn() {
    let requested = self.state.withLock(
      after: self.hasRequest, orAt: Deadline(milliseconds: Self.interval)
    ) { state in
      state.requested > state.answered || state.isClosed
    } do: { state in
      state.isClosed ? nil : state.requested
    }
    guard let requested else { return }
    guard (try? self.follow()) != nil else { return }
    self.state.withLock { $0.answered = requested }
    self.hasAnswer.broadcast()
  }
}
