import Threading

/// Runs effects one after the other, on a thread that exists only while there are effects.
///
/// Before a queue starts another thread, it joins the previous one; ``join()`` joins the last one
/// after the queue has been closed. So no thread runs this library's code after the store has been
/// closed. Inside a callback, where nothing waits, the thread is detached instead. In the child of a
/// fork, an inherited queue does nothing: its thread does not exist there, and its lock may be held.
final class EffectQueue: Sendable {
  typealias Work = @Sendable () -> Void

  private struct State {
    var waiting = Queue<(work: Work, isCounted: Bool)>()
    var delayed: [(time: Deadline, work: Work)] = []
    var hasThread = false
    /// The thread that runs effects, or the last one that did.
    var thread: Thread?
    /// Whether a thread that has appended an effect is now starting the thread of the queue.
    var isStarting = false
    var runner: ThreadIdentity?
    var startedCount = 0
    /// The number of effects in flight outside the queue, whose completions it expects.
    var expectedCount = 0
    var isClosed = false

    var isIdle: Bool {
      self.waiting.isEmpty && self.runner == nil && self.expectedCount == 0
    }

    /// Takes the next effect: the one that has waited longest or, if none is waiting, a delayed one
    /// whose time has passed.
    mutating func takeNext() -> Work? {
      let next = self.waiting.popFirst() ?? self.takeDelayed().map { ($0, isCounted: true) }
      guard let next else { return nil }
      self.runner = .current
      if next.isCounted { self.startedCount += 1 }
      return next.work
    }

    /// Takes a delayed effect whose time has passed; if there are several, the one appended first.
    private mutating func takeDelayed() -> Work? {
      guard let index = self.delayed.firstIndex(where: \.time.hasPassed) else { return nil }
      return self.delayed.remove(at: index).work
    }
  }

  private enum Step {
    case run(Work)
    case wait
    case end
  }

  private let state = Mutex(State())
  /// For the thread of the queue: work was added, or the queue closed.
  private let hasNewWork = Condition()
  /// For threads that wait until the queue is idle, or until its thread is stored.
  private let hasProgressed = Condition()
  private let process = ProcessGeneration.current
}

extension EffectQueue {
  /// Runs `work` after the effects that are waiting now. With a delay, runs it once the delay has
  /// passed and no other effect is waiting.
  func append(after milliseconds: Int32 = 0, _ work: @escaping Work) {
    self.add { state in
      if milliseconds > 0 {
        state.delayed.append((Deadline(milliseconds: milliseconds), work))
      } else {
        state.waiting.append((work, isCounted: true))
      }
    }
  }

  /// Expects the completion of an effect that takes place outside the queue. Until then the queue
  /// is not idle.
  func expect() {
    guard self.process.isCurrent else { return }
    self.state.withLock { $0.expectedCount += $0.isClosed ? 0 : 1 }
  }

  /// Runs the completion of an effect that was expected, after the effects that are waiting now.
  func appendExpected(_ work: @escaping Work) {
    self.add { state in
      state.expectedCount -= 1
      state.waiting.append((work, isCounted: false))
    }
  }

  /// Adds work, and starts the thread if it is not running.
  private func add(_ change: (inout State) -> Void) {
    guard self.process.isCurrent else { return }
    let (needsThread, ended) = self.state.withLock { state -> (Bool, Thread?) in
      guard !state.isClosed else { return (false, nil) }
      change(&state)
      guard !state.hasThread else { return (false, nil) }
      (state.hasThread, state.isStarting) = (true, true)
      return (true, state.thread.take())
    }
    self.hasNewWork.broadcast()
    if needsThread { self.startThread(after: ended) }
  }

  /// - Parameter ended: The previous thread, which has run its last effect.
  private func startThread(after ended: Thread?) {
    if CallScope.isInsideCallback { ended?.detach() } else { ended?.join() }
    let thread = Thread.start { self.runAll() }
    self.state.withLock { state in
      (state.thread, state.isStarting) = (thread, false)
    }
    self.hasProgressed.broadcast()
    if thread == nil { self.runWaiting() }
  }

  /// Waits until no effect is running, waiting or expected. Delayed effects do not count.
  ///
  /// - Returns: `false` if the deadline passed first.
  func settle(until deadline: Deadline?) -> Bool {
    guard self.process.isCurrent else { return true }
    return self.state.withLock(
      after: self.hasProgressed, orAt: deadline, until: \.isIdle, do: \.isIdle)
  }

  /// Whether the calling thread is in an effect.
  var isCurrent: Bool {
    self.process.isCurrent && self.state.withLock { $0.runner?.isCurrent == true }
  }

  var isClosed: Bool {
    !self.process.isCurrent || self.state.withLock { $0.isClosed }
  }

  /// The number of effects started so far.
  var startedCount: Int {
    guard self.process.isCurrent else { return 0 }
    return self.state.withLock { $0.startedCount }
  }

  /// Drops the effects that have not started.
  ///
  /// - Returns: Whether this call closed the queue.
  @discardableResult
  func close() -> Bool {
    guard self.process.isCurrent else { return false }
    let (wasClosed, dropped) = self.state.withLock { state in
      defer {
        (state.waiting, state.delayed) = (Queue(), [])
        (state.isClosed, state.expectedCount) = (true, 0)
      }
      return (state.isClosed, (state.waiting, state.delayed))
    }
    // Released after the lock: an effect may retain anything.
    withExtendedLifetime(dropped) {}
    self.hasNewWork.broadcast()
    self.hasProgressed.broadcast()
    return !wasClosed
  }

  /// Joins the thread of a closed queue. This waits for a running effect, so first cancel whatever
  /// that effect may be waiting for.
  ///
  /// Inside a callback, and on the thread itself, this does not wait; the thread is detached.
  func join() {
    guard self.process.isCurrent else { return }
    let isWaiting = !CallScope.isInsideCallback
    let thread = self.state.withLock(after: self.hasProgressed) { state in
      !state.isStarting || !isWaiting
    } do: { state in
      state.thread.take()
    }
    if isWaiting { thread?.join() } else { thread?.detach() }
  }
}

extension EffectQueue {
  private func runAll() {
    // The thread must be stored before it can exit, so that it can be joined.
    self.state.wait(for: self.hasProgressed) { !$0.isStarting }
    // If an effect forks, the thread ends in the child after that effect.
    while self.process.isCurrent {
      switch self.next() {
      case .run(let work): work()
      case .wait: break
      case .end: return
      }
    }
  }

  /// Runs the effects on the calling thread, because the system could not start another one. Does
  /// not wait for delayed effects.
  private func runWaiting() {
    func next() -> Work? {
      self.state.withLock { state in
        let work = state.takeNext()
        if work == nil { (state.runner, state.hasThread) = (nil, false) }
        return work
      }
    }
    while self.process.isCurrent, let work = next() {
      work()
    }
    guard self.process.isCurrent else { return }
    self.hasProgressed.broadcast()
  }

  /// Returns the next step. Waits while all effects are delayed.
  private func next() -> Step {
    let (count, deadline) = self.state.withLock { state in
      state.runner = nil
      return (state.delayed.count, state.delayed.map(\.time).min())
    }
    self.hasProgressed.broadcast()
    return self.state.withLock(after: self.hasNewWork, orAt: deadline) { state in
      !state.waiting.isEmpty || state.delayed.count != count || count == 0
    } do: { state in
      if let work = state.takeNext() { return .run(work) }
      state.hasThread = !state.delayed.isEmpty
      return state.hasThread ? .wait : .end
    }
  }
}
