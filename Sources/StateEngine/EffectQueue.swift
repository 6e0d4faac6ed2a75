import ImmutableData

/// Runs effects one after the other, on a thread that is there while there are some.
final class EffectQueue: Sendable {
  typealias Work = @Sendable () -> Void

  private struct State {
    var waiting = Queue<Work>()
    var delayed: [(time: Deadline, work: Work)] = []
    var hasThread = false
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
}

extension EffectQueue {
  /// Runs `work` when what was appended before it is done, and not before some time has passed.
  func append(after milliseconds: Int32 = 0, _ work: @escaping Work) {
    let needsThread = self.state.withLock { state in
      guard !state.isClosed else { return false }
      if milliseconds > 0 {
        state.delayed.append((Deadline(milliseconds: milliseconds), work))
      } else {
        state.waiting.append(work)
      }
      defer { state.hasThread = true }
      return !state.hasThread
    }
    self.arrival.broadcast()
    if needsThread, !startThread({ self.runAll() }) {
      self.runWaiting()
    }
  }

  /// Waits until there is nothing left to do.
  ///
  /// - Returns: Whether that is so; not if the deadline came first.
  func settle(until deadline: Deadline?) -> Bool {
    self.state.withLock(after: self.idleness, orAt: deadline, until: \.isIdle, do: \.isIdle)
  }

  /// Whether the calling thread is in an effect.
  var isCurrent: Bool {
    self.state.withLock { $0.runner?.isCurrent == true }
  }

  var isClosed: Bool {
    self.state.withLock { $0.isClosed }
  }

  /// How many effects were run.
  var done: Int {
    self.state.withLock { $0.done }
  }

  /// Forgets what was not begun.
  func close() {
    let forgotten = self.state.withLock { state in
      defer { (state.waiting, state.delayed) = (Queue(), []) }
      state.isClosed = true
      return (state.waiting, state.delayed)
    }
    withExtendedLifetime(forgotten) {}
    self.arrival.broadcast()
    self.idleness.broadcast()
  }
}

extension EffectQueue {
  private func runAll() {
    while true {
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
    while let work = next() {
      work()
    }
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
