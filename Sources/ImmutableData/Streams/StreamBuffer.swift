import Threading

/// The elements of a stream that a thread reads, between its two ends.
final class StreamBuffer<Element>: Sendable where Element: Sendable {
  private struct State {
    var unread = Queue<Element>()
    var dropped = 0
    var isOver = false
    var hasOverflowed = false
    var signal: ReadySignal?
  }

  let capacity: Int
  private let policy: OverflowPolicy
  private let isIncluded: @Sendable (Element) -> Bool

  private let state = Mutex(State())
  private let arrival = Condition()
  private let room = Condition()

  init(capacity: Int, policy: OverflowPolicy, isIncluded: @escaping @Sendable (Element) -> Bool) {
    self.capacity = max(capacity, 1)
    self.policy = policy
    self.isIncluded = isIncluded
  }
}

extension StreamBuffer: StreamWriter {
  var isBlocking: Bool {
    self.policy == .block && self.state.withLock { !self.hasRoom($0) }
  }

  func waitForRoom() {
    self.state.wait(for: self.room) { self.hasRoom($0) }
  }

  func write(_ element: Element) -> Bool {
    guard self.isIncluded(element) else { return false }
    // Destroyed when the lock is free.
    var oldest: Element?
    let exceeds = self.state.withLock { state in
      guard !state.isOver else { return false }
      defer { state.signal?.set(true) }
      let isFull = state.unread.count >= self.capacity
      if isFull, self.policy == .fail {
        state.isOver = true
        state.hasOverflowed = true
        return false
      }
      if isFull, self.policy == .dropOldest {
        oldest = state.unread.popFirst()
        state.dropped += 1
      }
      state.unread.append(element)
      return isFull && self.policy == .block
    }
    withExtendedLifetime(oldest) {}
    self.arrival.broadcast()
    return exceeds
  }

  func finish() {
    self.state.withLock { state in
      state.isOver = true
      state.signal?.set(true)
    }
    self.arrival.broadcast()
    self.room.broadcast()
  }

  private func hasRoom(_ state: State) -> Bool {
    state.isOver || state.unread.count < self.capacity
  }
}

// The reader's side.
extension StreamBuffer {
  var dropped: Int {
    self.state.withLock { $0.dropped }
  }

  /// Takes out the oldest element; waits for one until the deadline, or as long as it takes, but not
  /// inside a callback.
  func next(until deadline: Deadline?) -> StreamReading<Element> {
    let isInsideCallback = CallScope.isInsideCallback
    let reading = self.state.withLock(after: self.arrival, orAt: deadline) { state in
      !state.unread.isEmpty || state.isOver || isInsideCallback
    } do: { state -> StreamReading<Element> in
      let element = state.unread.popFirst()
      state.signal?.set(!state.unread.isEmpty || state.isOver)
      if let element { return .element(element) }
      if state.hasOverflowed { return .overflowed(capacity: self.capacity) }
      return state.isOver ? .ended : .timedOut
    }
    self.room.broadcast()
    return reading
  }

  /// Forgets what is held, and wakes who waits on either side.
  func close() {
    let unread = self.state.withLock { state in
      defer { state.unread = Queue() }
      state.hasOverflowed = false
      return state.unread
    }
    withExtendedLifetime(unread) {}
    self.finish()
  }

  /// A descriptor that is readable while ``next(until:)`` would not wait; `nil` if the system has
  /// none left.
  var descriptor: Int32? {
    self.state.withLock { state in
      if state.signal == nil {
        state.signal = ReadySignal()
        state.signal?.set(!state.unread.isEmpty || state.isOver)
      }
      return state.signal?.descriptor
    }
  }
}
