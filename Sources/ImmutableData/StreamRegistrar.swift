/// The streams of one store.
///
/// Each stream is an `AsyncStream`, which holds the elements, beside a gauge, which knows what the
/// `AsyncStream` does not tell: how far behind its reader is.
public final class StreamRegistrar<Element>: Sendable where Element: Sendable {
  struct Stream {
    let number: Int
    let continuation: AsyncStream<Element>.Continuation
    let gauge: StreamGauge
  }

  private struct Streams {
    var made = 0
    var open: [Stream] = []
  }

  private let streams = Mutex(Streams())

  public init() {}

  deinit {
    for stream in self.all {
      stream.continuation.finish()
    }
  }
}

extension StreamRegistrar {
  /// Begins a stream that holds 1,024 elements and ends when it would have to hold more.
  public func makeStream() -> AsyncStream<Element> {
    self.makeStream(capacity: 1024, overflow: .fail).base
  }

  /// Begins a stream that holds up to `capacity` elements which were not yet read.
  public func makeStream(capacity: Int, overflow: OverflowPolicy) -> BoundedStream<Element> {
    let gauge = StreamGauge(capacity: capacity, policy: overflow)
    let (base, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: gauge.bufferingPolicy())
    let number = self.streams.withLock { streams in
      streams.made += 1
      streams.open.append(
        Stream(number: streams.made, continuation: continuation, gauge: gauge))
      return streams.made
    }
    continuation.onTermination = { [weak self] _ in
      gauge.didEnd()
      self?.remove(number)
    }
    return BoundedStream(base: base, gauge: gauge)
  }

  /// Hands an element to every stream, in the order of the calls.
  public func yield(_ element: Element) {
    self.yield(CollectionOfOne(element))
  }

  /// Hands elements to every stream. They enter together, also where only the first finds room
  /// under ``OverflowPolicy/block``.
  func yield(_ elements: some Collection<Element>) {
    for stream in self.all {
      for element in elements {
        stream.yield(element)
      }
    }
  }
}

extension StreamRegistrar {
  /// Runs `body` under `turn` at a moment when no stream asks its writer to wait.
  ///
  /// It waits without the lock, so that a reader that is slow keeps writers waiting but nothing
  /// else; and it looks again under the lock, as another writer may have taken the room.
  func withRoom<Result>(_ turn: borrowing Mutex<Void>, _ body: () throws -> Result) rethrows
    -> Result
  {
    while true {
      var blocking: StreamGauge?
      let result: Result? = try turn.withLock { _ in
        blocking = self.all.first { $0.gauge.isBlocking }?.gauge
        return blocking == nil ? try body() : nil
      }
      if let result {
        return result
      }
      blocking?.waitForRoom()
    }
  }

  // A copy, as a stream that ends while it is visited calls `remove`, which needs the lock.
  private var all: [Stream] {
    self.streams.withLock { $0.open }
  }

  private func remove(_ number: Int) {
    self.streams.withLock { streams in
      streams.open.removeAll { $0.number == number }
    }
  }
}

extension StreamRegistrar.Stream {
  fileprivate func yield(_ element: Element) {
    self.gauge.didWrite()
    guard case .dropped = self.continuation.yield(element) else { return }
    switch self.gauge.policy {
    case .dropOldest:
      self.gauge.didDrop()
    case .block, .fail:
      self.gauge.didOverflow()
      self.continuation.finish()
    }
  }
}

extension StreamGauge {
  fileprivate func bufferingPolicy<Element>()
    -> AsyncStream<Element>.Continuation.BufferingPolicy
  {
    switch self.policy {
    case .block: .unbounded
    case .dropOldest: .bufferingNewest(self.capacity)
    case .fail: .bufferingOldest(self.capacity)
    }
  }
}
