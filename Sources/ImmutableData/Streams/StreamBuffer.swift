import Threading

/// The unread commits of a stream, between the store and a thread or task that reads.
final class StreamBuffer: Sendable {
  private struct State {
    var unread = Queue<AnyCommit>()
    /// The number of the commit that was read last, until the reader asks for another one.
    var handling: Int?
    var dropped = 0
    var isFinished = false
    var hasOverflowed = false
    var signal: ReadySignal?

    /// Tasks that wait until there is something to read.
    var waitingTasks: [CheckedContinuation<Void, Never>] = []

    /// Whether a read would not wait.
    var isReadable: Bool {
      !self.unread.isEmpty || self.isFinished
    }

    func hasHandled(upTo number: Int) -> Bool {
      (self.handling ?? .max) > number && (self.unread.first?.number ?? .max) > number
    }

    /// Notifies those who wait for something to read.
    mutating func signalReadable(_ aftermath: inout Aftermath) {
      self.signal?.set(true)
      guard !self.waitingTasks.isEmpty else { return }
      aftermath.tasks += self.waitingTasks
      self.waitingTasks = []
    }
  }

  private let capacity: Int
  private let policy: OverflowPolicy
  private let isFlushed: Bool
  private let isIncluded: @Sendable (AnyCommit) -> Bool
  /// Called when there is something to read again, with the locks of the store held.
  private let onReadable: (@Sendable () -> Void)?

  /// Whoever ends the stream before its store ends.
  let owner: ObjectIdentifier?

  private let state = Mutex(State())
  private let becameReadable = Condition()
  private let gotSpace = Condition()
  private let hasHandled = Condition()

  /// - Parameter isFlushed: Whether a flush of the store waits for the reader.
  init(
    capacity: Int, policy: OverflowPolicy, owner: ObjectIdentifier?, isFlushed: Bool,
    onReadable: (@Sendable () -> Void)? = nil,
    isIncluded: @escaping @Sendable (AnyCommit) -> Bool
  ) {
    self.onReadable = onReadable
    self.capacity = max(capacity, 1)
    self.policy = policy
    self.owner = owner
    self.isFlushed = isFlushed
    self.isIncluded = isIncluded
  }
}

// MARK: Writing

extension StreamBuffer {
  /// Whether a full buffer makes dispatches wait.
  var blocks: Bool {
    self.policy == .block
  }

  /// Whether dispatches must wait until ``waitForSpace(until:)`` returns.
  var makesDispatchesWait: Bool {
    self.blocks && self.state.withLock { !self.hasSpace($0) }
  }

  /// - Returns: `false` if the deadline passed first.
  func waitForSpace(until deadline: Deadline?) -> Bool {
    self.state.withLock(
      after: self.gotSpace, orAt: deadline, until: self.hasSpace, do: { self.hasSpace($0) })
  }

  /// Waits until the reader has handled the commits up to a number: it has asked for another one,
  /// or closed the stream. Does not wait unless the stream is flushed.
  ///
  /// - Returns: `false` if the deadline has passed.
  func waitUntilHandled(upTo number: Int, until deadline: Deadline?) -> Bool {
    guard self.isFlushed else { return true }
    return self.state.withLock(after: self.hasHandled, orAt: deadline) { state in
      state.hasHandled(upTo: number)
    } do: { state in
      state.hasHandled(upTo: number)
    }
  }

  /// Adds a commit. Called as part of the commit, with the locks of the store held.
  ///
  /// - Returns: Whether the commit exceeded the capacity.
  func append(_ commit: AnyCommit, _ aftermath: inout Aftermath) -> Bool {
    guard self.isIncluded(commit) else { return false }
    let (exceedsCapacity, becomesReadable) = self.state.withLock { state in
      guard !state.isFinished else { return (false, false) }
      let wasEmpty = state.unread.isEmpty
      let isFull = !self.hasSpace(state)
      if isFull, self.policy == .fail {
        state.isFinished = true
        state.hasOverflowed = true
      } else {
        if isFull, self.policy == .dropOldest {
          if let oldest = state.unread.popFirst() { aftermath.dropped.append(oldest) }
          state.dropped += 1
        }
        state.unread.append(commit)
      }
      state.signalReadable(&aftermath)
      return (isFull && self.policy == .block, wasEmpty)
    }
    self.becameReadable.broadcast()
    if becomesReadable { self.onReadable?() }
    return exceedsCapacity
  }

  /// Ends the stream, and wakes threads and tasks that wait at either end.
  func finish(discardingUnread discards: Bool = false) {
    var aftermath = Aftermath()
    // Released after the lock: a deinitializer may use this stream.
    var discarded = Queue<AnyCommit>()
    self.state.withLock { state in
      state.isFinished = true
      if discards {
        swap(&state.unread, &discarded)
        state.hasOverflowed = false
        state.handling = nil
      }
      state.signalReadable(&aftermath)
    }
    self.becameReadable.broadcast()
    self.gotSpace.broadcast()
    self.hasHandled.broadcast()
    aftermath.resumeTasks()
  }

  private func hasSpace(_ state: State) -> Bool {
    state.isFinished || state.unread.count < self.capacity
  }
}

// MARK: Reading

extension StreamBuffer {
  /// The number of commits dropped so far, with ``OverflowPolicy/dropOldest``.
  var dropped: Int {
    self.state.withLock { $0.dropped }
  }

  /// Takes the oldest commit. Waits for one until the deadline, or without limit if it is `nil`;
  /// inside a callback, does not wait.
  func next(until deadline: Deadline?) -> StreamResult<AnyCommit> {
    let isInsideCallback = CallScope.isInsideCallback
    self.endHandling()
    let result = self.state.withLock(after: self.becameReadable, orAt: deadline) { state in
      state.isReadable || isInsideCallback
    } do: { state in
      self.take(&state)
    }
    self.gotSpace.broadcast()
    return result
  }

  /// Takes the oldest commit; suspends the calling task until there is one.
  func next(isolation: isolated (any Actor)?) async -> StreamResult<AnyCommit> {
    self.endHandling()
    while true {
      let result = self.state.withLock { self.take(&$0) }
      self.gotSpace.broadcast()
      guard case .timedOut = result else { return result }
      await withCheckedContinuation(isolation: isolation) { task in
        let isReadable = self.state.withLock { state in
          if !state.isReadable { state.waitingTasks.append(task) }
          return state.isReadable
        }
        if isReadable { task.resume() }
      }
    }
  }

  /// The reader asks for another commit, so it has handled the last one.
  private func endHandling() {
    guard self.isFlushed else { return }
    self.state.withLock { $0.handling = nil }
    self.hasHandled.broadcast()
  }

  /// - Returns: ``StreamResult/timedOut`` if there is nothing to read yet.
  private func take(_ state: inout State) -> StreamResult<AnyCommit> {
    let element = state.unread.popFirst()
    state.handling = element?.number
    state.signal?.set(state.isReadable)
    if let element { return .element(element) }
    if state.hasOverflowed { return .overflowed(capacity: self.capacity) }
    return state.isFinished ? .ended : .timedOut
  }

  /// A descriptor that is readable while a read would not wait; `nil` if the process has none left.
  var descriptor: Int32? {
    self.state.withLock { state in
      if state.signal == nil {
        state.signal = ReadySignal()
        state.signal?.set(state.isReadable)
      }
      return state.signal?.descriptor
    }
  }
}
