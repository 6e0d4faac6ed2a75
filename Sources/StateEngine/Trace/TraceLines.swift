import ImmutableJSON
import Threading

/// Lines of a trace that wait for a reader. If there are too many, the oldest are dropped.
final class TraceLines: Sendable {
  private let lines = Mutex(Queue<Value>())
  private let wake: @Sendable () -> Void

  /// How many lines may wait.
  private static var capacity: Int { 1024 }

  /// - Parameter wake: Called after a line was added.
  init(wake: @escaping @Sendable () -> Void) {
    self.wake = wake
  }

  func append(_ line: Value) {
    let dropped = self.lines.withLock { lines in
      lines.append(line)
      return lines.count > Self.capacity ? lines.popFirst() : nil
    }
    // Released without the lock.
    withExtendedLifetime(dropped) {}
    self.wake()
  }

  func next() -> Value? {
    self.lines.withLock { $0.popFirst() }
  }
}
