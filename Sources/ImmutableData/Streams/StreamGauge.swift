import Threading

/// What one stream holds, what it lost, and whether it is over.
final class StreamGauge: Sendable {
  private struct Level {
    var unread = 0
    var dropped = 0
    var isOver = false
    var hasOverflowed = false
  }

  let capacity: Int
  let policy: OverflowPolicy

  private let level = Mutex(Level())
  private let room = Condition()

  init(capacity: Int, policy: OverflowPolicy) {
    self.capacity = max(capacity, 1)
    self.policy = policy
  }
}

// The writer's side.
extension StreamGauge {
  /// Whether a dispatch has to wait for this stream's reader.
  var isBlocking: Bool {
    self.policy == .block && self.level.withLock { !self.hasRoom($0) }
  }

  /// Waits until the reader has made room, or is gone.
  func waitForRoom() {
    self.level.wait(for: self.room) { self.hasRoom($0) }
  }

  func didWrite() {
    self.level.withLock { $0.unread += 1 }
  }

  func didDrop() {
    self.level.withLock { $0.dropped += 1 }
  }

  func didOverflow() {
    self.level.withLock { $0.hasOverflowed = true }
  }

  func didEnd() {
    self.level.withLock { $0.isOver = true }
    self.room.broadcast()
  }

  private func hasRoom(_ level: Level) -> Bool {
    level.isOver || level.unread < self.capacity
  }
}

// The reader's side.
extension StreamGauge {
  var dropped: Int {
    self.level.withLock { $0.dropped }
  }

  func didRead() {
    self.level.withLock { $0.unread -= 1 }
    self.room.broadcast()
  }

  /// Throws, once, if the stream ended because it was full.
  func checkEnd() throws(StreamOverflow) {
    let hasOverflowed = self.level.withLock { level in
      let hasOverflowed = level.hasOverflowed
      level.hasOverflowed = false
      return hasOverflowed
    }
    if hasOverflowed {
      throw StreamOverflow(capacity: self.capacity)
    }
  }
}
