import Threading

/// Runs effects one after the other, on a thread that is there while there are some.
///
/// The thread is joined: by ``join()`` after the queue was closed, or before another is started. So
/// none of this library's code runs on it after the store was closed. In the child of a fork, which
/// has no such thread and may have inherited the lock as locked, a queue does nothing.
final class EffectQueue: Sendable {
  typealias Work = @Sendable () -> Void

  private struct State {
    var waiting = Queue<Work>()
    var delayed: [(time: Deadline, work: Work)] = []
    var hasThread = false
    /// The thread that runs effects, or the last that did.
    var thread: Thread?
    /// A thread is about to be started by the one that appended.
    var isStarting = false
    var runner: ThreadIdentity?
    var done = 0
    var isClosed = false

    var isIdle: Bool {
      self.waiting.isEmpty && self.runner == nil
    }

    /// Begins what is next, if there is something.
    mutating func begin() -> Work? {
      let due = self.waiting.isEmpty ? self.delayed.firstIndex(where: \.time.hasPassed) : nil
      guard let work = due.map({ self.delayed.remove(at: $0).work }) ?? self.waiting.popFirst()
      else { return nil }
      self.runner = .current
      self.done += 1
      return work
    }
  }

  private enum Step {
    case run(Work)
    case wait
    case end
  }

  private let state = Mutex(State())
  private let arrival = Condition()
  private let idleness = Condition()
  private let process = ProcessGeneration.current
}

extension EffectQueue {
  /// Runs `work` when what was appended before it is done, and not before some time has passed.
  func append(after milliseconds: Int32 = 0, _ work: @escaping Work) {
    guard self.process.isCurrent else { return }
    let (needsThread, ended) = self.state.withLock { state -> (Bool, Thread?) in
      guard !state.isClosed else { return (false, nil) }
      if milliseconds > 0 {
        state.delayed.append((Deadline(milliseconds: milliseconds), work))
      } else {
        state.waiting.append(work)
      }
      guard !state.hasThread else { return (false, nil) }
      (state.hasThread, state.isStarting) = (true, true)
      return (true, state.thread.take())
    }
    self.arrival.broadcast()
    if needsThread { self.startThread(after: ended) }
  }

  /// - Parameter ended: The thread before, which has nothing left to do.
  private func startThread(after ended: Thread?) {
    if CallScope.isInsideCallback { ended?.detach() } else { ended?.join() }
    let thread = Thread.start { self.runAll() }
    self.state.withLock { state in
      (state.thread, state.isStarting) = (thread, false)
    }
    self.idleness.broadcast()
    if thread == nil { self.runWaiting() }
  }

  /// Waits until there is nothing left to do.
  ///
  /// - Returns: Whether that is so; not if the deadline came first.
  func settle(until deadline: Deadline?) -> Bool {
    guard self.process.isCurrent else { return true }
    return self.state.withLock(after: self.idleness, orAt: deadline, until: \.isIdle, do: \.isIdle)
  }

  /// Whether the calling thread is in an effect.
  var isCurrent: Bool {
    self.process.isCurrent && self.state.withLock { $0.runner?.isCurrent == true }
  }

  var isClosed: Bool {
    !self.process.isCurrent || self.state.withLock { $0.isClosed }
  }

  /// How many effects were run.
  var done: Int {
    guard self.process.isCurrent else { return 0 }
    return self.state.withLock { $0.done }
  }

  /// Forgets what was not begun.
  func close() {
    guard self.process.isCurrent else { return }
    let forgotten = self.state.withLock { state in
      defer { (state.waiting, state.delayed) = (Queue(), []) }
      state.isClosed = true
      return (state.waiting, state.delayed)
    }
    withExtendedLifetime(forgotten) {}
    self.arrival.broadcast()
    self.idleness.broadcast()
  }

  /// Waits until the thread has ended, after the queue was closed. An effect that runs is waited
  /// for, so what it may wait for has to be cancelled before.
  ///
  /// Inside a callback, and on the thread itself, this does not wait: the thread ends by itself.
  func join() {
    guard self.process.isCurrent else { return }
    let isWaiting = !CallScope.isInsideCallback
    let thread = self.state.withLock(after: self.idleness) { state in
      !state.isStarting || !isWaiting
    } do: { state in
      state.thread.take()
    }
    if isWaiting { thread?.join() } else { thread?.detach() }
  }
}

extension EffectQueue {
  private func runAll() {
    // So that a thread is known before it can end: whoever joins it has to find it.
    self.state.wait(for: self.idleness) { !$0.isStarting }
    // In the child of a fork inside of an effect, the thread ends with that effect.
    while self.process.isCurrent {
      switch self.next() {
      case .run(let work): work()
      case .wait: break
      case .end: return
      }
    }
  }

  /// Does the work of a thread that the system does not have, but waits for nothing.
  private func runWaiting() {
    func next() -> Work? {
      self.state.withLock { state in
        let work = state.begin()
        if work == nil { (state.runner, state.hasThread) = (nil, false) }
        return work
      }
    }
    while self.process.isCurrent, let work = next() {
      work()
    }
    guard self.process.isCurrent else { return }
    self.idleness.broadcast()
  }

  /// Waits for work, for as long as some is delayed.
  private func next() -> Step {
    let (count, deadline) = self.state.withLock { state in
      state.runner = nil
      return (state.delayed.count, state.delayed.map(\.time).min())
    }
    self.idleness.broadcast()
    return self.state.withLock(after: self.arrival, orAt: deadline) { state in
      !state.waiting.isEmpty || state.delayed.count != count || count == 0
    } do: { state in
      if let work = state.begin() { return .run(work) }
      state.hasThread = !state.delayed.isEmpty
      return state.hasThread ? .wait : .end
    }
  }
}
