/// The end of a stream that elements are written to.
protocol StreamWriter<Element>: Sendable {
  associatedtype Element: Sendable

  /// Whether a dispatch has to wait for this stream's reader.
  var isBlocking: Bool { get }

  /// Waits until the reader has made room, or is gone.
  func waitForRoom()

  /// - Returns: Whether the element exceeds the capacity, under ``OverflowPolicy/block``.
  func write(_ element: Element) -> Bool

  /// Ends the stream behind what it holds.
  func finish()
}

/// The end of an `AsyncStream`, which holds the elements, beside a gauge, which knows what the
/// `AsyncStream` does not tell: how far behind its reader is.
struct AsyncStreamWriter<Element>: StreamWriter where Element: Sendable {
  let continuation: AsyncStream<Element>.Continuation
  let gauge: StreamGauge

  var isBlocking: Bool {
    self.gauge.isBlocking
  }

  func waitForRoom() {
    self.gauge.waitForRoom()
  }

  func write(_ element: Element) -> Bool {
    let isFull = self.gauge.isBlocking
    self.gauge.didWrite()
    guard case .dropped = self.continuation.yield(element) else { return isFull }
    switch self.gauge.policy {
    case .dropOldest:
      self.gauge.didDrop()
    case .block, .fail:
      self.gauge.didOverflow()
      self.continuation.finish()
    }
    return false
  }

  func finish() {
    self.continuation.finish()
  }
}

extension StreamGauge {
  func bufferingPolicy<Element>() -> AsyncStream<Element>.Continuation.BufferingPolicy {
    switch self.policy {
    case .block: .unbounded
    case .dropOldest: .bufferingNewest(self.capacity)
    case .fail: .bufferingOldest(self.capacity)
    }
  }
}
